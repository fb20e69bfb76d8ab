import type { Mark } from '../errors/error-marks.ts';
import type { Level } from '../events/event.ts';
import type { ErrorStatus } from '../errors/error-status.ts';

/**
 * How stored texts compare with a value. `prefix`: they begin with it. `name`: they equal it, or a version follows it:
 * a digit, with or without a space before it.
 */
export type TextMatch = 'prefix' | 'name';

/** Condition without a negation. `match` absent: texts are equal to the value. */
export type SingleCondition =
  | { readonly field: 'status'; readonly value: ErrorStatus }
  | { readonly field: 'level'; readonly value: Level }
  | { readonly field: 'mark'; readonly value: Mark }
  /** Id of a user; null: no assignee. */
  | { readonly field: 'assignee'; readonly value: number | null }
  /** The whole type, or the end of it after `.`, `::`, `\`, `/` or `*`; in any case. */
  | { readonly field: 'type'; readonly value: string; readonly match?: 'prefix' }
  /** Any event had the release or the environment; in any case. */
  | { readonly field: 'release' | 'environment'; readonly value: string; readonly match?: 'prefix' }
  /** Id, e-mail address, user name or IP address of an affected user. */
  | { readonly field: 'user'; readonly value: string }
  /** Path of a frame of an application, or its last parts: `stripe.py`, `payments/stripe.py`; in any case. */
  | { readonly field: 'file'; readonly value: string; readonly match?: 'prefix' }
  /** Function of a frame, or its last part: `charge`, `Store.charge`; in any case. */
  | { readonly field: 'function'; readonly value: string; readonly match?: 'prefix' }
  /** Any event had this host, or one in this domain; in any case, without the port. */
  | { readonly field: 'url.host'; readonly value: string; readonly match?: 'prefix' }
  /** Any event had this path, or without a slash at its start one that ends with these parts; in any case. */
  | { readonly field: 'url.path'; readonly value: string; readonly match?: 'prefix' }
  /** Any event had the tag with this value, in any case; null: with any value. */
  | { readonly field: 'tag'; readonly key: string; readonly value: string | null; readonly match?: TextMatch }
  /** Milliseconds since the epoch, both inclusive; null: no bound. */
  | { readonly field: 'first_seen' | 'last_seen'; readonly after: number | null; readonly before: number | null };

/** At least one of them holds: a list `key:[a,b]`. 2 to MAX_VALUES; all of them statuses, or none. */
export interface AnyOf {
  readonly field: 'any';
  readonly of: readonly SingleCondition[];
}

/** Condition of a search by `key:value`; all of a query must hold. `not`: the error must not have it. */
export type SearchCondition = { readonly not: boolean } & (SingleCondition | AnyOf);

/** Maximum of conditions in one search; more are refused. */
export const MAX_CONDITIONS = 10;

/** Maximum of values in a list, and of releases that one version means; more are refused. */
export const MAX_VALUES = 50;

/** Returns the conditions of which one must hold. */
export function choicesOf(condition: SearchCondition): readonly SingleCondition[] {
  if (condition.field === 'any') return condition.of;
  const { not: _not, ...single } = condition;
  return [single];
}

/** Returns the statuses that a condition asks for, without its negation; null: it asks for something else. */
export function statusesIn(condition: SearchCondition): readonly ErrorStatus[] | null {
  const statuses = choicesOf(condition).flatMap((each) => (each.field === 'status' ? [each.value] : []));
  return statuses.length === 0 ? null : statuses;
}

/** Returns a condition that holds when one of several does, each once. At least one. */
export function anyOf(not: boolean, of: readonly SingleCondition[]): SearchCondition {
  const once = [...new Map(of.map((each) => [JSON.stringify(each), each])).values()];
  const [only, another] = once;
  return only === undefined || another !== undefined ? { not, field: 'any', of: once } : { not, ...only };
}
