import type { DigestedEvent } from '../domain/digest.ts';

/**
 * The event under the leaf at which it is counted: its own where the store knows an error there or under
 * none of its former leaves, else the newest former leaf that is known. Own before former, so that an
 * answer holds once it is given: an error that older gateways begin later draws no events away.
 *
 * Stores ask before they store an event and keep the answer with it. A replay goes by what is stored.
 */
export function underKnownLeaf(event: DigestedEvent, isKnown: (leaf: string) => boolean): DigestedEvent {
  const { formerLeaves } = event;
  if (formerLeaves === undefined || formerLeaves.length === 0 || isKnown(event.leaf)) {
    return event;
  }
  const former = formerLeaves.find(({ leaf }) => isKnown(leaf));
  return former === undefined ? event : { ...event, ...former };
}

/** Every leaf that the answer for these events depends on: none where no event has a former leaf. */
export function leavesInQuestion(events: readonly DigestedEvent[]): Map<string, number> {
  const leaves = new Map<string, number>();
  for (const { formerLeaves, leaf, projectId } of events) {
    if (formerLeaves !== undefined && formerLeaves.length > 0) {
      leaves.set(leaf, projectId);
      formerLeaves.forEach((former) => leaves.set(former.leaf, projectId));
    }
  }
  return leaves;
}
