import type { NewFact } from '../../../domain/alerts/alert-fact.ts';
import {
  MAX_ACTIVITY,
  type ActivityEntry,
  type Counted,
  type StatusDetails,
} from '../../../domain/errors/error-state.ts';
import { parseDetails } from '../../../domain/errors/status-details.ts';
import type { ErrorStatus } from '../../../domain/errors/error-status.ts';
import { statusFact, type FactOrigin } from '../../alerts/facts.ts';
import { STATUS_CODES, statusName, type StatusCode } from '../../errors/error-status.ts';
import { statusEnd, type Occurred, type StatusProgress } from '../../state/status-end.ts';
import { REVIEW_MEMBERS } from './marks.ts';
import { FACT_MEMBERS, leaving, originOf, subjectOf } from './pending-facts.ts';
import type { Doc, UpdateOne } from '../engine/batch-collections.ts';
import type { NewestEvent } from '../engine/planned-write.ts';
import type { ErrorDocument, LogMember, OccurredMember } from '../documents/error-documents.ts';

/** Members that show what a status waits for and what has happened. */
export const PROGRESS = {
  ...{ p: 1, id: 1, into: 1, st: 1, res: 1, det: 1, rdet: 1, act: 1, pas: 1, c: 1, u: 1, imp: 1, mc: 1, mn: 1, rcv: 1 },
  ...FACT_MEMBERS,
} as const;

type ProgressNames = 'st' | 'res' | 'det' | 'rdet' | 'act' | 'pas' | 'c' | 'u' | 'imp' | 'mc' | 'mn' | 'rcv';
export type ProgressMembers = Pick<ErrorDocument, '_id' | 'p' | 'id' | 'into' | 'last' | 'env' | 'g' | ProgressNames>;

/** `rdet` below a root without any details. */
export const NO_DETAILS = '{}';

const toOccurred = (member: OccurredMember | undefined): Occurred | null =>
  member === undefined ? null : { at: member.at, release: member.r };

/** Returns own events and own distinct users, without those that only a tracker counted. */
export function ownCounts({ c, u, imp }: Pick<ErrorDocument, 'c' | 'u' | 'imp'>): { mc: number; mn: number } {
  return { mc: c - (imp?.b ?? 0), mn: imp?.uo ?? u };
}

export function progressOf(row: Pick<ErrorDocument, Exclude<ProgressNames, 'rdet'>>): StatusProgress {
  const own = ownCounts(row);
  return {
    status: statusName(row.st),
    resolvedAt: row.res,
    details: parseDetails(row.det ?? null),
    newest: toOccurred(row.act),
    passed: toOccurred(row.pas),
    events: own.mc - (row.mc ?? own.mc),
    users: own.mn - (row.mn ?? own.mn),
    newestReceived: row.rcv,
  };
}

/** Members that `countedBy` reads. */
export const COUNTED = { id: 1, into: 1, c: 1, u: 1, imp: 1, mc: 1, mn: 1, rc: 1, rn: 1 } as const;
export type CountedMembers = Pick<ErrorDocument, keyof typeof COUNTED>;

/** Returns own events and users of a member since the status of its root was set, or since it joined. */
export function countedBy(row: CountedMembers): Counted {
  const own = ownCounts(row);
  const isMember = (row.into ?? 0) > 0 && row.into !== row.id;
  const [events, users] = isMember ? [row.rc, row.rn] : [row.mc, row.mn];
  return { events: own.mc - (events ?? own.mc), users: own.mn - (users ?? own.mn) };
}

/** Returns what has happened to a member since the status of its root was set, or since it joined. */
export function memberProgressOf(row: Parameters<typeof progressOf>[0] & CountedMembers): StatusProgress {
  return { ...progressOf(row), ...countedBy(row) };
}

/**
 * Returns the operation that ends the status of an error by its own events; null: it goes on. `newest`: newest event of
 * the batch, if it is known.
 */
export function ownStatusEndOperation(row: ProgressMembers, newest: NewestEvent | undefined): UpdateOne | null {
  const isMerged = (row.into ?? 0) > 0;
  // Of a merged error the events of all members count: see the roll-up.
  const end = isMerged && row.st === STATUS_CODES.ignored ? null : statusEnd(progressOf(row));
  if (end === null) return null;
  // The end of a merged error is recorded once, with its root.
  if (isMerged && row.into !== row.id) return unresolveOperation(row, null);
  const caused = newest !== undefined && (end.kind === 'unmuted' || end.at === newest.occurred);
  return unresolveOperation(row, end, statusEndFact(row, end, caused ? newest : undefined));
}

/** Returns the fact that an error's status ended. `origin`: the event that ended it; absent: not known. */
export function statusEndFact(
  row: Parameters<typeof subjectOf>[0] & Pick<ErrorDocument, 'res'>,
  end: ActivityEntry,
  origin: FactOrigin = originOf(row),
): NewFact {
  return statusFact(subjectOf(row), end, row.res, origin);
}

