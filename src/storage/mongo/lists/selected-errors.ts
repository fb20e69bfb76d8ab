import type { ErrorSelection } from '../../../domain/tracked-error.ts';
import type { StatusCode } from '../../error-status.ts';
import { searchWords } from '../../search-text.ts';
import { hex } from '../batch/marked-rows.ts';
import type { Doc } from '../batch/batch-collections.ts';
import type { MongoContext } from '../context.ts';
import type { Binary, ErrorDocument } from '../documents.ts';
import { membersOf } from '../views/error-groups.ts';
import { namedErrors } from '../views/named-errors.ts';
import type { Lookup, Pointer } from './lookup.ts';
import { soughtOf, statusCodes, type Prefix, type Sought } from './sought.ts';
import { literal } from './text-filter.ts';

/**
 * Errors that one look-up reads. A condition with no more is looked up and sorted in memory; of one with more, a list
 * in its own order soon meets enough.
 */
const MAX_LOOKED_UP = 500;
/** Maximum characters of a search word: the server limits patterns. No stored text has a longer word. */
const MAX_WORD_LENGTH = 16_000;

/** Row that a check can look at. */
type Checked = Pick<ErrorDocument, '_id' | 'id' | 'g'>;

/** Selection in the form of this store. */
export interface SelectedErrors {
  readonly codes: readonly StatusCode[];
  /** Filter of single errors, or of displayed rows of merged ones; without the project and the status. */
  readonly filterOf: (prefix: Prefix) => Doc;
  /** Numbers of the only errors that can match, at most MAX_LOOKED_UP; null: any. */
  readonly only: readonly number[] | null;
  /** Returns the rows that fulfil what no filter can tell, in their order; null: the filter tells everything. */
  readonly check: (<T extends Checked>(rows: readonly T[]) => Promise<T[]>) | null;
}

/** Prepares a selection; null: nothing can match. */
export async function selectedErrors(
  context: MongoContext,
  p: number,
  selection: ErrorSelection,
  now: number,
): Promise<SelectedErrors | null> {
  const codes = statusCodes(selection);
  const words = searchWords(selection.search);
  if (codes.length === 0 || words.some((word) => word.length > MAX_WORD_LENGTH)) return null;
  const [sought, named] = await Promise.all([
    soughtOf(context, p, selection, now),
    namedErrors(context, p, selection.search),
  ]);
  const looked = await Promise.all(sought.map(lookUp));
  const few: Set<number>[] = [];
  const without = new Set<number>();
  const checks: { readonly not: boolean; readonly among: NonNullable<Lookup['among']> }[] = [];
  for (const { not, filter, lookup, found } of looked) {
    if (found !== null && not) found.forEach((id) => without.add(id));
    else if (found !== null) few.push(found);
    else if (filter === null && lookup?.among) checks.push({ not, among: lookup.among });
  }
  const [first, ...more] = few;
  const only = first === undefined ? null : [...first].filter((id) => more.every((found) => found.has(id)));
  if (only?.length === 0) return null;
  const excluded = without.size === 0 ? [] : [{ id: { $nin: [...without] } }];
  const filterOf = (prefix: Prefix): Doc => {
    const rows = sought.flatMap(({ not, filter }) => {
      const each = filter?.(prefix);
      return each === undefined ? [] : [not ? { $nor: [each] } : each];
    });
    const all = [...rows, ...excluded, ...wordFilters(words, named, prefix)];
    return all.length === 0 ? {} : { $and: all };
  };
  const check = checks.length === 0 ? null : checkWith(context, p, checks);
  return { codes, filterOf, only, check };
}

/**
 * Looks up a condition where its index finds few errors. Not needed for one that must not hold, if a filter can tell.
 * `found`: numbers of displayed errors; null: there are more, or no index.
 */
async function lookUp(sought: Sought): Promise<Sought & { readonly found: Set<number> | null }> {
  const { not, filter, lookup } = sought;
  if (lookup === null || (not && filter !== null)) return { ...sought, found: null };
  const rows = await lookup.find(MAX_LOOKED_UP + 1);
  return { ...sought, found: rows.length > MAX_LOOKED_UP ? null : new Set(rows.map(shownAs)) };
}

const shownAs = ({ id, into }: Pointer): number => into ?? id;

/** `named`: errors that the whole search names, which need not have its words. */
function wordFilters(words: readonly string[], named: readonly number[], prefix: Prefix): Doc[] {
  if (words.length === 0) return [];
  const found = words.map((word) => ({ [`${prefix}last.q`]: { $regex: literal(word) } }));
  return named.length === 0 ? found : [{ $or: [{ $and: found }, { id: { $in: [...named] } }] }];
}

function checkWith(
  context: MongoContext,
  p: number,
  checks: readonly { readonly not: boolean; readonly among: NonNullable<Lookup['among']> }[],
): NonNullable<SelectedErrors['check']> {
  return async (rows) => {
    const roots = rows.filter(({ g }) => g !== undefined).map(({ id }) => id);
    const members = roots.length === 0 ? [] : await membersOf(context, p, roots);
    const keysOf = new Map<number, Binary[]>(rows.map(({ id, _id }) => [id, [_id]]));
    for (const { _id, into } of members) keysOf.get(into ?? 0)?.push(_id);
    const keys = [...keysOf.values()].flat();
    if (keys.length === 0) return [...rows];
    const found = await Promise.all(checks.map(({ among }) => among(keys)));
    return rows.filter(({ id }) =>
      checks.every(({ not }, at) => (keysOf.get(id) ?? []).some((key) => found[at]?.has(hex(key))) !== not),
    );
  };
}
