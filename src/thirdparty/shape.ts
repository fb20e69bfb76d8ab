import { AppError } from '../domain/app-error.ts';
import type { CompiledSchema } from '../schemas/compile.ts';
import { isRecord } from '../lib/own-property.ts';
import { oneLine } from './answer.ts';
import { trackerError } from './tracker-errors.ts';

/** Members that trackers spell in more ways than one, by the camel-case spelling that a plain conversion gives. */
const SPELLINGS: Readonly<Record<string, string>> = {
  eventId: 'eventID',
  groupId: 'groupID',
  projectId: 'projectID',
  nextEventId: 'nextEventID',
  previousEventId: 'previousEventID',
};

/** `first_seen` becomes `firstSeen`; a member that is there in both spellings keeps the camel-case value. */
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

/** About JSON of another kind altogether: a list, a number, nothing. */
function notA(what: string): Error {
  return trackerError(
    'tracker_invalid_answer',
    `the third-party tracker sent something else than ${what}: check that the address is that of a tracker`,
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
      `the third-party tracker sent ${what} without "${missing}": is it one that errgate can talk to?`,
      `Third-party API response is missing keys. key not found: "${missing}"`,
      { reason: 'shape' },
    );
  }
  const field = problem?.instancePath.split('/')[1] ?? '';
  if (field === '') return notA(what);
  return trackerError(
    'tracker_invalid_answer',
    `the third-party tracker sent ${what} with an invalid "${field}": is it one that errgate can talk to?`,
    `Third-party API response contains invalid value for field "${field}"`,
    { reason: 'shape' },
  );
}

/** The value as what it has to be, which `what` says with its article; throws `tracker_invalid_answer`, naming the member that is wrong. */
export function shaped<T>(check: CompiledSchema<T>, value: unknown, what: string): T {
  const camel = camelMembers(value);
  if (check(camel)) return camel;
  throw firstProblem(check, what);
}

/** A row that cannot be used. */
export interface UnusableRow {
  /** What the tracker calls it: its slug, name or id; null where it names none of them. */
  readonly name: string | null;
  readonly problem: Error;
}

export interface UsableRows<T> {
  readonly rows: T[];
  /** In the order in which the tracker sent them. */
  readonly unusable: readonly UnusableRow[];
}

/** Characters of a name that is shown. */
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
    `the third-party tracker sent something else than a list, looking for ${what}: check that the address is that of a tracker`,
    'Third-party API response is not a list',
    { reason: 'shape' },
  );
}

/**
 * Sorts the rows of lists into those that `read` takes and those for which it throws `tracker_invalid_answer`. Null
 * is an empty list to some trackers. Throws for what is no list, and the first problem where no row can be used.
 */
export function usableRows<T>(values: readonly unknown[], what: string, read: (row: unknown) => T): UsableRows<T> {
  const rows: T[] = [];
  const unusable: UnusableRow[] = [];
  for (const value of values) {
    if (value !== null && !Array.isArray(value)) throw notAList(what);
    for (const row of (value ?? []) as unknown[]) {
      try {
        rows.push(read(row));
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'tracker_invalid_answer') throw error;
        unusable.push({ name: nameOf(row), problem: error });
      }
    }
  }
  const [first] = unusable;
  if (rows.length === 0 && first !== undefined) throw first.problem;
  return { rows, unusable };
}

/** A list of such values, `what` being one of them, without the rows that cannot be used. */
export function shapedList<T>(check: CompiledSchema<T>, value: unknown, what: string): UsableRows<T> {
  return usableRows([value], what, (row) => shaped(check, row, what));
}

/** What ids of trackers consist of: text whose parts mean nothing here. Longer ones are unknown. */
const ID = /^[\w-]{1,64}$/;

/** An id as text. Throws `tracker_invalid_answer` for what no tracker calls its things by. */
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
