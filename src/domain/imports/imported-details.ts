import { LATEST_RELEASE, MAX_IGNORE_COUNT, MAX_RELEASE, type StatusDetails } from '../errors/error-state.ts';
import type { ImportedStatus } from './import.ts';
import type { ErrorStatus } from '../errors/error-status.ts';
import { commitName } from '../releases/release-of-commit.ts';
import { detailsToStore } from '../errors/status-details.ts';

/** Details of a tracker that have the same meaning here, and reasons why others have not. */
export interface ImportedDetails {
  /** Null: none. */
  readonly details: StatusDetails | null;
  /** Sentences; empty when everything was taken. */
  readonly leftOut: readonly string[];
}

/**
 * Reads the details that a tracker stores with a status. Conditions within a window of time are left out: they would
 * end at another time here. `newestRelease`: at the time of a resolution in the next release.
 */
export function readTrackerDetails(status: ErrorStatus, value: unknown, newestRelease: string | null): ImportedDetails {
  const given = isRecord(value) ? value : {};
  const leftOut: string[] = [];
  const count = (name: 'ignoreCount' | 'ignoreUserCount', window: string) => {
    const value = given[name];
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 1 || value > MAX_IGNORE_COUNT) return {};
    if ((given[window] ?? null) !== null) {
      leftOut.push(`it was ignored until ${value} more ${name === 'ignoreCount' ? 'events' : 'users'} within a time`);
      return {};
    }
    return { [name]: value };
  };
  const until = typeof given.ignoreUntil === 'string' ? Date.parse(given.ignoreUntil) : Number.NaN;
  // A tracker answers with the version itself.
  const release = given.inRelease === LATEST_RELEASE ? null : textOf(given.inRelease);
  const commit = isRecord(given.inCommit) ? textOf(given.inCommit.commit ?? given.inCommit.id) : textOf(given.inCommit);
  const details: StatusDetails = {
    ...(release === null ? {} : { inRelease: release }),
    ...(given.inNextRelease === true ? { inNextRelease: true as const } : {}),
    ...(commit === null ? {} : { inCommit: { commit: commitName(commit), repository: repositoryOf(given) } }),
    ...(Number.isNaN(until) ? {} : { ignoreUntil: until }),
    ...count('ignoreCount', 'ignoreWindow'),
    ...count('ignoreUserCount', 'ignoreUserWindow'),
  };
  // Only exports of errgate name it.
  const afterRelease = given.afterRelease === undefined ? newestRelease : textOf(given.afterRelease);
  return { details: detailsToStore(status, details, afterRelease), leftOut };
}

/** Reads the details of an imported status; see `readTrackerDetails`. */
export function importedDetails({ status, details }: ImportedStatus, newestRelease: string | null): ImportedDetails {
  let given: unknown = null;
  try {
    given = JSON.parse(details ?? 'null');
  } catch {
    // Not written by us: treated as none.
  }
  return readTrackerDetails(status, given, newestRelease);
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value.slice(0, MAX_RELEASE).toWellFormed() : null;
}

/** Returns the repository of a commit. Only exports of errgate name it beside the commit. */
function repositoryOf({ inCommit, inCommitRepository }: Readonly<Record<string, unknown>>): string | null {
  const repository = isRecord(inCommit) ? inCommit.repository : inCommitRepository;
  return isRecord(repository) ? textOf(repository.name) : textOf(repository);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
