import type { ReleaseDelta } from '../../../releases/fold-releases.ts';
import { releaseHoursKey, releaseKey, shortCounts } from '../../documents/release-documents.ts';
import type { PlannedWrite } from '../../engine/planned-write.ts';

/** Returns the writes of a release; none for a scope of all releases, which stores only hours. */
export function releaseWrites(delta: ReleaseDelta): PlannedWrite[] {
  const { projectId, environment, release, firstSeen, lastSeen, events, users, crashedUsers, counts } = delta;
  if (release === '') {
    return [];
  }
  const update = {
    $inc: { ev: events, u: users, cu: crashedUsers, ...shortCounts(counts, 'c.') },
    $min: { first: firstSeen },
    $max: { last: lastSeen },
    $setOnInsert: { e: environment, r: release },
  };
  return [{ _id: releaseKey(delta), p: projectId, update, upsert: true }];
}

/** Returns one write per day on which sessions began. */
export function releaseHoursWrites(delta: ReleaseDelta): PlannedWrite[] {
  const days = new Map<number, Record<string, number>>();
  for (const [hour, counts] of delta.hours) {
    const day = Math.floor(hour / 24);
    const $inc = { ...days.get(day), ...shortCounts(counts, `h.${hour % 24}.`) };
    if (Object.keys($inc).length > 0) {
      days.set(day, $inc);
    }
  }
  return [...days].map(([day, $inc]) => ({
    _id: releaseHoursKey(delta, day),
    p: delta.projectId,
    update: { $inc, $setOnInsert: { d: day } },
    upsert: true,
  }));
}
