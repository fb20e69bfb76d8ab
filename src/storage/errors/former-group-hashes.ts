import type { DigestedEvent, GroupHash } from '../../domain/ingest/digest.ts';
import { IMPORTED_GROUPING_VERSION } from '../imports/imported-group-hash.ts';
import { mayContinue, type ContinuationLookup } from './continuation.ts';

/** Group hash of an error, with the error's number. */
export interface KnownGroupHash extends GroupHash {
  readonly number: number;
}

/** Finds what the store knows of a group hash. */
export interface GroupHashLookup extends ContinuationLookup {
  /** Returns the number of the error that has the group hash; undefined: none has. */
  readonly numberOf: (groupHash: string) => number | undefined;
  /** Returns the error that the group hash is an alias of: an imported one, or one that mapped events go on. */
  readonly aliasOf?: (groupHash: string) => KnownGroupHash | undefined;
}

/** Alias that a mapped event leaves. */
export interface LeftAlias extends GroupHash {
  /** Group hash as sent by which the event was found. No mapped events with another group hash go on with it. */
  readonly continues: string;
}

export interface CountedEvent {
  /** The event under the group hash that counts it. */
  readonly event: DigestedEvent;
  /** Group hash to keep as an alias of the one that counts, before the event is stored; null: none. */
  readonly alias: LeftAlias | null;
}

/**
 * Returns the event under the group hash that counts it. The candidates are its own and its former hashes, the newest
 * first; each leads to its error, else to the error that it is an alias of. The first one counts, unless a later one
 * leads to an older error. That error keeps what it collects, so no rule splits it. Without a candidate the hashes of a
 * mapped event as it was sent are candidates in the same way. Without any the own hash counts.
 *
 * Ages make results stable: errors begun later, also by older gateways, take no events away. An event that an error
 * counts has no other hashes any more, so whether they are dropped does not matter.
 *
 * A mapped event that is found as it was sent leaves an alias. Later ones of other builds, which are sent otherwise,
 * follow it to the same error. Mapped events with another group hash do not: what was sent is continued by one alone.
 * An error that mapped events began takes precedence over all that were sent.
 *
 * Stores call this before they store an event and keep the result with it. A replay uses the stored result.
 */
export function underKnownGroupHash(event: DigestedEvent, lookup: GroupHashLookup): CountedEvent {
  const { formerGroupHashes = [], sentGroupHashes = [], ...alone } = event;
  const isAlone = formerGroupHashes.length === 0 && sentGroupHashes.length === 0;
  if (isAlone && lookup.aliasOf === undefined) return { event, alias: null };
  const own = oldest([event, ...formerGroupHashes], lookup);
  const sent = own === undefined ? sentGroupHashes.filter((each) => mayContinue(event, each, lookup)) : [];
  const counting = own ?? oldest(sent, lookup);
  if (counting === undefined) return { event, alias: null };
  const { groupHash, groupingVersion } = counting;
  if (isAlone && groupHash === event.groupHash) return { event, alias: null };
  const counted = { ...alone, groupHash, groupingVersion };
  const by = sent.find((each) => find(each, lookup)?.groupHash === groupHash);
  if (by === undefined) return { event: counted, alias: null };
  const alias = { groupHash: event.groupHash, groupingVersion: event.groupingVersion, continues: by.groupHash };
  return { event: counted, alias };
}

/** Returns the first candidate with the oldest error. */
function oldest(candidates: readonly GroupHash[], lookup: GroupHashLookup): KnownGroupHash | undefined {
  let counting: KnownGroupHash | undefined;
  for (const each of candidates) {
    const found = find(each, lookup);
    if (found !== undefined && (counting === undefined || isOlder(found, counting))) counting = found;
  }
  return counting;
}

function find({ groupHash, groupingVersion }: GroupHash, lookup: GroupHashLookup): KnownGroupHash | undefined {
  const number = lookup.numberOf(groupHash);
  return number === undefined ? lookup.aliasOf?.(groupHash) : { groupHash, groupingVersion, number };
}

/** Lower numbers are older. Imported history is older than any error of this store, whatever its number. */
function isOlder(found: KnownGroupHash, than: KnownGroupHash): boolean {
  const [first, second] = [found, than].map(({ groupingVersion }) => groupingVersion === IMPORTED_GROUPING_VERSION);
  return first === second ? found.number < than.number : first === true;
}
