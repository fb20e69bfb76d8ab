import {
  choicesOf,
  statusesIn,
  type SearchCondition,
  type SingleCondition,
} from '../../../domain/search/search-condition.ts';
import type { ErrorSelection } from '../../../domain/search/error-query.ts';
import { startOf, type TimeRange } from '../../../domain/search/time-range.ts';
import { STATUS_CODES, type StatusCode } from '../../errors/error-status.ts';
import { markBounds } from '../../state/marks.ts';
import type { Doc } from '../engine/batch-collections.ts';
import type { MongoContext } from '../engine/context.ts';
import { ERROR_KEYS, orderKey, INDEXED_LEVELS, type IndexKey } from '../documents/error-indexes.ts';
import { eitherOf, ofErrors, type Lookup } from './lookup.ts';
import { exactTag, soughtTags, type SoughtTag } from '../../search/sought-tags.ts';
import { typeParts } from '../../search/type-text.ts';
import { errorsWithTerm } from './terms.ts';
import { literal, oneOfTexts, oneOfTextsInAnyCase } from './text-filter.ts';
import { errorsOfUser } from './users.ts';
import { errorsWithAddress, errorsWithTag } from './tags.ts';

/** Prefix of the members of a displayed row: those of a merged error are below `g`. */
export type Prefix = '' | 'g.';

/** What a condition asks for in the form of this store. At least one of `filter` and `lookup` is there. */
interface Having {
  /** Filter of displayed rows; null: only the look-up can tell. */
  readonly filter: ((prefix: Prefix) => Doc) | null;
  /**
   * Finds documents by an index. Complete: each error with the condition has a member that it finds. Null: there is no
   * index.
   */
  readonly lookup: Lookup | null;
}

/** Condition of a selection in the form of this store. */
export interface Sought extends Having {
  /** True: the errors must not have it. */
  readonly not: boolean;
}

const ALL_CODES = Object.values(STATUS_CODES);

/** Returns the codes of the statuses that a selection allows. */
export function statusCodes({ status, forReview, conditions = [] }: ErrorSelection): StatusCode[] {
  let codes = status === 'all' ? ALL_CODES : [STATUS_CODES[status]];
  if (forReview === true) codes = codes.filter((code) => code === STATUS_CODES.unresolved);
  for (const condition of conditions) {
    const asked = statusesIn(condition)?.map((each) => STATUS_CODES[each]);
    if (asked !== undefined) codes = codes.filter((code) => asked.includes(code) !== condition.not);
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
    ...(level === null ? [] : [{ field: 'level', value: level, not: false } as const]),
    ...(forReview === true ? [{ field: 'mark', value: 'for_review', not: false } as const] : []),
    { field: 'first_seen', after: after(firstSeenAfter), before: after(firstSeenBefore), not: false },
    { field: 'last_seen', after: after(lastSeenAfter), before: after(lastSeenBefore), not: false },
    ...conditions,
  ];
  const made = await Promise.all(all.map((condition) => toSought(context, p, condition, now)));
  const exact = Object.entries({ environment, release }).flatMap(([key, value]) =>
    value === null ? [] : [{ not: false, ...tagHaving(context, p, exactTag(key, value)) }],
  );
  return [...exact, ...made.filter((sought) => sought !== null), ...(range === undefined ? [] : [inRange(range, now)])];
}

/** Needs no look-up: in most orders of lists the errors of a range come first. */
function inRange(range: TimeRange, now: number): Sought {
  const since = { $gte: startOf(range, now) };
  return { not: false, filter: (prefix) => ({ [`${prefix}last.at`]: since }), lookup: null };
}

/** Returns a condition in the form of this store; null: it asks for nothing, or for a status. */
async function toSought(
  context: MongoContext,
  p: number,
  condition: SearchCondition,
  now: number,
): Promise<Sought | null> {
  const { tags, others } = soughtTags(choicesOf(condition));
  const found = [
    ...tags.map((tag) => tagHaving(context, p, tag)),
    ...(await Promise.all(others.map((single) => toHaving(context, p, single, now)))),
  ].filter((having) => having !== null);
  const [only, another] = found;
  if (only === undefined) return null;
  return { not: condition.not, ...(another === undefined ? only : oneOf(found)) };
}

/** Joins what a list asks for: all of it has a filter, or all a look-up that tells which errors have it. */
function oneOf(all: readonly Having[]): Having {
  const filters = all.flatMap(({ filter }) => filter ?? []);
  const lookups = all.flatMap(({ lookup }) => lookup ?? []);
  return {
    filter: filters.length < all.length ? null : (prefix) => ({ $or: filters.map((filter) => filter(prefix)) }),
    lookup: lookups.length < all.length ? null : eitherOf(lookups),
  };
}

