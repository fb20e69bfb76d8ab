import type { Mark } from './error-marks.ts';
import type { Level } from './event.ts';
import type { ErrorStatus } from './error-status.ts';

/** Condition of a search by `key:value`; all of a query must hold. `not`: the error must not have it. */
export type SearchCondition = { readonly not: boolean } & (
  | { readonly field: 'status'; readonly value: ErrorStatus }
  | { readonly field: 'level'; readonly value: Level }
  | { readonly field: 'mark'; readonly value: Mark }
  /** Id of a user; null: no assignee. */
  | { readonly field: 'assignee'; readonly value: number | null }
  /** The whole type, or the end of it after `.`, `::`, `\` or `/`; in any case. */
  | { readonly field: 'type'; readonly value: string }
  /** Any event had the release or the environment. */
  | { readonly field: 'release' | 'environment'; readonly value: string }
  /** Id, e-mail address, user name or IP address of an affected user. */
  | { readonly field: 'user'; readonly value: string }
  /** Path of a frame of an application, or its last parts: `stripe.py`, `payments/stripe.py`; in any case. */
  | { readonly field: 'file'; readonly value: string }
  /** Function of a frame, or its last part: `charge`, `Store.charge`; in any case. */
  | { readonly field: 'function'; readonly value: string }
  /** Any event had the tag with this value; null: with any value. */
  | { readonly field: 'tag'; readonly key: string; readonly value: string | null }
  /** Milliseconds since the epoch, both inclusive; null: no bound. */
  | { readonly field: 'first_seen' | 'last_seen'; readonly after: number | null; readonly before: number | null }
);

/** Maximum of conditions in one search; more are refused. */
export const MAX_CONDITIONS = 10;