/** Makes an error unresolved while it has the status that was read, so that each ends once. */
export function unresolveOperation(
  row: Pick<ProgressMembers, '_id' | 'p' | 'st' | 'res' | 'mc' | 'g'>,
  entry: ActivityEntry | null,
  fact: NewFact | null = null,
) {
  const { _id, p, st, res, mc } = row;
  const same = st === STATUS_CODES.resolved ? { res } : { mc: mc ?? null };
  const update = unresolvedUpdate(entry, { fact, isRoot: row.g !== undefined, unmutes: st === STATUS_CODES.ignored });
  return { filter: { _id, p, st, ...same }, update, upsert: false };
}

/**
 * Ends the own status of an error. What counts for the status of its root (`rdet`) stays. The entry for the activity log
 * and the fact for alerts stand in one update, so that each end has both once. `unmutes`: it was ignored, and does not
 * show what it was ignored in spite of: that it came back before.
 */
export function unresolvedUpdate(
  entry: ActivityEntry | null,
  { fact = null, isRoot = false, unmutes }: { readonly fact?: NewFact | null; isRoot?: boolean; unmutes: boolean },
): Doc {
  const $set = { st: STATUS_CODES.unresolved, res: null, det: null, mt: null, mc: null, mn: null };
  const { $push, $set: flag } = fact === null ? { $push: {}, $set: {} } : leaving(fact, isRoot);
  const pushed = { ...(entry === null ? {} : logged(entry).$push), ...$push };
  const ended = { 'reg.at': '', ...(isRoot ? { 'g.reg.at': '' } : {}) };
  return {
    $set: { ...$set, ...flag },
    ...(unmutes ? { $unset: ended } : {}),
    ...(Object.keys(pushed).length === 0 ? {} : { $push: pushed }),
  };
}

/** Returns the operator that adds an entry to the activity log. */
export function logged(entry: ActivityEntry): { readonly $push: Doc } {
  return { $push: { log: { $each: [toLog(entry)], $slice: -MAX_ACTIVITY } } };
}

export function toLog({ at, kind, userId, details }: ActivityEntry): LogMember {
  return { at, k: kind, u: userId, d: details };
}

export interface NewStatus {
  readonly status: ErrorStatus;
  readonly details: StatusDetails | null;
  readonly resolvedAt: number;
  /** True: the resolution covers everything that was received. */
  readonly coversReceipts: boolean;
  /** Time of a change by a person; null: a tracker's. */
  readonly changedAt: number | null;
  /** What had counted for its condition before the last change of the status; absent: it begins to count now. */
  readonly counted?: Counted;
}

/** Members of a status that do not depend on the document. */
export function statusMembers({ status, details }: Pick<NewStatus, 'status' | 'details'>) {
  const st: StatusCode = STATUS_CODES[status];
  const mt = status === 'ignored' ? (details?.ignoreUntil ?? null) : null;
  return { st, det: details === null ? null : JSON.stringify(details), mt };
}

const OWN_EVENTS = { $subtract: ['$c', { $ifNull: ['$imp.b', 0] }] };
const OWN_USERS = { $ifNull: ['$imp.uo', '$u'] };

/** Members by which conditions begin to count. */
function countNow(isRoot: boolean): Doc {
  const [rc, rn] = isRoot ? ['$$REMOVE', '$$REMOVE'] : [OWN_EVENTS, OWN_USERS];
  return { mc: OWN_EVENTS, mn: OWN_USERS, rc, rn };
}

/**
 * Members by which conditions go on to count. Each change of the status begins to count, so what came since is known;
 * the root adds what had counted before.
 */
function countOn({ events, users }: Counted, isRoot: boolean): Doc {
  const [mc, mn] = [{ $ifNull: ['$mc', OWN_EVENTS] }, { $ifNull: ['$mn', OWN_USERS] }];
  if (isRoot)
    return { mc: { $subtract: [mc, events] }, mn: { $subtract: [mn, users] }, rc: '$$REMOVE', rn: '$$REMOVE' };
  return { mc, mn, rc: { $ifNull: ['$rc', OWN_EVENTS] }, rn: { $ifNull: ['$rn', OWN_USERS] } };
}

/**
 * Returns the update (a pipeline) that sets a status, with which the review ends. `entry`: for the activity log; null:
 * none.
 */
export function statusUpdate(given: NewStatus, isRoot: boolean, entry: ActivityEntry | null): Doc[] {
  const { resolvedAt, coversReceipts, changedAt, counted } = given;
  const { st, det, mt } = statusMembers(given);
  const res = coversReceipts ? { $max: [resolvedAt, '$rcv'] } : { $literal: resolvedAt };
  const log = { $concatArrays: [{ $ifNull: ['$log', []] }, { $literal: [entry === null ? null : toLog(entry)] }] };
  const $set = {
    st,
    res: given.status === 'resolved' ? res : { $literal: null },
    det: { $literal: det },
    rdet: isRoot ? '$$REMOVE' : { $literal: det ?? NO_DETAILS },
    mt: { $literal: mt },
    ...(counted === undefined ? countNow(isRoot) : countOn(counted, isRoot)),
    ...(changedAt === null ? {} : { sta: changedAt }),
    dq: 1,
    ...(entry === null ? {} : { log: { $slice: [log, -MAX_ACTIVITY] } }),
  };
  return [{ $set }, { $unset: [...REVIEW_MEMBERS] }];
}
