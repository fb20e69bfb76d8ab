import type { DigestedEvent, GroupHash } from '../../domain/ingest/digest.ts';

/** Group hash that an alias leads to, with the number of the imported error. */
export interface AliasTarget extends GroupHash {
  readonly number: number;
}

/** Finds what the store knows of a group hash. */
export interface GroupHashLookup {
  /** Returns the number of the error that has the group hash; undefined: none has. */
  readonly numberOf: (groupHash: string) => number | undefined;
  /** Returns the imported error that the group hash is an alias of. */
  readonly aliasOf?: (groupHash: string) => AliasTarget | undefined;
}

/** Candidate that counts an event, unless an older one does. */
interface Found extends AliasTarget {
  readonly isAlias: boolean;
}

/**
 * Returns the event under the group hash that counts it. The candidates are its own and its former hashes, the newest
 * first; each leads to its error, else to the imported error that it is an alias of. The first one counts, unless a
 * later one leads to an older error. That error keeps what it collects, so no rule splits it. Without a candidate the
 * own hash counts.
 *
 * Ages make results stable: errors begun later, also by older gateways, take no events away. An event that an error
 * counts has no former hashes any more, so whether they are dropped does not matter.
 *
 * Stores call this before they store an event and keep the result with it. A replay uses the stored result.
 */
export function underKnownGroupHash(event: DigestedEvent, lookup: GroupHashLookup): DigestedEvent {
  const { formerGroupHashes = [], ...alone } = event;
  if (formerGroupHashes.length === 0 && lookup.aliasOf === undefined) return event;
  let counting = find(event, lookup);
  for (const former of formerGroupHashes) {
    const found = find(former, lookup);
    if (found !== undefined && (counting === undefined || isOlder(found, counting))) counting = found;
  }
  if (counting === undefined) return event;
  const { groupHash, groupingVersion } = counting;
  if (formerGroupHashes.length === 0 && groupHash === event.groupHash) return event;
  return { ...alone, groupHash, groupingVersion };
}

function find({ groupHash, groupingVersion }: GroupHash, { numberOf, aliasOf }: GroupHashLookup): Found | undefined {
  const number = numberOf(groupHash);
  if (number !== undefined) return { groupHash, groupingVersion, number, isAlias: false };
  const alias = aliasOf?.(groupHash);
  return alias === undefined ? undefined : { ...alias, isAlias: true };
}

/** Lower numbers are older. Imported history is older than any error of this store, whatever its number. */
function isOlder(found: Found, than: Found): boolean {
  return found.isAlias === than.isAlias ? found.number < than.number : found.isAlias;
}
