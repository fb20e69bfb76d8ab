import type { Binary } from '../../documents/document-keys.ts';
import type { EventDocument } from '../../documents/documents.ts';
import { duplicatesIn } from '../answers.ts';
import { byId, type BatchCollections } from '../../engine/batch-collections.ts';
import { findKeys } from './key-filters.ts';
import type { KnownProjects } from './known-projects.ts';
import { hex } from '../marked-rows.ts';
import type { PreparedEvent } from '../prepared-events.ts';

/** Notes in the rows of events whether the project's tracker gets them too. The stored note decides in a replay. */
export function withKnownThere(prepared: readonly PreparedEvent[], projects: KnownProjects): readonly PreparedEvent[] {
  if (![...projects.values()].some(({ knownUntil }) => knownUntil !== undefined)) return prepared;
  return prepared.map((each) => {
    const { event, document } = each;
    const until = projects.get(event.projectId)?.knownUntil;
    return until === undefined || event.receivedAt > until ? each : { event, document: { ...document, kt: 1 } };
  });
}

/** What a mark takes from its event. `r`: 0 for an event that is known by its time already, which counts once. */
export type MarkedEvent = Pick<EventDocument, '_id' | 'p' | 'l' | 'r'>;

/**
 * Gives marks that wait for these events the group hash and time of receipt. A mark is written before it looks for its
 * event, and the event before this looks for the mark, so that one of both finds the other.
 */
export async function settleMarks(
  events: readonly MarkedEvent[],
  { knownThere }: Pick<BatchCollections, 'knownThere'>,
): Promise<void> {
  const marks = await findKeys(knownThere, events, { l: 1 });
  const waiting = new Set(marks.filter(({ l }) => l === null).map(({ _id }) => hex(_id as Binary)));
  const operations = events
    .filter(({ _id }) => waiting.has(hex(_id)))
    .sort((a, b) => byId(a._id, b._id))
    .map(({ _id, p, l, r }) => ({ filter: { _id, p, l: null }, update: { $set: { l, r } }, upsert: false }));
  if (operations.length > 0) duplicatesIn(await knownThere.updateEach(operations));
}
