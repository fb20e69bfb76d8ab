import { FIRST_USERS_STEP, usersStep } from '../../../domain/alerts/alert-fact.ts';
import { AppError } from '../../../domain/app-error.ts';
import type { BaseResult, ImportedCounts } from '../../../domain/imports/import.ts';
import type { FrequencyPoint } from '../../../domain/errors/tracked-error.ts';
import { hourOf } from '../../fold.ts';
import { bucketsWithoutOwn, nextBase } from '../../imports/imported-base.ts';
import { afterStep } from '../updates/users-steps.ts';
import type { MongoContext } from '../engine/context.ts';
import { errorHoursKey, groupHashOf } from '../documents/document-keys.ts';
import { reading, writing } from '../engine/operation-options.ts';
import type { GroupRow } from '../errors/error-groups.ts';
import type { ImportContext } from './imported-errors.ts';
import type { Buckets } from '../documents/import-documents.ts';
import { knownThereOf, requireImported } from '../errors/imported-rows.ts';

/** Maximum attempts beside another process that sets the same base. */
const ATTEMPTS = 5;

/**
 * Changes base and total in one update of one document, which commutes with the counts of batches. The filter names the
 * base that the new one was computed from.
 */
export async function setBase(
  context: ImportContext,
  p: number,
  errorId: string,
  counts: ImportedCounts,
): Promise<BaseResult> {
  const { collections } = context;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const imported = await requireImported(context, p, errorId);
    const { row, group } = imported;
    const { b = 0, bu = null, tc, at } = row.imp ?? {};
    const before = { baseCount: b, baseUsers: bu, trackerCount: tc ?? null, baseAt: at ?? null };
    const known = await knownThereOf(context, p, imported);
    const { result, baseCount, baseUsers } = nextBase(before, counts, known);
    if (result === 'moved' || result === 'fewer' || (at ?? counts.at) > counts.at) return result;
    const isBefore = { 'imp.b': b, 'imp.bu': bu, 'imp.at': at ?? { $exists: false } };
    // Steps of users that the tracker counted are passed silently.
    const { un } = afterStep(usersStep(baseUsers ?? 0));
    const set = {
      ...(un > FIRST_USERS_STEP ? { un: { $max: ['$un', un] } } : {}),
      c: { $add: ['$c', { $subtract: [baseCount, '$imp.b'] }] },
      u: { $max: ['$imp.uo', baseUsers ?? 0] },
      imp: {
        $mergeObjects: ['$imp', { b: baseCount, bu: baseUsers, tc: counts.count, at: counts.at, ka: known }],
      },
    };
    const { matchedCount } = await collections.errors.updateOne(
      { _id: row._id, p, ...isBefore },
      [{ $set: set }],
      writing('errors.set_base'),
    );
    if (matchedCount === 0) continue;
    await putBuckets(context, p, row._id, group.members, counts, known);
    if (result === 'set' && group.members.length > 1) await context.merges.rollUp(p, row.into ?? row.id);
    return result;
  }
  throw new AppError('store_unavailable', 'another process is setting the counts of this error', {
    retryAfterSeconds: 1,
  });
}

/** Replaces the charts; one that the tracker does not have stays as it was. */
async function putBuckets(
  context: MongoContext,
  p: number,
  _id: GroupRow['_id'],
  members: readonly GroupRow[],
  { hours, days }: ImportedCounts,
  knownThere: number,
): Promise<void> {
  if (hours.length + days.length === 0) return;
  const starts = [...hours, ...days].map(([start]) => hourOf(start * 1000));
  const own = knownThere === 0 ? new Map<number, number>() : await ownHours(context, p, members, Math.min(...starts));
  const ownIn = (width: number) => (startSeconds: number) => {
    const first = hourOf(startSeconds * 1000);
    return Array.from({ length: width }, (_, hour) => own.get(first + hour) ?? 0).reduce((sum, n) => sum + n, 0);
  };
  const set = {
    ...(hours.length === 0 ? {} : { hr: toBuckets(bucketsWithoutOwn(hours, knownThere, ownIn(1)), 1) }),
    ...(days.length === 0 ? {} : { dy: toBuckets(bucketsWithoutOwn(days, knownThere, ownIn(24)), 24) }),
  };
  await context.collections.importedErrors.updateOne({ _id, p }, { $set: set }, writing('imported_errors.buckets'));
}

function toBuckets(points: readonly FrequencyPoint[], width: number): Buckets {
  return Object.fromEntries(
    points
      .filter(([, count]) => count > 0)
      .map(([start, count]) => [String(Math.floor(hourOf(start * 1000) / width)), count]),
  );
}

async function ownHours(
  { collections }: MongoContext,
  p: number,
  members: readonly GroupRow[],
  firstHour: number,
): Promise<Map<number, number>> {
  const counted = new Map<number, number>();
  for (const { _id } of members) {
    const groupHash = groupHashOf(_id);
    const range = {
      $gte: errorHoursKey(p, groupHash, Math.max(0, Math.floor(firstHour / 24))),
      $lte: errorHoursKey(p, groupHash, 0xffff_ffff),
    };
    const days = await collections.errorHours
      .find({ _id: range, p }, reading('hours.of_error', { d: 1, h: 1 }))
      .toArray();
    for (const { d, h } of days) {
      for (const [hour, count] of Object.entries(h)) {
        const at = d * 24 + Number(hour);
        counted.set(at, (counted.get(at) ?? 0) + count);
      }
    }
  }
  return counted;
}
