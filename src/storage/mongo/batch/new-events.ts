import { mongo } from 'mongoose';
import type { DigestedEvent, EventBlock } from '../../../domain/digest.ts';
import { MAX_PACKED_LATER_BYTES } from '../../../lib/body-block.ts';
import { OutcomeSums } from '../../fold.ts';
import { groupHashesToCheck, underKnownGroupHash } from '../../former-group-hashes.ts';
import { blockRef } from '../block-document.ts';
import { errorKey, eventKey, hexBinary, type EventDocument } from '../documents.ts';
import type { BatchCollections, Doc } from './batch-collections.ts';
import { allDone } from './all-done.ts';
import type { Keyed } from './key-filters.ts';
import { claimRows, hex } from './marked-rows.ts';
import { storeBlocks, unnamedBlocks } from './new-blocks.ts';
import type { Claim, Slots } from './slots.ts';

/** Maximum bytes of a payload that always fits into a document. */
const MAX_PAYLOAD_BYTES = 15 * 1024 * 1024;

const READ_BACK: Doc = { p: 1, l: 1, v: 1, u: 1, at: 1, r: 1, s: 1, n: 1 };

export interface PreparedEvent {
  readonly event: DigestedEvent;
  /** Without the reference to a block, which the claim determines. */
  readonly document: Omit<EventDocument, 's' | 'n'>;
}

/** Creates the documents before any write: a fault in an event must not leave half a batch. */
export function prepareEvents(events: readonly DigestedEvent[]): PreparedEvent[] {
  return events.map((event) => {
    const { payload } = event;
    if (typeof payload !== 'number' && payload.byteLength > MAX_PAYLOAD_BYTES) {
      throw new RangeError(`a payload of ${payload.byteLength} bytes does not fit into a document`);
    }
    const document = {
      _id: eventKey(event.projectId, event.eventId),
      p: event.projectId,
      l: hexBinary(event.groupHash),
      v: event.groupingVersion,
      u: event.userHash === null ? null : hexBinary(event.userHash),
      at: event.at,
      r: event.receivedAt,
    };
    if (typeof payload === 'number') return { event, document };
    const packedLater = payload.byteLength <= MAX_PACKED_LATER_BYTES ? { i: 1 as const } : {};
    return { event, document: { ...document, d: new mongo.Binary(payload), ...packedLater } };
  });
}

export interface TakenEvents {
  /** Counted events with their stored group hash, user and times, in the batch's order. */
  readonly fresh: readonly DigestedEvent[];
  readonly duplicates: number;
  /** One outcome per event of the batch: accepted, duplicate, project deleted. */
  readonly outcomes: OutcomeSums;
  /** Blocks of the batch with bodies of other batches' events only. */
  readonly unnamedBlocks: readonly Keyed[];
}

export interface TakeOptions {
  readonly collections: BatchCollections;
  readonly slots: Slots;
  readonly claim: Claim;
}

