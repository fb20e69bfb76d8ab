import type { OutcomeCount } from '../../../../domain/ingest/digest.ts';
import { newErrorFact } from '../../../alerts/facts.ts';
import { hourOf, type ErrorDelta } from '../../../fold.ts';
import { searchText } from '../../../search/search-text.ts';
import { STATUS_CODES } from '../../../errors/error-status.ts';
import { IMPORTED_GROUPING_VERSION } from '../../../imports/imported-group-hash.ts';
import { pendingMembers } from '../../updates/pending-facts.ts';
import { errorHoursKey, errorKey, outcomeKey } from '../../documents/document-keys.ts';
import { firstSeen, lastSeen } from '../../documents/error-members.ts';
import type { TermMembers } from '../../updates/term-members.ts';
import type { PlannedTags } from './plan-tags.ts';
import type { PlannedWrite } from '../../engine/planned-write.ts';

/** Collections whose documents have watermarks. */
export const GUARDED = [
  'errors',
  'errorHours',
  'errorTags',
  'outcomes',
  'releases',
  'releaseHours',
  'eventReports',
] as const;
export type GuardedName = (typeof GUARDED)[number];

export interface Plan {
  readonly stored: number;
  readonly duplicates: number;
  readonly writes: Readonly<Record<GuardedName, readonly PlannedWrite[]>>;
}

/**
 * Returns the write of an error. `number`: the public number of a new error; null for an existing one. `knownThere`:
 * events that the project's tracker got too. `terms`: members of a new error that come from its first event.
 */
export function errorWrite(
  delta: ErrorDelta,
  number: number | null,
  tags: PlannedTags,
  { knownThere = 0, terms = {} }: { readonly knownThere?: number | undefined; readonly terms?: TermMembers } = {},
): PlannedWrite {
  const { env, rel } = tags.facets;
  const facets = {
    ...(env.length === 0 ? {} : { env: { $each: env } }),
    ...(rel.length === 0 ? {} : { rel: { $each: rel } }),
  };
  const imported = delta.groupingVersion === IMPORTED_GROUPING_VERSION;
  const update = {
    // The shown users of an imported error follow its own ones: `settleImported`.
    // Hours are written before, so a job that finds the flag finds all events.
    $set: { dq: 1 },
    $inc: {
      c: delta.count,
      [imported ? 'imp.uo' : 'u']: delta.newUsers,
      k: delta.count,
      ...(knownThere === 0 ? {} : { kb: knownThere }),
    },
    $min: { first: firstSeen(delta.first) },
    $max: {
      last: lastSeen(delta.last, searchText(delta.last)),
      rcv: delta.newestReceived,
      act: { at: delta.newest.at, r: delta.newest.release },
      ...(imported ? { 'imp.ot': delta.last.at } : {}),
    },
    ...(env.length + rel.length === 0 ? {} : { $addToSet: facets }),
    $setOnInsert: {
      ...(number === null ? {} : { id: number, ...terms }),
      ...(number === null || imported ? {} : pendingMembers(newErrorFact(String(number), delta.firstEvent))),
      v: delta.groupingVersion,
      st: STATUS_CODES.unresolved,
      res: null,
      into: null,
    },
  };
  const releases = [...delta.releases].map(([release, at]) => ({ release, at }));
  const { at, release, environment } = delta.newestEvent;
  const newest = { at, occurred: delta.newest.at, release, environment };
  const _id = errorKey(delta.projectId, delta.groupHash);
  return { _id, p: delta.projectId, update, upsert: number !== null, releases, newest };
}

/** Returns one write per day of the error's events. */
export function hoursWrites(delta: ErrorDelta): PlannedWrite[] {
  const days = new Map<number, Record<string, number>>();
  for (const [hour, count] of delta.hours) {
    const counted = Math.max(hour, 0);
    const day = Math.floor(counted / 24);
    let hours = days.get(day);
    if (hours === undefined) {
      hours = {};
      days.set(day, hours);
    }
    const member = `h.${counted % 24}`;
    hours[member] = (hours[member] ?? 0) + count;
  }
  return [...days].map(([day, $inc]) => ({
    _id: errorHoursKey(delta.projectId, delta.groupHash, day),
    p: delta.projectId,
    update: { $inc, $setOnInsert: { d: day } },
    upsert: true,
  }));
}

export function outcomeWrite(count: OutcomeCount): PlannedWrite {
  const { projectId, keyId, category, outcome, reason, quantity } = count;
  const hr = Math.max(hourOf(count.at), 0);
  return {
    _id: outcomeKey(projectId, hr, `${keyId} ${category} ${outcome} ${reason}`),
    p: projectId,
    update: { $inc: { q: quantity }, $setOnInsert: { hr, k: keyId, c: category, o: outcome, r: reason } },
    upsert: true,
  };
}
