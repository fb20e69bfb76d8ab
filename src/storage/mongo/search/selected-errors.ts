import type { ErrorSelection } from '../../../domain/search/error-query.ts';
import type { StatusCode } from '../../errors/error-status.ts';
import { searchWords } from '../../search/search-text.ts';
import { hex } from '../batch/marked-rows.ts';
import type { Doc } from '../engine/batch-collections.ts';
import type { MongoContext } from '../engine/context.ts';
import type { Binary } from '../documents/document-keys.ts';
import type { ErrorDocument } from '../documents/error-documents.ts';
import { membersOf } from '../errors/error-groups.ts';
import { namedErrors } from '../errors/named-errors.ts';
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
export type Checked = Pick<ErrorDocument, '_id' | 'id' | 'g'>;

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

/** Condition with what its index found. */
interface LookedUpCondition extends Sought {
  /** Numbers of the displayed errors that have it; null: there are more than MAX_LOOKED_UP, or no index. */
  readonly found: ReadonlySet<number> | null;
  /** Numbers of displayed errors that may lack it, among them all that do; null: unknown. */
  readonly lacking: ReadonlySet<number> | null;
}

/** What a selection asks for beside its status, looked up. Serves selections that differ in their status only. */
export interface LookedUp {
  readonly conditions: readonly LookedUpCondition[];
  readonly words: readonly string[];
  /** Errors that the whole search names, which need not have its words. */
  readonly named: readonly number[];
}

/** Prepares a selection; null: nothing can match. */
export async function selectedErrors(
  context: MongoContext,
  p: number,
  selection: ErrorSelection,
  now: number,
): Promise<SelectedErrors | null> {
  const codes = statusCodes(selection);
  if (codes.length === 0) return null;
  const looked = await lookUpAll(context, p, selection, now);
  return looked === null ? null : selectionOf(context, p, codes, looked);
}

/** Looks up what a selection asks for beside its status; null: nothing can match. */
export async function lookUpAll(
  context: MongoContext,
  p: number,
  selection: ErrorSelection,
  now: number,
): Promise<LookedUp | null> {
  const words = searchWords(selection.search);
  if (words.some((word) => word.length > MAX_WORD_LENGTH)) return null;
  const [conditions, named] = await Promise.all([
    soughtOf(context, p, selection, now).then((sought) => Promise.all(sought.map(lookUp))),
    namedErrors(context, p, selection.search),
  ]);
  return { conditions, words, named };
}

/** Returns the selection of statuses and of what was looked up; null: nothing can match. */
export function selectionOf(
  context: MongoContext,
  p: number,
  codes: readonly StatusCode[],
  { conditions, words, named }: LookedUp,
): SelectedErrors | null {
  const few: ReadonlySet<number>[] = [];
  const without = new Set<number>();
  const checks: { readonly not: boolean; readonly among: NonNullable<Lookup['among']> }[] = [];
  for (const { not, filter, lookup, found, lacking } of conditions) {
    if (lacking !== null) few.push(lacking);
    if (found !== null && not) found.forEach((id) => without.add(id));
    else if (found !== null) few.push(found);
    else if (filter === null) {
      // Else the condition would be passed over.
      if (!lookup?.among) throw new Error('a condition needs a filter, or a look-up that tells which errors have it');
      checks.push({ not, among: lookup.among });
    }
  }
  const [first, ...more] = few;
  const only = first === undefined ? null : [...first].filter((id) => more.every((found) => found.has(id)));
  if (only?.length === 0) return null;
  const excluded = without.size === 0 ? [] : [{ id: { $nin: [...without] } }];
  const filterOf = (prefix: Prefix): Doc => {
    const rows = conditions.flatMap(({ not, filter }) => {
      const each = filter?.(prefix);
      return each === undefined ? [] : [not ? { $nor: [each] } : each];
    });
    const all = [...rows, ...excluded, ...wordFilters(words, named, prefix)];
    return all.length === 0 ? {} : { $and: all };
  };
  const check = checks.length === 0 ? null : checkWith(context, p, checks);
  return { codes, filterOf, only, check };
}

/** Looks up a condition. Not needed for one that must not hold, if a filter can tell. */
async function lookUp(sought: Sought): Promise<LookedUpCondition> {
  const { not, filter, lookup } = sought;
  if (lookup === null || (not && filter !== null)) return { ...sought, found: null, lacking: null };
  const rows = await lookup.find(MAX_LOOKED_UP);
  const others = rows === null && not ? await lookup.without?.(MAX_LOOKED_UP) : null;
  return { ...sought, found: numbersOf(rows), lacking: numbersOf(others ?? null) };
}

function numbersOf(rows: readonly Pointer[] | null): ReadonlySet<number> | null {
  return rows === null ? null : new Set(rows.map(shownAs));
}

const shownAs = ({ id, into }: Pointer): number => into ?? id;

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
