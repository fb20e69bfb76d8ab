import type { DigestedEvent } from '../domain/digest.ts';

/**
 * The event under the group hash at which it is counted: its own where the store knows an error there or under
 * none of its former group hashes, else the newest former group hash that is known. Own before former, so that an
 * answer holds once it is given: an error that older gateways begin later draws no events away.
 *
 * Stores ask before they store an event and keep the answer with it. A replay goes by what is stored.
 */
export function underKnownGroupHash(event: DigestedEvent, isKnown: (groupHash: string) => boolean): DigestedEvent {
  const { formerGroupHashes } = event;
  if (formerGroupHashes === undefined || formerGroupHashes.length === 0 || isKnown(event.groupHash)) {
    return event;
  }
  const former = formerGroupHashes.find(({ groupHash }) => isKnown(groupHash));
  return former === undefined ? event : { ...event, ...former };
}

/** Every group hash that the answer for these events depends on: none where no event has a former group hash. */
export function leavesInQuestion(events: readonly DigestedEvent[]): Map<string, number> {
  const groupHashes = new Map<string, number>();
  for (const { formerGroupHashes, groupHash, projectId } of events) {
    if (formerGroupHashes !== undefined && formerGroupHashes.length > 0) {
      groupHashes.set(groupHash, projectId);
      formerGroupHashes.forEach((former) => groupHashes.set(former.groupHash, projectId));
    }
  }
  return groupHashes;
}
