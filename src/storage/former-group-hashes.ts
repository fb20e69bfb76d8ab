import type { DigestedEvent, GroupHash } from '../domain/digest.ts';

const NO_ALIAS = (): undefined => undefined;

/**
 * Returns the event under the group hash that counts it: the first of its own and its former hashes, the newest first,
 * that has an error, or that is an alias of an imported error. Of one hash the error goes before the alias. The own
 * hash where none has either. Own before former keeps results stable: errors begun later by older gateways take no
 * events away.
 *
 * Stores call this before they store an event and keep the result with it. A replay uses the stored result.
 */
export function underKnownGroupHash(
  event: DigestedEvent,
  isKnown: (groupHash: string) => boolean,
  aliasOf: (groupHash: string) => GroupHash | undefined = NO_ALIAS,
): DigestedEvent {
  const { formerGroupHashes = [] } = event;
  if ((aliasOf === NO_ALIAS && formerGroupHashes.length === 0) || isKnown(event.groupHash)) {
    return event;
  }
  const alias = aliasOf(event.groupHash);
  if (alias !== undefined) return { ...event, ...alias };
  for (const former of formerGroupHashes) {
    const found = isKnown(former.groupHash) ? former : aliasOf(former.groupHash);
    if (found !== undefined) return { ...event, ...found };
  }
  return event;
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