/** Events of a batch and the blocks that have their payloads. */
export interface PreparedBatch {
  readonly events: readonly PreparedEvent[];
  readonly blocks: readonly EventBlock[];
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Inserts the batch's events and returns those that this batch counts. */
export async function takeEvents(prepared: PreparedBatch, options: TakeOptions): Promise<TakenEvents> {
  const { collections, slots, claim } = options;
  const batch = prepared.events;
  const [known, blocks] = await allDone([
    knownProjects(
      batch.map(({ document }) => document.p),
      collections,
    ),
    storeBlocks(prepared.blocks, collections, claim, prepared.now),
  ]);
  const groupHashes = groupHashesToCheck(batch.map(({ event }) => event));
  const grouped = groupHashes.size === 0 ? batch : await underKnownGroupHashes(batch, groupHashes, collections);
  const outcomes = new OutcomeSums();
  const candidates = new Map<string, PreparedEvent>();
  const ordered: [id: string, each: PreparedEvent, first: boolean][] = [];
  for (const each of grouped) {
    if (!known.has(each.event.projectId)) {
      countOutcome(outcomes, each.event, 'project_deleted');
      continue;
    }
    const id = hex(each.document._id);
    const first = !candidates.has(id);
    if (first) {
      candidates.set(id, each);
    }
    ordered.push([id, each, first]);
  }
  const mark = { s: claim.slot, n: claim.n };
  const rows = [...candidates.values()].map((each) => rowOf(each, blocks, mark));
  const owners = await claimRows(collections.events, rows, {
    claim,
    slots,
    projection: READ_BACK,
    // The block of an abandoned batch may be gone; this batch has its own.
    takeOver: ['d', 'i'],
    // All its events are stored then: an insert could only be refused.
    lookFirst: claim.fixedElsewhere === true,
  });
  const fresh: DigestedEvent[] = [];
  const named = new Set<string>();
  let duplicates = 0;
  for (const [id, { event }, first] of ordered) {
    const owner = owners.get(id);
    if (!first || owner === undefined || owner === 'other') {
      duplicates += 1;
      countOutcome(outcomes, event, 'duplicate');
    } else {
      countOutcome(outcomes, event, null);
      fresh.push(owner === 'inserted' ? event : asStored(event, owner));
      // An own row of an earlier run may name the block of another digestion; that is left to retention.
      const block = blockOfEvent(event, blocks);
      if (block !== null) named.add(hex(block._id));
    }
  }
  return { fresh, duplicates, outcomes, unnamedBlocks: unnamedBlocks(blocks, named) };
}

/** Returns the block that has the payload; null for a payload that stands by itself. */
function blockOfEvent({ payload }: DigestedEvent, blocks: readonly Keyed[]): Keyed | null {
  if (typeof payload !== 'number') return null;
  const block = blocks[payload];
  if (block === undefined) throw new RangeError(`the batch has no block ${payload}`);
  return block;
}

/** Returns the row of an event, with the reference to the block that has the payload. */
function rowOf(
  { event, document }: PreparedEvent,
  blocks: readonly Keyed[],
  { s, n }: Pick<EventDocument, 's' | 'n'>,
): EventDocument {
  const block = blockOfEvent(event, blocks);
  if (block === null) return { ...document, s, n };
  // Member by member, which takes a fraction of the time of copying the document.
  const { _id, p, l, v, u, at, r } = document;
  return { _id, p, l, v, u, at, r, d: blockRef(block._id), s, n };
}

/** Returns the event as stored: an earlier run may have grouped it differently. */
function asStored(event: DigestedEvent, stored: EventDocument): DigestedEvent {
  return {
    ...event,
    groupHash: hex(stored.l),
    groupingVersion: stored.v,
    userHash: stored.u === null ? null : hex(stored.u),
    at: stored.at,
    receivedAt: stored.r,
  };
}

/**
 * Returns events whose grouping rules have changed under the stored error. `groupHashes`: their own and former ones.
 */
async function underKnownGroupHashes(
  prepared: readonly PreparedEvent[],
  groupHashes: ReadonlyMap<string, number>,
  { errors }: BatchCollections,
): Promise<readonly PreparedEvent[]> {
  const filter = {
    _id: { $in: [...groupHashes].map(([groupHash, projectId]) => errorKey(projectId, groupHash)) },
    p: { $in: [...new Set(groupHashes.values())] },
  };
  const found = new Set((await errors.find(filter, { _id: 1 }, 'local')).map(({ _id }) => hex(_id as mongo.Binary)));
  return prepared.map(({ event, document }) => {
    const counted = underKnownGroupHash(event, (groupHash) => found.has(hex(errorKey(event.projectId, groupHash))));
    return { event: counted, document: { ...document, l: hexBinary(counted.groupHash), v: counted.groupingVersion } };
  });
}

/** Returns the existing ones of the given projects. */
export async function knownProjects(
  given: readonly number[],
  { projects }: BatchCollections,
): Promise<ReadonlySet<number>> {
  const ids = [...new Set(given)];
  const found = ids.length === 0 ? [] : await projects.find({ _id: { $in: ids } }, { _id: 1 }, 'local');
  return new Set(found.map(({ _id }) => _id as number));
}

function countOutcome(
  outcomes: OutcomeSums,
  event: DigestedEvent,
  reason: 'duplicate' | 'project_deleted' | null,
): void {
  const { projectId, keyId, receivedAt } = event;
  outcomes.add({
    projectId,
    keyId,
    category: 'error',
    outcome: reason === null ? 'accepted' : 'filtered',
    reason: reason ?? '',
    at: receivedAt,
    quantity: 1,
  });
}
