import type { mongo } from 'mongoose';
import type { BusyError, ErrorState } from '../../../domain/ports/stores/alert-store.ts';
import { parseErrorId } from '../../errors/error-id.ts';
import { statusName } from '../../errors/error-status.ts';
import { hourOf } from '../../fold.ts';
import { keyFilters } from '../batch/known/key-filters.ts';
import type { MongoContext } from '../engine/context.ts';
import { errorHoursKey, groupHashOf, hexBinary, projectIdOf, type Binary } from '../documents/document-keys.ts';
import type { ErrorDocument } from '../documents/error-documents.ts';
import { ownUsers } from '../merging/members.ts';
import { reading } from '../engine/operation-options.ts';
import { groupOf } from '../errors/error-groups.ts';
import { errorsByNumber } from '../errors/errors-by-number.ts';
import { BUSY_HOURS_BEFORE, MAX_BUSY_ERRORS, MAX_EVENT_DELAY_MS } from '../../limits.ts';
import { HOUR_MS } from '../../../domain/durations.ts';

const STATUSES = { $in: [0, 1, 2] } as mongo.Condition<ErrorDocument['st']>;

/** Errors per read of hourly counts. */
const AT_ONCE = 50;

const BUSY = { p: 1, id: 1, into: 1, first: 1, imp: 1 } as const;
type BusyRow = Pick<ErrorDocument, '_id' | keyof typeof BUSY>;

/** Reads the hours of one day of all projects; of these most errors have none in the hour. */
export async function busyErrors(context: MongoContext, at: number, events: number): Promise<BusyError[]> {
  const { collections } = context;
  const hour = hourOf(at);
  const member = `h.${hour % 24}`;
  const day = Math.floor(hour / 24);
  const inHour = await collections.errorHours
    .find({ d: day, [member]: { $gt: 0 } }, reading('hours.busy', { p: 1, [member]: 1 }))
    .toArray();
  const counts = new Map<string, number>();
  for (const { _id, h } of inHour) counts.set(errorOfHours(_id), h[String(hour % 24)] ?? 0);
  const busy: { readonly rows: readonly BusyRow[]; readonly events: number }[] = [];
  for (const rows of await loadGroups(context, counts, events)) {
    const sum = rows.reduce((total, { _id }) => total + (counts.get(_id.toString('hex')) ?? 0), 0);
    if (sum >= events) busy.push({ rows, events: sum });
  }
  const found = busy
    .sort((a, b) => b.events - a.events || (a.rows[0]?.id ?? 0) - (b.rows[0]?.id ?? 0))
    .slice(0, MAX_BUSY_ERRORS);
  const answers: BusyError[] = [];
  for (let from = 0; from < found.length; from += AT_ONCE) {
    const some = found.slice(from, from + AT_ONCE);
    answers.push(...(await Promise.all(some.map((each) => busyError(context, each.rows, each.events, hour)))));
  }
  return answers;
}

async function busyError(
  context: MongoContext,
  rows: readonly BusyRow[],
  events: number,
  hour: number,
): Promise<BusyError> {
  const [root] = rows;
  if (root === undefined) throw new RangeError('an error has at least one document');
  return {
    projectId: root.p,
    errorId: String(root.id),
    groupHash: groupHashOf(root._id),
    events,
    before: await countHours(context, rows, hour - BUSY_HOURS_BEFORE, hour),
    firstSeen: Math.min(...rows.map(({ first }) => first.at)),
    importedAt: await importedAt(context, rows),
  };
}

/** Returns the key of the error in that of its hours. */
const errorOfHours = (id: Binary): string => id.toString('hex').slice(0, 40);
/**
 * Returns errors that have enough events, with all members of merged ones; roots first. Of merged errors also those
 * whose members have enough only together.
 */
