import { AppError } from '../../../domain/app-error.ts';
import {
  MAX_IGNORE_COUNT,
  MAX_RELEASE,
  type InCommit,
  type StatusDetails,
} from '../../../domain/errors/error-state.ts';
import { commitName } from '../../../domain/releases/release-of-commit.ts';
import type { ErrorStatus } from '../../../domain/errors/error-status.ts';

const NAMES: Readonly<Record<ErrorStatus, readonly string[]>> = {
  resolved: ['inRelease', 'inNextRelease', 'inCommit'],
  ignored: ['ignoreUntil', 'ignoreDuration', 'ignoreCount', 'ignoreUserCount'],
  unresolved: [],
};

const MINUTE_MS = 60_000;

function invalid(name: string, expected: string): AppError {
  return new AppError('invalid_parameter', `status_details.${name} is invalid: give ${expected}`);
}

function textOf(name: string, value: unknown): string {
  const usable = typeof value === 'string' && value.trim() !== '' && value.isWellFormed() && !value.includes('\0');
  if (!usable || value.length > MAX_RELEASE) throw invalid(name, `a text of 1 to ${MAX_RELEASE} characters`);
  return value;
}

function countOf(name: string, value: unknown): number {
  const count = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value;
  if (typeof count !== 'number' || !Number.isInteger(count) || count < 1 || count > MAX_IGNORE_COUNT) {
    throw invalid(name, `a whole number from 1 to ${MAX_IGNORE_COUNT}`);
  }
  return count;
}

/** Returns a time later than `after`; milliseconds. */
function timeOf(name: string, value: unknown, after: number): number {
  const at = typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(at) || at <= after) throw invalid(name, 'a time in the future, such as 2027-01-31T00:00:00Z');
  return at;
}

function commitOf(value: unknown): InCommit {
  if (typeof value !== 'object' || value === null) {
    return { commit: commitName(textOf('inCommit', value)), repository: null };
  }
  const { commit, repository = null } = value as { readonly commit?: unknown; readonly repository?: unknown };
  const named = repository === null ? null : textOf('inCommit.repository', repository);
  return { commit: commitName(textOf('inCommit.commit', commit)), repository: named };
}

/** Reads `status_details` of an answer: times may have passed. Null: none. Throws as `statusDetailsOf`. */
export function formerDetailsOf(
  { afterRelease, ...given }: Readonly<Record<string, unknown>>,
  status: ErrorStatus,
): StatusDetails | null {
  const details = statusDetailsOf({ status_details: given }, status, 0) ?? {};
  if (Object.keys(details).length === 0) return null;
  if (details.inNextRelease === undefined || afterRelease === undefined) return details;
  return { ...details, afterRelease: afterRelease === null ? null : textOf('afterRelease', afterRelease) };
}

/**
 * Reads `status_details` of a request; undefined without it. Throws `invalid_parameter` for details that do not belong
 * to the status, and for windows of time, which are not supported.
 */
export function statusDetailsOf(
  rawParameters: Readonly<Record<string, unknown>>,
  status: ErrorStatus,
  now: number,
): StatusDetails | undefined {
  const value = rawParameters.status_details ?? rawParameters.statusDetails;
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw new AppError('invalid_parameter', 'status_details is invalid: give an object');
  }
  const details = value as Readonly<Record<string, unknown>>;
  const names = Object.keys(details).filter((name) => (details[name] ?? null) !== null);
  for (const name of names) {
    if (NAMES[status].includes(name)) continue;
    const known = NAMES[status].length === 0 ? 'no details' : NAMES[status].join(' | ');
    throw new AppError('invalid_parameter', `status_details.${name} does not belong to ${status}: use ${known}`);
  }
  const present = (name: string) => names.includes(name);
  if (present('inRelease') && present('inNextRelease')) {
    throw new AppError('invalid_parameter', 'status_details has inRelease and inNextRelease: give one of them');
  }
  if (present('inNextRelease') && details.inNextRelease !== true) throw invalid('inNextRelease', 'true');
  const until = present('ignoreDuration')
    ? now + countOf('ignoreDuration', details.ignoreDuration) * MINUTE_MS
    : present('ignoreUntil')
      ? timeOf('ignoreUntil', details.ignoreUntil, now)
      : null;
  return {
    ...(present('inRelease') ? { inRelease: textOf('inRelease', details.inRelease) } : {}),
    ...(present('inNextRelease') ? { inNextRelease: true as const } : {}),
    ...(present('inCommit') ? { inCommit: commitOf(details.inCommit) } : {}),
    ...(until === null ? {} : { ignoreUntil: until }),
    ...(present('ignoreCount') ? { ignoreCount: countOf('ignoreCount', details.ignoreCount) } : {}),
    ...(present('ignoreUserCount') ? { ignoreUserCount: countOf('ignoreUserCount', details.ignoreUserCount) } : {}),
  };
}
