import type { SearchCondition } from '../../../domain/search-condition.ts';
import type { ErrorSelection } from '../../../domain/tracked-error.ts';
import { HOUR_MS } from '../../fold.ts';
import { firstHourOf } from '../../../domain/time-range.ts';
import { STATUS_CODES, type StatusCode } from '../../error-status.ts';
import { markBounds } from '../../state/marks.ts';
import type { Doc } from '../batch/batch-collections.ts';
import type { MongoContext } from '../context.ts';
import { ofErrors, type Lookup } from './lookup.ts';
import { filesWith, functionsWith } from './terms.ts';
import { errorsOfUser } from './users.ts';
import { errorsWithTag } from './tags.ts';

/** Prefix of the members of a displayed row: those of a merged error are below `g`. */
export type Prefix = '' | 'g.';

/** Condition of a selection in the form of this store. At least one of `filter` and `lookup` is there. */
export interface Sought {
  /** True: the errors must not have it. */
  readonly not: boolean;
  /** Filter of displayed rows; null: only the look-up can tell. */
  readonly filter: ((prefix: Prefix) => Doc) | null;
  /**
   * Finds documents by an index. Complete: each error with the condition has a member that it finds. Null: there is no
   * index.
   */
  readonly lookup: Lookup | null;
}

const ALL_CODES = Object.values(STATUS_CODES);

/** Returns the codes of the statuses that a selection allows. */
export function statusCodes({ status, forReview, conditions = [] }: ErrorSelection): StatusCode[] {
  let codes = status === 'all' ? ALL_CODES : [STATUS_CODES[status]];
  if (forReview === true) codes = codes.filter((code) => code === STATUS_CODES.unresolved);
  for (const condition of conditions) {
    if (condition.field !== 'status') continue;
    codes = codes.filter((code) => (code === STATUS_CODES[condition.value]) !== condition.not);
  }
  return codes;
}

/** Returns what a selection asks for beside its status and free text. */
export async function soughtOf(
  context: MongoContext,
  p: number,
  selection: ErrorSelection,
  now: number,
): Promise<Sought[]> {
  const { environment, release, level, range, forReview, conditions = [] } = selection;
  const { firstSeenAfter, firstSeenBefore, lastSeenAfter, lastSeenBefore } = selection;
  const after = (value: number | undefined) => value ?? null;
  const all: SearchCondition[] = [
    ...(environment === null ? [] : [{ field: 'environment', value: environment, not: false } as const]),
    ...(release === null ? [] : [{ field: 'release', value: release, not: false } as const]),
    ...(level === null ? [] : [{ field: 'level', value: level, not: false } as const]),
    ...(forReview === true ? [{ field: 'mark', value: 'for_review', not: false } as const] : []),
    ...(range === undefined
      ? []
      : [{ field: 'last_seen', after: firstHourOf(range, now) * HOUR_MS, before: null, not: false } as const]),
    { field: 'first_seen', after: after(firstSeenAfter), before: after(firstSeenBefore), not: false },
    { field: 'last_seen', after: after(lastSeenAfter), before: after(lastSeenBefore), not: false },
    ...conditions,
  ];
  const made = await Promise.all(all.map((condition) => toSought(context, p, condition, now)));
  return made.filter((sought) => sought !== null);
}

/** Returns a condition in the form of this store; null: it asks for nothing, or for a status. */
async function toSought(
  context: MongoContext,
  p: number,
  condition: SearchCondition,
  now: number,
): Promise<Sought | null> {
  const { not } = condition;
  const byRow = (filter: (prefix: Prefix) => Doc, lookup: Lookup | null = null): Sought => ({ not, filter, lookup });
  const byLookup = (lookup: Lookup): Sought => ({ not, filter: null, lookup });
  switch (condition.field) {
    case 'status':
      return null;
    case 'level':
      return byRow((prefix) => ({ [`${prefix}last.level`]: condition.value }));
    case 'type':
      return byRow((prefix) => ({
        [`${prefix}last.type`]: { $regex: `(?:^|[./\\\\]|::)${literal(condition.value)}$`, $options: 'i' },
      }));
    case 'assignee': {
      const as = condition.value;
      return byRow(() => ({ as }), as === null ? null : ofErrors(context, p, { as }));
    }
    case 'mark':
      return markSought(context, p, condition, now);
    case 'first_seen':
    case 'last_seen': {
      const { after, before } = condition;
      if (after === null && before === null) return null;
      const member = condition.field === 'first_seen' ? 'first.at' : 'last.at';
      const bounds = { ...(after === null ? {} : { $gte: after }), ...(before === null ? {} : { $lte: before }) };
      const own = { st: { $in: ALL_CODES }, [member]: bounds };
      return byRow((prefix) => ({ [`${prefix}${member}`]: bounds }), ofErrors(context, p, own));
    }
    case 'environment':
    case 'release': {
      const { field, value } = condition;
      const member = field === 'environment' ? 'env' : 'rel';
      return byRow((prefix) => ({ [`${prefix}${member}`]: value }), errorsWithTag(context, p, field, value));
    }
    case 'tag':
      return byLookup(errorsWithTag(context, p, condition.key, condition.value));
    case 'user':
      return byLookup(await errorsOfUser(context, p, condition.value));
    case 'file':
      return byLookup(filesWith(context, p, condition.value));
    case 'function':
      return byLookup(functionsWith(context, p, condition.value));
  }
}

function markSought(
  context: MongoContext,
  p: number,
  { value, not }: Extract<SearchCondition, { field: 'mark' }>,
  now: number,
): Sought {
  const { newAfter, escalatedAfter, reviewAfter } = markBounds(now);
  const of = (member: string, bounds: Doc, more: Doc = {}): Sought => ({
    not,
    filter: (prefix) => ({ ...more, [`${prefix}${member}`]: bounds }),
    lookup: ofErrors(context, p, { ...more, [member]: bounds }),
  });
  const open = { st: STATUS_CODES.unresolved };
  switch (value) {
    case 'new': {
      const { filter } = of('first.at', { $gt: newAfter });
      return { not, filter, lookup: ofErrors(context, p, { st: { $in: ALL_CODES }, 'first.at': { $gt: newAfter } }) };
    }
    case 'regressed':
      return of('reg.at', { $gt: 0 }, open);
    case 'escalating':
      return of('esc.at', { $gt: escalatedAfter }, open);
    case 'unhandled':
      return { not, filter: (prefix) => ({ [`${prefix}uh`]: true }), lookup: null };
    case 'for_review':
      return of('ask', { $gt: reviewAfter }, open);
  }
}

/** Returns a pattern that matches the text itself: no character of a search has a special meaning. */
export function literal(text: string): string {
  return text.replace(/[\0!-/:-@[-^`{-~]/g, (sign) => (sign === '\0' ? '\\x00' : `\\${sign}`));
}
