import type { FrequencyPoint } from '../../../domain/errors/tracked-error.ts';
import type { MongoContext } from '../engine/context.ts';
import { errorHoursKey, groupHashOf } from '../documents/document-keys.ts';
import type { ErrorDocument, ErrorHoursDocument } from '../documents/error-documents.ts';
import { reading } from '../engine/operation-options.ts';
import { DAY_MS } from '../../../domain/durations.ts';

/** UTC days of which hours are read: retention keeps 31 and the present one. */
const DAYS = 33;

/** Returns the hours with events of errors of a project, by group hash. Asks for the days between first and last. */
export async function hoursOf(
  { collections }: MongoContext,
  p: number,
  rows: readonly ErrorDocument[],
  now: number,
): Promise<ReadonlyMap<string, FrequencyPoint[]>> {
  const today = dayOf(now);
  const keys = rows.flatMap(({ _id, first, last }) => {
    const from = Math.max(0, dayOf(first.at), today + 2 - DAYS);
    const days = Math.max(0, Math.min(dayOf(last.at), today + 1) + 1 - from);
    return Array.from({ length: days }, (_, index) => errorHoursKey(p, groupHashOf(_id), from + index));
  });
  const found = new Map<string, FrequencyPoint[]>();
  if (keys.length === 0) return found;
  const cursor = collections.errorHours
    .find({ _id: { $in: keys }, p }, reading('export.hours', { d: 1, h: 1 }))
    .sort({ _id: 1 });
  for await (const { _id, d, h } of cursor) {
    const groupHash = groupHashOf(_id);
    const points = found.get(groupHash) ?? [];
    found.set(groupHash, [...points, ...toPoints({ d, h })]);
  }
  return found;
}

function dayOf(at: number): number {
  return Math.floor(at / DAY_MS);
}

export function toPoints({ d, h }: Pick<ErrorHoursDocument, 'd' | 'h'>): FrequencyPoint[] {
  return Object.entries(h).map(([hour, count]) => [(d * 24 + Number(hour)) * 3600, count]);
}

/** Sorts points by time. */
export function inOrder(points: readonly FrequencyPoint[]): FrequencyPoint[] {
  return [...points].sort(([a], [b]) => a - b);
}
