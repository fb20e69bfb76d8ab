import type { DigestedEvent } from '../domain/digest.ts';

/**
 * Returns the event under the group hash that counts it. That is its own hash where the store has an error under it, or
 * has none under the former hashes. Else it is the newest former hash with an error. Own before former keeps results
 * stable: errors begun later by older gateways take no events away.
 *
 * Stores call this before they store an event and keep the result with it. A replay uses the stored result.
 */
export function underKnownGroupHash(event: DigestedEvent, isKnown: (groupHash: string) => boolean): DigestedEvent {
  const { formerGroupHashes } = event;
  if (formerGroupHashes === undefined || formerGroupHashes.length === 0 || isKnown(event.groupHash)) {
    return event;
  }
  const former = formerGroupHashes.find(({ groupHash }) => isKnown(groupHash));
  return former === undefined ? event : { ...event, ...former };
}

/** Returns every group hash on which the result for these events depends: none without former group hashes. */
export function groupHashesToCheck(events: readonly DigestedEvent[]): Map<string, number> {
  const groupHashes = new Map<string, number>();
  for (const { formerGroupHashes, groupHash, projectId } of events) {
    if (formerGroupHashes !== undefined && formerGroupHashes.length > 0) {
      groupHashes.set(groupHash, projectId);
      formerGroupHashes.forEach((former) => groupHashes.set(former.groupHash, projectId));
    }
  }
  return groupHashes;
}
