import { AppError } from '../../domain/app-error.ts';
import type { CompiledSchema } from '../../schemas/compile.ts';
import { isRecord } from '../../lib/own-property.ts';
import { oneLine } from './answer.ts';
import { trackerError } from './tracker-errors.ts';

/** Alternative spellings of members, by their camel-case form. */
const SPELLINGS: Readonly<Record<string, string>> = {
  eventId: 'eventID',
  groupId: 'groupID',
  projectId: 'projectID',
  nextEventId: 'nextEventID',
  previousEventId: 'previousEventID',
};

/** Converts `first_seen` to `firstSeen`; an existing camel-case member wins. */
export function camelMembers(value: unknown): unknown {
  if (!isRecord(value) || !Object.keys(value).some((name) => name.includes('_'))) return value;
  const result: Record<string, unknown> = { ...value };
  for (const [name, member] of Object.entries(value)) {
    if (!name.includes('_') || name.startsWith('_')) continue;
    const camel = name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
    const known = SPELLINGS[camel] ?? camel;
    if (!Object.hasOwn(result, known)) result[known] = member;
  }
  return result;
}

/** Error for JSON of another type, such as a list or a number. */
function notA(what: string): Error {
  return trackerError(
    'tracker_invalid_answer',
    `the third-party tracker sent something other than ${what}: check the address of the tracker`,
    `Third-party API response is not ${what}`,
    { reason: 'shape' },
  );
}

function firstProblem(check: CompiledSchema<unknown>, what: string): Error {
  const problem = check.errors?.[0];
  const missing: unknown = problem?.params.missingProperty;
  if (typeof missing === 'string') {
    return trackerError(
      'tracker_invalid_answer',
      `the third-party tracker sent ${what} without "${missing}": check that the tracker is one that errgate supports`,
      `Third-party API response is missing keys. key not found: "${missing}"`,
      { reason: 'shape' },
    );
  }
  const field = problem?.instancePath.split('/')[1] ?? '';
  if (field === '') return notA(what);
  return trackerError(
    'tracker_invalid_answer',
    `the third-party tracker sent ${what} with an invalid "${field}": check that the tracker is one that errgate supports`,
    `Third-party API response contains invalid value for field "${field}"`,
    { reason: 'shape' },
  );
}

/** Validates a value; throws `tracker_invalid_answer` with the invalid member. `what` is its name with article. */
export function shaped<T>(check: CompiledSchema<T>, value: unknown, what: string): T {
  const camel = camelMembers(value);
  if (check(camel)) return camel;
  throw firstProblem(check, what);
}

/** Unusable row of a list. */
export interface UnusableRow {
  /** Slug, name or id in the tracker; null for none. */
  readonly name: string | null;
  readonly problem: Error;
}

export interface UsableRows<T> {
  readonly rows: T[];
  /** Unusable rows in the order of the tracker. */
  readonly unusable: readonly UnusableRow[];
}

/** Maximum characters of a displayed name. */
const MAX_NAME_CHARACTERS = 60;

function nameOf(row: unknown): string | null {
  if (!isRecord(row)) return null;
  const name = [row.slug, row.name, row.id].find((one) => typeof one === 'string' || typeof one === 'number');
  const text = name === undefined ? '' : oneLine(String(name), MAX_NAME_CHARACTERS);
  return text === '' ? null : text;
}

function notAList(what: string): Error {
  return trackerError(
    'tracker_invalid_answer',
    `the third-party tracker sent no list where a list of items like ${what} was expected: check the address of the tracker`,
    'Third-party API response is not a list',
    { reason: 'shape' },
  );
}

/** Returns the rows of a list of `what`; null counts as an empty one. Throws `tracker_invalid_answer` for other values. */
export function rowsIn(value: unknown, what: string): readonly unknown[] {
  if (value !== null && !Array.isArray(value)) throw notAList(what);
  return value ?? [];
}

/**
 * Splits the rows of a list into usable ones and those for which `read` throws `tracker_invalid_answer`. Null counts as
 * an empty list. Throws for other values, and the first problem when no row is an object.
 */
export function usableRows<T>(values: readonly unknown[], what: string, read: (row: unknown) => T): UsableRows<T> {
  const rows: T[] = [];
  const unusable: UnusableRow[] = [];
  for (const value of values) {
    for (const row of rowsIn(value, what)) {
      try {
        rows.push(read(row));
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'tracker_invalid_answer') throw error;
        unusable.push({ name: nameOf(row), problem: error });
      }
    }
  }
  const [first] = unusable;
  if (first !== undefined && !values.some((value) => Array.isArray(value) && value.some(isRecord))) throw first.problem;
  return { rows, unusable };
}

/** Validates a list of `what` and omits unusable rows. */
export function shapedList<T>(check: CompiledSchema<T>, value: unknown, what: string): UsableRows<T> {
  return usableRows([value], what, (row) => shaped(check, row, what));
}

/** Format of ids in trackers; longer ones are unknown. */
const ID = /^[\w-]{1,64}$/;

/** Converts an id to text. Throws `tracker_invalid_answer` for an invalid id. */
export function idText(value: string | number, field: string): string {
  const text = String(value);
  if (ID.test(text)) return text;
  const shown = oneLine(text, 40);
  throw trackerError(
    'tracker_invalid_answer',
    `the third-party tracker sent the ${field} "${shown}", which is not of 1 to 64 letters, digits, "-" and "_"`,
    `Third-party API response contains invalid value for field "${field}": ${shown}`,
    { reason: 'shape' },
  );
}
