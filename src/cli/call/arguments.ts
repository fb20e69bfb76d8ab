import { InvalidArgumentError } from 'commander';
import { ACCESS_LEVELS, type AccessLevel, TOKEN_SCOPES, type TokenScope } from '../../domain/projects/account.ts';
import { PUBLIC_KEY_PATTERN, readDsnId } from '../../domain/projects/dsn.ts';
import { emailProblem, groupPathProblem, projectPathProblem, usernameProblem } from '../../domain/names.ts';
import { DAY_MS } from '../../domain/durations.ts';

/** Parsers of arguments. A refused argument is wrong usage (exit code 2), with the reason. */

export function parseSwitch(value: string): boolean {
  if (value === 'on') return true;
  if (value === 'off') return false;
  throw new InvalidArgumentError('Use on or off.');
}

/** Parses an id: positive, and exact in a double. */
export function parseId(value: string): number {
  const id = /^\d+$/.test(value) ? Number(value) : 0;
  if (id > 0 && Number.isSafeInteger(id)) return id;
  throw new InvalidArgumentError('Use a positive whole number.');
}

/** Parses a project path: `group/name` or deeper. */
export function parseProjectPath(value: string): string {
  const problem = projectPathProblem(value);
  if (problem !== null) throw new InvalidArgumentError(problem);
  return value;
}

/** Parses the path of a group: `group`, or `group/subgroup`. */
export function parseGroupPath(value: string): string {
  const problem = groupPathProblem(value);
  if (problem !== null) throw new InvalidArgumentError(problem);
  return value;
}

export function parseUsername(value: string): string {
  const problem = usernameProblem(value);
  if (problem !== null) throw new InvalidArgumentError(problem);
  return value;
}

export function parsePublicKey(value: string): string {
  if (PUBLIC_KEY_PATTERN.test(value)) return value;
  throw new InvalidArgumentError('Use 1 to 255 letters, digits and "_".');
}

/** Parses an id of a project as DSNs name it; a number loses its leading zeros. */
export function parseDsnId(value: string): string {
  const id = readDsnId(value);
  if (id !== null) return id;
  throw new InvalidArgumentError('Use 1 to 64 letters, digits, "_" and "-".');
}

export function parseRole(value: string): AccessLevel {
  const role = Object.entries(ACCESS_LEVELS).find(
    ([name, level]) => value.toLowerCase() === name || value === String(level),
  );
  if (role !== undefined) return role[1];
  throw new InvalidArgumentError(`Use one of ${Object.keys(ACCESS_LEVELS).join(', ')}.`);
}

/** Parses scopes of a token that is for a person; `--scope ci` is the other kind. */
export function parseScopes(value: string): TokenScope[] {
  const personal = TOKEN_SCOPES.filter((scope) => scope !== 'ci');
  const scopes = value.split(',').map((name) => personal.find((scope) => scope === name.trim()));
  const known = scopes.filter((scope) => scope !== undefined);
  if (known.length === scopes.length) return [...new Set(known)];
  throw new InvalidArgumentError(`Use ${personal.join(' or ')}, or both with a comma between them.`);
}

/** Time of an option, or none. An object, because commander takes a parsed `null` for a missing value. */
export interface EndTime {
  readonly at: number | null;
}

/** Parses the end of something: `never`, or as `parseExpiry`. */
export function parseEnd(value: string, now: number): EndTime {
  return { at: value === 'never' ? null : parseExpiry(value, now) };
}

/** Parses a time, also a past one: RFC 3339, or `2027-01-31` for the end of that day in UTC. Returns milliseconds. */
export function parseMoment(value: string): number {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(value);
  const at = Date.parse(isDay ? `${value}T00:00:00Z` : value);
  const isTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/.test(value);
  // Without the second check, 31 February would become a day in March.
  if (isDay && !Number.isNaN(at) && new Date(at).toISOString().startsWith(value)) return at + DAY_MS - 1;
  if (isTime && !Number.isNaN(at)) return at;
  throw new InvalidArgumentError('Use a date such as 2027-01-31 or a time such as 2027-01-31T18:00:00Z.');
}

/**
 * Parses an expiry: `2027-01-31` (the end of that day in UTC) or `90d` (days from now). Returns milliseconds since the
 * epoch.
 */
export function parseExpiry(value: string, now: number): number {
  const days = /^(\d{1,5})d?$/.exec(value)?.[1];
  if (days !== undefined) {
    if (Number(days) > 0) return now + Number(days) * DAY_MS;
  } else if (/^\d{4}-\d{2}-\d{2}$/.test(value)) {
    const at = Date.parse(`${value}T00:00:00Z`);
    // Without this check, 31 February would become a day in March.
    if (!Number.isNaN(at) && new Date(at).toISOString().startsWith(value)) {
      if (at + DAY_MS > now) return at + DAY_MS - 1;
      throw new InvalidArgumentError('That date is in the past.');
    }
  }
  throw new InvalidArgumentError('Use a date such as 2027-01-31 or a number of days such as 90d.');
}

/** Parses an e-mail address. */
export function parseEmail(text: string): string {
  const problem = emailProblem(text);
  if (problem !== null) throw new InvalidArgumentError(problem);
  return text;
}
