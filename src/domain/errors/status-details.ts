import { AppError } from '../app-error.ts';
import { LATEST_RELEASE, type StatusDetails } from './error-state.ts';
import type { ErrorStatus } from './error-status.ts';

/** Returns stored details; null: none. */
export function parseDetails(json: string | null): StatusDetails | null {
  return json === null ? null : (JSON.parse(json) as StatusDetails);
}

/**
 * Returns the details to store with a status: only those that belong to it, with releases that depend on the time of
 * the request unless they are given. Null: none. Throws `bad_request` for the latest release of a project without one.
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
      ...(inNextRelease === true ? { inNextRelease, afterRelease: afterOf(details, newestRelease) } : {}),
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

/** Returns details that an earlier change has stored as `detailsToStore` returned them, to compare them as JSON. */
export function detailsThen({
  status,
  details = null,
}: {
  readonly status: ErrorStatus;
  readonly details?: StatusDetails | null;
}): StatusDetails | null {
  return detailsToStore(status, details ?? undefined, null);
}

/** Returns the release before the next one: the given one, which is null before all releases, or the newest. */
function afterOf({ afterRelease }: StatusDetails, newestRelease: string | null): string | null {
  return afterRelease === undefined ? newestRelease : afterRelease;
}

/** True when `detailsToStore` needs the newest release. */
export function needsNewestRelease(details: StatusDetails | undefined): boolean {
  const isNext = details?.inNextRelease === true && details.afterRelease === undefined;
  return isNext || details?.inRelease === LATEST_RELEASE;
}

/** True for conditions that count events or users from the time at which the status was set. */
export function countsOccurrences(details: StatusDetails | null): boolean {
  return details?.ignoreCount !== undefined || details?.ignoreUserCount !== undefined;
}
