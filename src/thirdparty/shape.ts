import type { CompiledSchema } from '../schemas/compile.ts';
import { isRecord } from '../lib/own-property.ts';
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

/** A list of such values, `what` being one of them; null is an empty list to some trackers. */
export function shapedList<T>(check: CompiledSchema<T>, value: unknown, what: string): T[] {
  if (value === null) return [];
  if (Array.isArray(value)) return value.map((item: unknown) => shaped(check, item, what));
  throw trackerError(
    'tracker_invalid_answer',
    `the third-party tracker sent something else than a list, looking for ${what}: check that the address is that of a tracker`,
    'Third-party API response is not a list',
    { reason: 'shape' },
  );
}

/** An id as text: a decimal number, or 32 hex digits where trackers number so. Throws `tracker_invalid_answer`. */
export function idText(value: string | number, field: string): string {
  const text = String(value);
  if (/^(0|[1-9]\d{0,39})$/.test(text) || /^[0-9a-f]{32}$/i.test(text)) return text;
  throw trackerError(
    'tracker_invalid_answer',
    `the third-party tracker sent the ${field} "${text.slice(0, 40)}", which is neither a number nor 32 hex digits`,
    `Third-party API response contains invalid value for field "${field}": ${text.slice(0, 40)} is not numeric`,
    { reason: 'shape' },
  );
}