async function loadGroups(
  context: MongoContext,
  counts: ReadonlyMap<string, number>,
  events: number,
): Promise<readonly (readonly BusyRow[])[]> {
  const { errors, projects } = context.collections;
  const keys = [...counts].filter(([, count]) => count >= events).map(([key]) => key);
  const single = await readErrors(context, keys);
  const merged = await errors.find<BusyRow>({ into: { $gte: 1 } }, reading('errors.busy_merged', BUSY)).toArray();
  const groups = new Map<string, BusyRow[]>();
  for (const row of merged) {
    const key = `${row.p} ${row.into ?? 0}`;
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  const found = [
    ...single.filter(({ into }) => into === null).map((row) => [row]),
    ...[...groups.values()].map((rows) => [...rows].sort((a, b) => a.id - b.id)),
  ];
  const ids = [...new Set(found.map(([row]) => row?.p ?? 0))];
  const known = await projects.find({ _id: { $in: ids } }, reading('projects.existing', { _id: 1 })).toArray();
  const existing = new Set(known.map(({ _id }) => _id));
  return found.filter(([row]) => row !== undefined && existing.has(row.p));
}

async function readErrors({ collections }: MongoContext, keys: readonly string[]): Promise<BusyRow[]> {
  const rows: BusyRow[] = [];
  for (const filter of keyFilters(keys.map(hexBinary).map((_id) => ({ _id, p: projectIdOf(_id) })))) {
    const found = collections.errors.find<BusyRow>(
      { p: { $in: [...filter.p.$in] }, _id: { $in: [...filter._id.$in] } },
      reading('errors.busy', BUSY),
    );
    for await (const row of found) rows.push(row);
  }
  return rows;
}

/** Counts the events of some errors of a project in the hours from `first` to `end`, the last one excluded. */
async function countHours(
  { collections }: MongoContext,
  rows: readonly Pick<ErrorDocument, '_id' | 'p'>[],
  first: number,
  end: number,
): Promise<number> {
  const perError = rows.map(async ({ _id, p }) => {
    const groupHash = groupHashOf(_id);
    const range = {
      $gte: errorHoursKey(p, groupHash, Math.max(0, Math.floor(first / 24))),
      $lte: errorHoursKey(p, groupHash, Math.min(Math.floor(end / 24), 0xffff_ffff)),
    };
    const days = await collections.errorHours.find({ _id: range, p }, reading('hours.since', { d: 1, h: 1 })).toArray();
    return days
      .flatMap(({ d, h }) => Object.entries(h).map(([hour, count]) => [d * 24 + Number(hour), count] as const))
      .filter(([hour]) => hour >= first && hour < end)
      .reduce((sum, [, count]) => sum + count, 0);
  });
  return (await Promise.all(perError)).reduce((sum, count) => sum + count, 0);
}

/**
 * Returns when the last of the errors was imported; null when none was, or its source is gone. The log of an error may
 * have lost it, its source has not.
 */
async function importedAt(context: MongoContext, rows: readonly BusyRow[]): Promise<number | null> {
  const { errors, importedErrors, importSources } = context.collections;
  const imported = rows.filter(({ imp }) => imp !== undefined);
  const times = imported.map(async ({ _id, p }) => {
    const error = await errors.findOne({ _id, p }, reading('errors.busy', { log: 1 }));
    const entry = error?.log?.find(({ k, d }) => k === 'imported' && d.importedId === undefined);
    if (entry !== undefined) return entry.at;
    const row = await importedErrors.findOne({ _id, p }, reading('imported_errors.sources', { s: 1 }));
    const source = await importSources.findOne(
      { _id: row?.s ?? 0 },
      reading('import_sources.created', { createdAt: 1 }),
    );
    return source?.createdAt ?? null;
  });
  const known = (await Promise.all(times)).filter((at) => at !== null);
  return known.length === 0 ? null : Math.max(...known);
}

const STATE = {
  ...{ id: 1, st: 1, into: 1, u: 1, c: 1, as: 1, 'last.level': 1, 'first.at': 1, 'last.at': 1 },
  ...{ 'g.u': 1, 'g.c': 1, 'g.last.level': 1, 'g.last.at': 1, 'g.first.at': 1 },
} as const;

export async function errorStates(
  { collections }: MongoContext,
  p: number,
  errorIds: readonly string[],
): Promise<ErrorState[]> {
  const ids = [...new Set(errorIds.map(parseErrorId).filter((id) => id !== null))];
  const rows = await errorsByNumber<Omit<ErrorDocument, 'p'>>({ collections }, p, ids, 'errors.states', STATE);
  return rows.map(({ id, st, into, as, c, u, first, last, g }) => ({
    errorId: String(id),
    status: statusName(st),
    merged: into !== null && into !== id,
    level: (g?.last ?? last).level,
    users: g?.u ?? u,
    events: g?.c ?? c,
    firstSeen: (g?.first ?? first).at,
    lastSeen: (g?.last ?? last).at,
    assigneeId: as ?? null,
  }));
}

const RECENT = { id: 1, u: 1, imp: 1, rcv: 1, into: 1, 'g.u': 1 } as const;
type RecentRow = Pick<ErrorDocument, '_id' | 'id' | 'u' | 'imp' | 'rcv' | 'into' | 'g'>;

/** Own users only: those that a tracker counted are no news. */
export async function recentErrors(
  context: MongoContext,
  p: number,
  since: number,
): Promise<{ errorId: string; groupHash: string; users: number }[]> {
  const { errors } = context.collections;
  const seen = { $gte: since - MAX_EVENT_DELAY_MS };
  const [single, roots] = await Promise.all([
    errors
      .find<RecentRow>(
        { p, st: STATUSES, 'last.at': seen, rcv: { $gte: since }, into: null },
        reading('errors.recent', RECENT),
      )
      .sort({ 'last.at': -1, id: -1 })
      .limit(MAX_BUSY_ERRORS)
      .toArray(),
    errors
      .find<RecentRow>(
        { p, st: STATUSES, 'g.last.at': seen, g: { $exists: true } },
        reading('errors.recent_merged', RECENT),
      )
      .sort({ 'g.last.at': -1, id: -1 })
      .limit(MAX_BUSY_ERRORS)
      .toArray(),
  ]);
  const found = single.map((row) => ({ row, users: ownUsers(row), newest: row.rcv }));
  for (const row of roots) {
    const group = [row, ...(await membersWithUsers(context, p, row))];
    const newest = Math.max(...group.map(({ rcv }) => rcv));
    const users = Math.min(
      row.g?.u ?? 0,
      group.reduce((sum, member) => sum + ownUsers(member), 0),
    );
    if (newest >= since) found.push({ row, users, newest });
  }
  return found
    .sort((a, b) => b.newest - a.newest || a.row.id - b.row.id)
    .slice(0, MAX_BUSY_ERRORS)
    .map(({ row, users }) => ({ errorId: String(row.id), groupHash: groupHashOf(row._id), users }));
}

async function membersWithUsers({ collections }: MongoContext, p: number, root: RecentRow): Promise<RecentRow[]> {
  const members = { p, into: { $in: [root.id], $gte: 1 } };
  const rows = await collections.errors.find<RecentRow>(members, reading('errors.members', RECENT)).toArray();
  return rows.filter(({ id }) => id !== root.id);
}

/**
 * Counts stored events of the hour in which the time lies, by their receipt, and everything of later hours, by the
 * events' own time. Fewer than there were, where the bound per error has removed events of that hour.
 */
export async function countEvents(
  context: MongoContext,
  p: number,
  errorId: string,
  since: number,
  atMost: number,
): Promise<number> {
  const group = await groupOf(context, p, errorId);
  if (group === null) return 0;
  const rows = group.members.map(({ _id }) => ({ _id, p }));
  let count = await countHours(context, rows, hourOf(since) + 1, Number.MAX_SAFE_INTEGER);
  const at = { $gte: since - MAX_EVENT_DELAY_MS, $lt: (hourOf(since) + 1) * HOUR_MS };
  for (const { _id } of rows) {
    if (count >= atMost) return atMost;
    const filter = { p, l: hexBinary(groupHashOf(_id)), at, r: { $gte: since }, d: { $exists: true } };
    const options = { ...reading('events.count_since'), limit: atMost - count };
    count += await context.collections.events.countDocuments(filter, options);
  }
  return Math.min(count, atMost);
}
