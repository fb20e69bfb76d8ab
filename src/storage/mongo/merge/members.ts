import type { GroupMember } from '../../merge/group.ts';
import type { ErrorDocument } from '../documents.ts';
import type { BatchCollection } from '../batch/batch-collections.ts';

/** Members of an error that merging reads. */
const PROJECTION = {
  p: 1,
  id: 1,
  st: 1,
  c: 1,
  u: 1,
  first: 1,
  last: 1,
  rcv: 1,
  res: 1,
  into: 1,
  env: 1,
  rel: 1,
  g: 1,
} as const;

/** Condition that holds for every number; with it queries use the partial index of merged errors. */
const MERGED = { $gte: 1 } as const;

export type MemberDocument = Pick<ErrorDocument, '_id' | keyof typeof PROJECTION>;

/** Returns errors of a project by their numbers, in no order; omits missing ones. */
export async function byNumber(errors: BatchCollection, p: number, ids: readonly number[]): Promise<MemberDocument[]> {
  return documents(errors, { p, id: { $in: ids } });
}

/** Returns errors that point to any of the roots, which may be among them. */
export async function pointingTo(
  errors: BatchCollection,
  p: number,
  roots: readonly number[],
): Promise<MemberDocument[]> {
  return documents(errors, { p, into: { $in: roots, ...MERGED } });
}

/** Members that show whether a merged error is up to date. Read each second, so no texts. */
const TOTALS = { p: 1, id: 1, st: 1, c: 1, u: 1, rcv: 1, res: 1, into: 1, 'g.m': 1, 'g.mu': 1, 'g.c': 1 } as const;

export type MemberTotals = Pick<MemberDocument, 'p' | 'id' | 'st' | 'c' | 'u' | 'rcv' | 'res' | 'into'> & {
  readonly g?: Pick<NonNullable<MemberDocument['g']>, 'm' | 'mu' | 'c'>;
};

/** Returns totals of all merged errors and their roots. */
export async function allPointing(errors: BatchCollection): Promise<MemberTotals[]> {
  return (await errors.find({ into: MERGED }, TOTALS, 'local')) as unknown as MemberTotals[];
}

async function documents(errors: BatchCollection, filter: Record<string, unknown>): Promise<MemberDocument[]> {
  return (await errors.find(filter, PROJECTION, 'local')) as unknown as MemberDocument[];
}

export function toMember({ id, c, u, rcv, first, last }: MemberDocument): GroupMember {
  const { q, ...shown } = last;
  return {
    id,
    count: c,
    userCount: u,
    baseUsers: null,
    newestReceived: rcv,
    first: { at: first.at, eventId: first.id.toString('hex'), release: first.release },
    last: { ...shown, eventId: last.id.toString('hex') },
    searchText: q,
  };
}
