import { MAX_RANKED } from '../../../domain/ports/stores/list-store.ts';
import { firstHourOf, TIME_RANGES } from '../../../domain/search/time-range.ts';
import { statusName } from '../../errors/error-status.ts';
import { hourOf } from '../../fold.ts';
import { addHour, addImported, noSums, rankOf, type CountedHour, type RangeSums } from '../../errors/rank.ts';
import { marksOf } from '../../state/marks.ts';
import { MARK_MEMBERS } from '../documents/error-members.ts';
import { storedMarks, type MarkMembers } from '../updates/marks.ts';
import { keyFilters } from '../batch/known/key-filters.ts';
import { hex } from '../batch/marked-rows.ts';
import type { MongoContext } from '../engine/context.ts';
import type { ImportContext } from '../imports/imported-errors.ts';
import { errorHoursKey, errorKey, groupHashOf } from '../documents/document-keys.ts';
import { TO_RANK, type ErrorDocument } from '../documents/error-documents.ts';
import { IMPORTED_GROUPING_VERSION } from '../../imports/imported-group-hash.ts';
import { reading, writing } from '../engine/operation-options.ts';
import { addMissingTerms } from './add-missing-terms.ts';
import { completeDeletions } from '../retention/delete-errors.ts';

/** Keys of days in one read. */
const DAYS_AT_ONCE = 2_000;

const ROW = {
  ...{ p: 1, id: 1, into: 1, v: 1, st: 1, c: 1, u: 1, 'first.at': 1, 'last.at': 1, 'last.level': 1 },
  ...MARK_MEMBERS,
} as const;
type Row = MarkMembers & Pick<ErrorDocument, '_id' | 'p' | 'id' | 'into' | 'v' | 'st' | 'c' | 'u' | 'first' | 'last'>;

/**
 * Ranks errors with events since the last run, and those whose rank has changed by time. Each is written while it has
 * what was read, else it stays for the next run. Ranks of merged errors follow those of their members.
 */
export async function rankErrors(context: ImportContext, now: number): Promise<number> {
  await completeDeletions(context, now);
  const { errors } = context.collections;
  const queued = await errors
    .find<Row>({ ...TO_RANK }, reading('errors.to_rank', ROW))
    .limit(MAX_RANKED)
    .toArray();
  const due = await errors
    .find<Row>({ due: { $gt: 0, $lte: now } }, reading('errors.rank_due', ROW))
    .sort({ due: 1 })
    .limit(MAX_RANKED)
    .toArray();
  const rows = [...new Map([...queued, ...due].map((row) => [hex(row._id), row])).values()].slice(0, MAX_RANKED);
  if (rows.length === 0) return 0;
  await addMissingTerms(context, rows);
  const sums = await sumsOf(context, rows, now);
  const operations = rows
    .sort((a, b) => Buffer.compare(a._id.buffer, b._id.buffer))
    .map((row) => rankOperation(row, sums.get(hex(row._id)) ?? noSums(), now));
  await errors.bulkWrite(operations, { ...writing('errors.rank'), ordered: false });
  const roots = new Map(rows.flatMap(({ p, into }) => (into === null ? [] : [[`${p} ${into}`, { p, into }]])));
  for (const { p, into } of roots.values()) await context.merges.rankUp(p, into, now);
  return rows.length;
}

function rankOperation(row: Row, sums: RangeSums, now: number) {
  const { _id, p, c, u, st, first, last, reg, esc } = row;
  const marks = marksOf(storedMarks(row), { status: statusName(st), firstSeen: first.at }, now);
  const ranked = { marks, level: last.level, users: u, firstSeen: first.at, lastSeen: last.at };
  const { matters, events, dueAt } = rankOf(ranked, sums, now);
  const asRead = { c, u, 'reg.at': reg?.at ?? null, 'esc.at': esc?.at ?? null };
  const $set = { rg: events, rk: matters, ...(dueAt === null ? {} : { due: dueAt }) };
  const $unset = dueAt === null ? ({ dq: '', due: '' } as const) : ({ dq: '' } as const);
  return { updateOne: { filter: { _id, p, ...asRead }, update: { $set, $unset } } };
}

/** Sums up the hours of errors; one read for many of them, of those days only in which they can have events. */
async function sumsOf(context: MongoContext, rows: readonly Row[], now: number): Promise<Map<string, RangeSums>> {
  const { collections } = context;
  const sums = new Map(rows.map((row) => [hex(row._id), noSums()]));
  const [oldest, newest] = [firstHourOf('30d', now), hourOf(now)];
  const keys = rows.flatMap(({ _id, p, first, last }) => {
    const from = Math.floor(Math.max(oldest, hourOf(first.at)) / 24);
    const to = Math.floor(Math.min(newest, hourOf(last.at)) / 24);
    return Array.from({ length: Math.max(0, to - from + 1) }, (_, day) => ({
      _id: errorHoursKey(p, groupHashOf(_id), from + day),
      p,
    }));
  });
  for (let at = 0; at < keys.length; at += DAYS_AT_ONCE) {
    for (const filter of keyFilters(keys.slice(at, at + DAYS_AT_ONCE))) {
      const given = { _id: { $in: [...filter._id.$in] }, p: { $in: [...filter.p.$in] } };
      const days = collections.errorHours.find(given, reading('hours.to_rank', { p: 1, d: 1, h: 1 }));
      for await (const { _id, p, d, h } of days) {
        const sum = sums.get(hex(errorKey(p, groupHashOf(_id))));
        for (const [hour, count] of Object.entries(h)) addToRanges(sum, d * 24 + Number(hour), count, now);
      }
    }
  }
  await addImports(context, rows, sums, now);
  return sums;
}

function addToRanges(sums: RangeSums | undefined, hour: number, count: number, now: number): void {
  if (sums === undefined || count === 0) return;
  for (const range of TIME_RANGES) {
    if (hour >= firstHourOf(range, now)) addHour(sums, range, hour, count);
  }
}

/** Adds what former trackers counted. */
async function addImports(
  { collections }: MongoContext,
  rows: readonly Row[],
  sums: ReadonlyMap<string, RangeSums>,
  now: number,
): Promise<void> {
  const imported = rows.filter(({ v }) => v === IMPORTED_GROUPING_VERSION);
  for (const filter of keyFilters(imported)) {
    const given = { _id: { $in: [...filter._id.$in] }, p: { $in: [...filter.p.$in] } };
    const found = collections.importedErrors.find(given, reading('imported_errors.buckets', { hr: 1, dy: 1 }));
    for await (const { _id, hr = {}, dy = {} } of found) {
      const sum = sums.get(hex(_id));
      if (sum === undefined) continue;
      const toHours = (buckets: Readonly<Record<string, number>>, width: number): CountedHour[] =>
        Object.entries(buckets).map(([at, count]) => ({ hour: Number(at) * width, count, days: width === 24 }));
      addImported(sum, [...toHours(hr, 1), ...toHours(dy, 24)], now);
    }
  }
}
