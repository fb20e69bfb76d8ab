import type { DigestedEvent, GroupHash } from '../../domain/ingest/digest.ts';

/** Finds what the store knows of the events that were sent under a group hash. */
export interface ContinuationLookup {
  /** Returns the group hash of the mapped events that go on with them; undefined: none do yet. */
  readonly continuedBy: (sent: string) => string | undefined;
}

/**
 * True when a mapped event may go on with what was sent under one of its hashes. The first one decides: mapped events
 * with another group hash only look alike without maps.
 */
export function mayContinue(event: DigestedEvent, sent: GroupHash, { continuedBy }: ContinuationLookup): boolean {
  const mapped = continuedBy(sent.groupHash);
  return mapped === undefined || mapped === event.groupHash;
}