function tagHaving(context: MongoContext, p: number, tag: SoughtTag): Having {
  const lookup = errorsWithTag(context, p, tag);
  const { key, isExact, any, values, starts } = tag;
  const member = key === 'environment' ? 'env' : key === 'release' ? 'rel' : null;
  if (member === null || any) return { filter: null, lookup };
  const having = isExact ? oneOfTexts : oneOfTextsInAnyCase;
  return { filter: (prefix) => having(`${prefix}${member}`, values, starts), lookup };
}

type Single = Exclude<SingleCondition, { readonly field: 'tag' | 'release' | 'environment' }>;

async function toHaving(context: MongoContext, p: number, condition: Single, now: number): Promise<Having | null> {
  const byRow = (filter: (prefix: Prefix) => Doc, lookup: Lookup | null = null): Having => ({ filter, lookup });
  switch (condition.field) {
    case 'status':
      return null;
    case 'level': {
      const level = condition.value;
      const own = { st: { $in: ALL_CODES }, 'last.level': level };
      return byRow(
        (prefix) => ({ [`${prefix}last.level`]: level }),
        INDEXED_LEVELS.includes(level) ? ofErrors(context, p, own, ERROR_KEYS.byLevel) : null,
      );
    }
    case 'type':
      // A merged error has the types of all members.
      return byRow((prefix) => ({
        [prefix === '' ? 'last.type' : 'g.ty']: { $regex: typePattern(condition), $options: 'i' },
      }));
    case 'assignee': {
      const as = condition.value;
      return byRow(() => ({ as }), as === null ? null : ofErrors(context, p, { as }, ERROR_KEYS.byAssignee));
    }
    case 'mark':
      return markHaving(context, p, condition, now);
    case 'first_seen':
    case 'last_seen': {
      const { after, before } = condition;
      if (after === null && before === null) return null;
      const member = condition.field === 'first_seen' ? 'first.at' : 'last.at';
      const bounds = { ...(after === null ? {} : { $gte: after }), ...(before === null ? {} : { $lte: before }) };
      const own = { st: { $in: ALL_CODES }, [member]: bounds };
      return byRow((prefix) => ({ [`${prefix}${member}`]: bounds }), ofErrors(context, p, own, orderKey(member)));
    }
    case 'user':
      return { filter: null, lookup: await errorsOfUser(context, p, condition.value) };
    case 'url.host':
    case 'url.path':
      return { filter: null, lookup: errorsWithAddress(context, p, condition) };
    case 'file':
    case 'function':
      return { filter: null, lookup: errorsWithTerm(context, p, condition) };
  }
}

const TYPE_START = '(?:^|[./\\\\*]|::)';

/** Returns the pattern of a type, or of one that ends with it behind a separator; or that begins with it there. */
function typePattern({ value, match }: Extract<SingleCondition, { readonly field: 'type' }>): string {
  if (match === undefined) return `${TYPE_START}${literal(value)}$`;
  return TYPE_START + typeParts(value).map(literal).join('(?:[./\\\\*]|::)');
}

function markHaving(
  context: MongoContext,
  p: number,
  { value }: Extract<SingleCondition, { field: 'mark' }>,
  now: number,
): Having {
  const { newAfter, escalatedAfter, reviewAfter } = markBounds(now);
  const of = (member: string, bounds: Doc, index: IndexKey, more: Doc = {}): Having => ({
    filter: (prefix) => ({ ...more, [`${prefix}${member}`]: bounds }),
    lookup: ofErrors(context, p, { [member]: bounds, ...more }, index),
  });
  const open = { st: STATUS_CODES.unresolved };
  switch (value) {
    case 'new': {
      const index = orderKey('first.at');
      const { filter } = of('first.at', { $gt: newAfter }, index);
      const own = { st: { $in: ALL_CODES }, 'first.at': { $gt: newAfter } };
      return { filter, lookup: ofErrors(context, p, own, index) };
    }
    case 'regressed':
      return of('reg.at', { $gt: reviewAfter }, ERROR_KEYS.regressed, open);
    case 'escalating':
      return of('esc.at', { $gt: escalatedAfter }, ERROR_KEYS.escalated, open);
    case 'unhandled':
      return { filter: (prefix) => ({ [`${prefix}uh`]: true }), lookup: null };
    case 'for_review':
      return of('ask', { $gt: reviewAfter }, ERROR_KEYS.forReview, open);
  }
}
