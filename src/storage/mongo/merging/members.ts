import type { GroupMember } from '../../merge/group.ts';
import type { MarkMembers } from '../updates/marks.ts';
import type { ErrorDocument } from '../documents/error-documents.ts';
import { MARK_MEMBERS, textsIn } from '../documents/error-members.ts';
import { memberProgressOf } from '../updates/status-members.ts';
import type { BatchCollection } from '../engine/batch-collections.ts';
import { EXTRAS } from '../updates/shown-extras.ts';

/** Members about the status and the assignee. */
const STATUS = { act: 1, pas: 1, det: 1, rdet: 1, rc: 1, rn: 1, mc: 1, mn: 1, as: 1 } as const;

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
  ...STATUS,
  into: 1,
  v: 1,
  imp: 1,
  env: 1,
  rel: 1,
  g: 1,
  un: 1,
  rg: 1,
  ...MARK_MEMBERS,
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
const TOTALS = {
  ...{ p: 1, id: 1, v: 1, st: 1, c: 1, u: 1, rcv: 1, res: 1, into: 1, imp: 1, ...STATUS },
  ...{ 'g.m': 1, 'g.mu': 1, 'g.c': 1, 'g.ty': 1 },
  ...EXTRAS,
} as const;

export type MemberTotals = Pick<
  MemberDocument,
  '_id' | 'p' | 'id' | 'v' | 'st' | 'c' | 'u' | 'rcv' | 'res' | 'into' | 'imp' | 'rg' | keyof typeof STATUS
> &
  MarkMembers & {
    /** Times of its first and last event, and the level, too. */
    readonly g?: Omit<NonNullable<MemberDocument['g']>, 'env' | 'rel'>;
  };

/** Returns totals of all merged errors and their roots. */
export async function allPointing(errors: BatchCollection): Promise<MemberTotals[]> {
  return (await errors.find({ into: MERGED }, TOTALS, 'local')) as unknown as MemberTotals[];
}

async function documents(errors: BatchCollection, filter: Record<string, unknown>): Promise<MemberDocument[]> {
  return (await errors.find(filter, PROJECTION, 'local')) as unknown as MemberDocument[];
}

/** Returns the own distinct users, without those that a tracker counted. */
export function ownUsers({ u, imp }: Pick<MemberDocument, 'u' | 'imp'>): number {
  return imp?.uo ?? u;
}

/** Returns the users by which a change is noticed: own ones and those of a tracker. */
export function countedUsers(member: Pick<MemberDocument, 'u' | 'imp'>): number {
  return ownUsers(member) + (member.imp?.bu ?? 0);
}

export function toMember(member: MemberDocument): GroupMember {
  const { id, c, rcv, imp, first, last } = member;
  return {
    id,
    count: c,
    userCount: ownUsers(member),
    baseUsers: imp?.bu ?? null,
    newestReceived: rcv,
    progress: memberProgressOf(member),
    first: { at: first.at, eventId: first.id.toString('hex'), release: first.release },
    last: { at: last.at, eventId: last.id.toString('hex'), release: last.release, ...textsIn(last) },
    searchText: last.q,
  };
}
