import type { DigestedEvent, EventBlock } from '../../../domain/ingest/digest.ts';
import { OutcomeSums } from '../../fold.ts';
import { blockRef } from '../documents/block-document.ts';
import type { EventDocument } from '../documents/documents.ts';
import { allDone } from './all-done.ts';
import type { BatchCollections, Doc } from '../engine/batch-collections.ts';
import { Continuations } from './continuations.ts';
import { fatesOf } from './dropped-groups.ts';
import type { Keyed } from './known/key-filters.ts';
import { underKnownGroupHashes } from './known/known-group-hashes.ts';
import { knownProjects, type KnownProjects } from './known/known-projects.ts';
import { withKnownThere, type MarkedEvent } from './known/known-there.ts';
import type { KnownRows } from './known/known-rows.ts';
import { claimRows, hex } from './marked-rows.ts';
import { storeBlocks, unnamedBlocks } from './new-blocks.ts';
import type { PreparedEvent } from './prepared-events.ts';
import type { Claim, Slots } from './slots.ts';

const READ_BACK: Doc = { p: 1, l: 1, v: 1, u: 1, at: 1, r: 1, s: 1, n: 1, kt: 1 };

export interface TakenEvents {
  /** Counted events with their stored group hash, user and times, in the batch's order. */
  readonly fresh: readonly DigestedEvent[];
  /** True when some are of projects with imported errors. */
  readonly imports: boolean;
  /** Number of counted events that the project's tracker got too, per group hash. */
  readonly knownThere: ReadonlyMap<string, number>;
  /** Counted events for which marks may wait. */
  readonly awaited: readonly MarkedEvent[];
  readonly duplicates: number;
  /** One outcome per event of the batch: accepted, duplicate, project deleted. */
  readonly outcomes: OutcomeSums;
  /** Blocks of the batch with bodies of other batches' events only. */
  readonly unnamedBlocks: readonly Keyed[];
  /** True when errors of its projects were deleted at some time. */
  readonly deletions: boolean;
}

export interface TakeOptions {
  readonly collections: BatchCollections;
  readonly slots: Slots;
  readonly claim: Claim;
  /** Group hashes whose errors are durably in the store. */
  readonly knownErrors: KnownRows;
  /** Called with the projects of the batch before rows are looked up. */
  readonly deletionsSeen: (projects: KnownProjects) => void;
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
  const { collections, slots, claim, knownErrors } = options;
  const batch = prepared.events;
  const [known, blocks] = await allDone([
    knownProjects(
      batch.map(({ document }) => document.p),
      collections,
    ),
    storeBlocks(prepared.blocks, collections, claim, prepared.now),
  ]);
  // Rows of errors that were deleted meanwhile are no longer known.
  options.deletionsSeen(known);
  const continuations = new Continuations(collections);
  const lookup = { collections, continuations, projects: known, knownErrors, now: prepared.now };
  const grouped = withKnownThere(await underKnownGroupHashes(batch, lookup), known);
  const fateOf = await fatesOf(grouped, known, claim, collections, continuations);
  const outcomes = new OutcomeSums();
  const candidates = new Map<string, { readonly each: PreparedEvent; readonly deleted: boolean }>();
  const ordered: [id: string, each: PreparedEvent, first: boolean, deleted: boolean][] = [];
  for (const [index, each] of grouped.entries()) {
    if (!known.has(each.event.projectId)) {
      countOutcome(outcomes, each.event, 'project_deleted');
      continue;
    }
    const fate = fateOf(index);
    if (fate === 'discarded') {
      countOutcome(outcomes, each.event, 'discarded_error');
      continue;
    }
    const id = hex(each.document._id);
    const first = !candidates.has(id);
    if (first) {
      candidates.set(id, { each, deleted: fate === 'deleted' });
    }
    ordered.push([id, each, first, fate === 'deleted']);
  }
  const mark = { s: claim.slot, n: claim.n };
  const rows = [...candidates.values()].map(({ each, deleted }) =>
    deleted ? keyOnly(each, mark) : rowOf(each, blocks, mark),
  );
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
  const knownThere = new Map<string, number>();
  const awaited: MarkedEvent[] = [];
  let imports = false;
  const named = new Set<string>();
  let duplicates = 0;
  for (const [id, { event, document }, first, deleted] of ordered) {
    const owner = owners.get(id);
    if (!first || owner === undefined || owner === 'other') {
      duplicates += 1;
      countOutcome(outcomes, event, 'duplicate');
    } else if (deleted) {
      countOutcome(outcomes, event, null);
    } else {
      countOutcome(outcomes, event, null);
      fresh.push(owner === 'inserted' ? event : asStored(event, owner));
      const stored = owner === 'inserted' ? document : owner;
      const there = stored.kt === 1;
      const project = known.get(event.projectId);
      imports ||= project?.imports === true;
      if (project?.marks === true) {
        awaited.push({ _id: stored._id, p: stored.p, l: stored.l, r: there ? 0 : stored.r });
      }
      if (there) knownThere.set(hex(stored.l), (knownThere.get(hex(stored.l)) ?? 0) + 1);
      // An own row of an earlier run may name the block of another digestion; that is left to retention.
      const block = blockOfEvent(event, blocks);
      if (block !== null) named.add(hex(block._id));
    }
  }
  return {
    fresh,
    imports,
    knownThere,
    awaited,
    duplicates,
    outcomes,
    unnamedBlocks: unnamedBlocks(blocks, named),
    deletions: [...known.values()].some((project) => project.deletions > 0),
  };
}

/** Returns the block that has the payload; null for a payload that stands by itself. */
function blockOfEvent({ payload }: DigestedEvent, blocks: readonly Keyed[]): Keyed | null {
  if (typeof payload !== 'number') return null;
  const block = blocks[payload];
  if (block === undefined) throw new RangeError(`the batch has no block ${payload}`);
  return block;
}

/** Returns the row of an event that is deleted with its error: only repeats need it. */
function keyOnly({ document }: PreparedEvent, { s, n }: Pick<EventDocument, 's' | 'n'>): EventDocument {
  const { _id, p, l, v, u, at, r } = document;
  return { _id, p, l, v, u, at, r, s, n };
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
  const { _id, p, l, v, u, at, r, kt } = document;
  const row = { _id, p, l, v, u, at, r, d: blockRef(block._id), s, n };
  return kt === undefined ? row : { ...row, kt };
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

function countOutcome(
  outcomes: OutcomeSums,
  event: DigestedEvent,
  reason: 'duplicate' | 'project_deleted' | 'discarded_error' | null,
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
