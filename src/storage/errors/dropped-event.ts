import type { DigestedEvent } from '../../domain/ingest/digest.ts';
import { mayContinue, type ContinuationLookup } from './continuation.ts';

export interface DropLookup extends ContinuationLookup {
  /** True when the events of a group hash are dropped. */
  readonly isDropped: (groupHash: string) => boolean;
}

export interface Drop {
  /** Group hash as sent with which only mapped events of this event's own hash go on from now; null: no change. */
  readonly continues: string | null;
}

/**
 * Returns how an event of no known error is dropped; null: it is not. It is dropped when its own or a former group hash
 * is, and when one is as it was sent, unless other mapped events go on with that.
 */
export function dropOf(event: DigestedEvent, lookup: DropLookup): Drop | null {
  const { formerGroupHashes = [], sentGroupHashes = [] } = event;
  if ([event, ...formerGroupHashes].some(({ groupHash }) => lookup.isDropped(groupHash))) return { continues: null };
  const sent = sentGroupHashes.find((each) => lookup.isDropped(each.groupHash) && mayContinue(event, each, lookup));
  return sent === undefined ? null : { continues: sent.groupHash };
}
