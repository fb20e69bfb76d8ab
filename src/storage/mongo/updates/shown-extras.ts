import { isDeepStrictEqual } from 'node:util';
import { TIME_RANGES } from '../../../domain/search/time-range.ts';
import { marksOf } from '../../state/marks.ts';
import { noSums, rankOf } from '../../errors/rank.ts';
import { statusName, type StatusCode } from '../../errors/error-status.ts';
import { marksOfMembers, storedMarks, type MarkMembers } from './marks.ts';
import type { ErrorDocument, ShownGroup } from '../documents/error-documents.ts';
import { MARK_MEMBERS, projection } from '../documents/error-members.ts';

/** Members of a displayed row that follow the marks and the ranks of its members. */
type ShownExtras = Pick<ShownGroup, keyof typeof MARK_MEMBERS | 'rg' | 'rk'>;

/** Names of these members. */
const EXTRA_MEMBERS = ['rg', 'rk', ...Object.keys(MARK_MEMBERS)] as (keyof ShownExtras)[];

/** Members of an error and of its displayed row that the extras are made of, for a projection. */
export const EXTRAS = {
  ...{ rg: 1, ...MARK_MEMBERS, ...projection(EXTRA_MEMBERS.map((name) => `g.${name}`)) },
  ...{ 'g.u': 1, 'g.first.at': 1, 'g.last.at': 1, 'g.last.level': 1 },
} as const;

type Shown = Pick<ShownGroup, 'u'> & {
  readonly first: Pick<ShownGroup['first'], 'at'>;
  readonly last: Pick<ShownGroup['last'], 'at' | 'level'>;
};

/**
 * Returns the marks and ranks of a merged error. Ranks come from those of the members; without any it has none.
 * `rows`: the root first.
 */
export function shownExtras(
  { u, first, last }: Shown,
  st: StatusCode,
  rows: readonly (MarkMembers & Pick<ErrorDocument, 'rg'>)[],
  now: number,
): ShownExtras {
  const marks = marksOfMembers(rows);
  const totals = rows.flatMap(({ rg }) => rg ?? []);
  if (totals.length === 0) return marks;
  const sum = TIME_RANGES.map((range) => [range, totals.reduce((all, each) => all + each[range], 0)] as const);
  const rg = Object.fromEntries(sum) as NonNullable<ShownExtras['rg']>;
  const shown = marksOf(storedMarks(marks), { status: statusName(st), firstSeen: first.at }, now);
  const ranked = { marks: shown, level: last.level, users: u, firstSeen: first.at, lastSeen: last.at };
  return { ...marks, rg, rk: rankOf(ranked, { ...noSums(), events: rg }, now).matters };
}

/** Returns the marks and ranks of a displayed row, without absent members. */
export function extrasOf(shown: ShownExtras): ShownExtras {
  const there = EXTRA_MEMBERS.flatMap((name) => (shown[name] === undefined ? [] : [[name, shown[name]] as const]));
  return Object.fromEntries(there);
}

/** Returns a row without its marks and ranks. */
export function withoutExtras<R extends ShownExtras>(row: R): Omit<R, keyof ShownExtras> {
  const own = Object.entries(row).filter(([name]) => !(EXTRA_MEMBERS as readonly string[]).includes(name));
  return Object.fromEntries(own) as unknown as Omit<R, keyof ShownExtras>;
}

/** Checks whether a displayed row has these marks and ranks. */
export function hasExtras(g: ShownExtras, extras: ShownExtras): boolean {
  return isDeepStrictEqual(extrasOf(g), { ...extras });
}
