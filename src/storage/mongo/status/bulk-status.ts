import {
  statusParticulars,
  type ActivityEntry,
  type Counted,
  type StatusDetails,
} from '../../../domain/errors/error-state.ts';
import type { BulkStatusChange, ChangedStatus, StatusThen } from '../../../domain/ports/stores/list-store.ts';
import {
  countsOccurrences,
  detailsThen,
  detailsToStore,
  needsNewestRelease,
  parseDetails,
} from '../../../domain/errors/status-details.ts';
import type { ErrorStatus } from '../../../domain/errors/error-status.ts';
import { requireBulkStep } from '../../errors/bulk-step.ts';
import { STATUS_CODES } from '../../errors/error-status.ts';
import { LOOKED_AT } from '../updates/marks.ts';
import { writeErrors } from './triage-commands.ts';
import type { MongoContext } from '../engine/context.ts';
import type { ErrorDocument } from '../documents/error-documents.ts';
import { countedBy, statusMembers, statusUpdate } from '../updates/status-members.ts';
import { loadGroups, type ErrorGroup, type StateOfMember } from '../errors/error-groups.ts';
import { newestRelease } from '../releases/newest-release.ts';
import { writeIfUnchanged, type GroupWrites, type StatedRoot } from './guarded-writes.ts';
import { STATE_MEMBERS, toStatusBefore, type StateMembers } from '../search/matching-errors.ts';

/**
 * Writes all in one bulk, or with `from` the roots first. An error that has the status and details already only counts
 * as looked at, unless a condition begins to count again. Its root is written while it has another state, so of two
 * gateways at once one records the change.
 */
export async function setErrorStatuses(
  context: MongoContext,
  p: number,
  errorIds: readonly string[],
  status: ErrorStatus,
  now: number,
  change: BulkStatusChange = {},
): Promise<ChangedStatus[]> {
  requireBulkStep(errorIds);
  const groups = await loadGroups<StateMembers>(context, p, errorIds, STATE_MEMBERS);
  if (groups.length === 0) return [];
  const release = needsNewestRelease(change.details) ? await newestRelease(context, p, Infinity) : null;
  const set = detailsToStore(status, change.details, release);
  const from = change.from === undefined ? null : stateThen(change.from);
  const isAs = (root: StatedRoot, { st, det }: StateThen) =>
    root.st === st && (det === undefined || (root.det ?? null) === det);
  const asked = from === null ? groups : groups.filter(({ root }) => isAs(root, from));
  const to = statusMembers({ status, details: set });
  const writes = asked.flatMap((group) => writesOf(group, { status, details: set, now, from, change }));
  let lost: ReadonlyMap<number, StatedRoot> = new Map();
  if (from === null) {
    await writeErrors(
      context,
      p,
      writes.flatMap(({ root, members }) => [root, ...members]),
      'errors.set_statuses',
    );
  } else {
    lost = await writeIfUnchanged(context, p, writes, (root) => isAs(root, to), 'errors.set_statuses');
  }
  const skipped = new Set(groups.filter((group) => !asked.includes(group)).map(({ root }) => root.id));
  return groups.map(({ root, members }) => ({
    ...toStatusBefore(lost.get(root.id) ?? root, now),
    ...{ counted: conditionProgress(root, members), set, skipped: skipped.has(root.id) || lost.has(root.id) },
  }));
}

type Group = ErrorGroup<Pick<ErrorDocument, StateMembers>, StateOfMember>;

/** Members of a status that was set; `det` undefined: not compared. */
interface StateThen {
  readonly st: ErrorDocument['st'];
  readonly det: string | null | undefined;
}

function stateThen(from: StatusThen): StateThen {
  const { st, det } = statusMembers({ status: from.status, details: detailsThen(from) });
  return { st, det: from.details === undefined ? undefined : det };
}

/** Returns what has counted for the condition of an error so far; null: it has none that counts. */
function conditionProgress({ st, det }: Group['root'], members: readonly StateOfMember[]): Counted | null {
  if (st !== STATUS_CODES.ignored || !countsOccurrences(parseDetails(det ?? null))) return null;
  const each = members.map(countedBy);
  const sum = (name: keyof Counted) => each.reduce((all, counted) => all + counted[name], 0);
  return { events: sum('events'), users: sum('users') };
}

interface Given {
  readonly status: ErrorStatus;
  readonly details: StatusDetails | null;
  readonly now: number;
  readonly from: StateThen | null;
  readonly change: BulkStatusChange;
}

function writesOf({ root, members }: Group, { status, details, now, from, change }: Given): GroupWrites[] {
  const { st, det } = statusMembers({ status, details });
  const isThere = root.st === st && (root.det ?? null) === det;
  const looked = isThere && !countsOccurrences(details);
  const { userId = null } = change;
  const counted = change.counted?.[root.id];
  const particulars = statusParticulars(details, change);
  const entry: ActivityEntry | null = isThere ? null : { at: now, kind: status, userId, details: particulars };
  const given = {
    ...{ status, details, coversReceipts: true, changedAt: now },
    resolvedAt: Math.max(now, ...members.map(({ rcv }) => rcv)),
    ...(counted === undefined ? {} : { counted }),
  };
  const updates = members.map(({ _id, id, sta }) => {
    const isRoot = id === root.id;
    const filter = {
      ...(isRoot && !isThere ? { $nor: [{ st, det }] } : {}),
      ...(isRoot && from !== null ? { st: from.st, ...(from.det === undefined ? {} : { det: from.det }) } : {}),
      ...(from === null ? {} : { sta: sta ?? null }),
    };
    return { _id, filter, update: looked ? LOOKED_AT : statusUpdate(given, isRoot, isRoot ? entry : null) };
  });
  const [first, ...others] = updates;
  return first === undefined ? [] : [{ id: root.id, root: first, members: others }];
}
