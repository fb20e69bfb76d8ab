import { AppError } from './app-error.ts';
import { LATEST_RELEASE, type StatusDetails } from './error-state.ts';
import type { ErrorStatus } from './tracked-error.ts';

/** Returns stored details; null: none. */
export function parseDetails(json: string | null): StatusDetails | null {
  return json === null ? null : (JSON.parse(json) as StatusDetails);
}

/**
 * Returns the details to store with a status: only those that belong to it, with releases that depend on the time of
 * the request. Null: none. Throws `bad_request` for the latest release of a project without one.
 */
export function detailsToStore(
  status: ErrorStatus,
  details: StatusDetails | undefined,
  newestRelease: string | null,
): StatusDetails | null {
  if (details === undefined) return null;
  const { inRelease, inNextRelease, inCommit, ignoreUntil, ignoreCount, ignoreUserCount } = details;
  let kept: StatusDetails = {};
  if (status === 'resolved') {
    if (inRelease === LATEST_RELEASE && newestRelease === null) {
      throw new AppError('bad_request', 'the project has no release yet: name the release, or resolve without one');
    }
    const release = inRelease === LATEST_RELEASE ? newestRelease : inRelease;
    kept = {
      ...(release === undefined || release === null ? {} : { inRelease: release }),
      ...(inNextRelease === true ? { inNextRelease, afterRelease: newestRelease } : {}),
      ...(inCommit === undefined ? {} : { inCommit }),
    };
  } else if (status === 'ignored') {
    kept = {
      ...(ignoreUntil === undefined ? {} : { ignoreUntil }),
      ...(ignoreCount === undefined ? {} : { ignoreCount }),
      ...(ignoreUserCount === undefined ? {} : { ignoreUserCount }),
    };
  }
  return Object.keys(kept).length === 0 ? null : kept;
}

/** True when `detailsToStore` needs the newest release. */
export function needsNewestRelease(details: StatusDetails | undefined): boolean {
  return details?.inNextRelease === true || details?.inRelease === LATEST_RELEASE;
}
