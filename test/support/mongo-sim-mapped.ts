import assert from 'node:assert/strict';
import type { DigestedEvent } from '../../src/domain/ingest/digest.ts';
import { MongoBatches } from '../../src/storage/mongo/batch/mongo-batches.ts';
import type { EventDocument } from '../../src/storage/mongo/documents/documents.ts';
import { errorKey, eventKey } from '../../src/storage/mongo/documents/document-keys.ts';
import type { GroupAliasDocument } from '../../src/storage/mongo/documents/import-documents.ts';
import { newDisk, simPlanFiles } from './mongo-sim-gateway.ts';
import { keyOf } from './mongo-sim.ts';
import {
  attributesOf,
  binaryHex,
  digestSim,
  eventIdOf,
  groupHashHex,
  PROJECT,
  variantOf,
  type SimEvent,
  type SimRecord,
} from './mongo-sim-records.ts';
import type { SimWorld } from './mongo-sim-world.ts';
import { hexId, NOON } from './store-data.ts';

/** Number of builds, which is that of group hashes of events as they were sent. */
const BUILDS = [0, 1, 2];
const SENT = BUILDS.map((build) => groupHashHex(`group hash ${build}`));
const ORIGINALS = [0, 1].map((index) => groupHashHex(`original ${index}`));

/** True when an event may be counted under a group hash: its own, that of another build, or where these lead. */
export function mayCount({ imports }: SimWorld, counted: string, { groupHash, sent }: SimEvent): boolean {
  if (sent === null) return imports.mayCount(counted, groupHash);
  return [groupHash, ...SENT].some((each) => imports.mayCount(counted, each));
}

/**
 * Checks that mapped events are counted under their own group hash, or where its alias leads, and that an error that was
 * sent goes on with those of one group hash.
 */
export function checkMapped(world: SimWorld, records: readonly SimRecord[]): void {
  const continued = new Map<string, string>();
  for (const { groupHash, counted } of mappedEvents(world, records)) {
    if (counted === groupHash) continue;
    assert.equal(aliasOf(world, groupHash), counted, 'an event that was counted without an alias');
    // Imported errors may have several group hashes that were sent.
    if (!SENT.includes(counted)) continue;
    assert.equal(continued.get(counted) ?? groupHash, groupHash, 'an error that goes on with several mapped ones');
    continued.set(counted, groupHash);
  }
}

/** Returns the original group hashes of which mapped events are counted in the error of another group hash. */
export function joinedOriginals(world: SimWorld, records: readonly SimRecord[]): string[] {
  const joined = mappedEvents(world, records).filter(({ groupHash, counted }) => groupHash !== counted);
  return [...new Set(joined.map(({ groupHash }) => groupHash))];
}

/** Sends events of builds that were not seen before. Checks that each is counted where earlier ones of its kind are. */
export async function checkNextBuilds(world: SimWorld, records: readonly SimRecord[]): Promise<void> {
  const before = mappedEvents(world, records);
  const events = ORIGINALS.flatMap((groupHash, index) =>
    [0, 1].map((build) => nextEvent(groupHash, index * 2 + build)),
  );
  await applyCalmly(world, events);
  for (const { groupHash, eventId } of events) {
    const places = new Set(before.filter((each) => each.groupHash === groupHash).map(({ counted }) => counted));
    const row = world.db.of('events').get(keyOf({ _id: eventKey(PROJECT, eventId) })) as unknown as EventDocument;
    const counted = binaryHex(row.l);
    assert.ok(places.size === 0 || places.has(counted), 'the event of a later build is elsewhere');
  }
}

/** Applies a batch of a new journal without faults. */
async function applyCalmly({ db }: SimWorld, events: readonly DigestedEvent[]): Promise<void> {
  const options = {
    drawResult: () => 'ok' as const,
    turn: async () => undefined,
    random: () => 0,
    poison: new Set<string>(),
  };
  const journalId = hexId('journal of next builds');
  const store = new MongoBatches({
    collections: db.connect(options, () => undefined),
    planFiles: simPlanFiles(newDisk(journalId, []), options, () => undefined),
    planDir: '',
    owner: 'owner of next builds',
    now: () => NOON,
  });
  const result = await store.applyBatch({ journalId, n: 1, hash: journalId }, { events, outcomes: [] });
  assert.equal(result.kind, 'applied');
}

function nextEvent(groupHash: string, number: number): DigestedEvent {
  const event = digestSim({ id: 1000 + number, variant: 0 }, 0);
  return { ...event, groupHash, sentGroupHashes: [{ groupHash: hexId(`next build ${number}`), groupingVersion: 1 }] };
}

/** Returns the stored events that were mapped when they were stored, with the group hash that counts them. */
function mappedEvents({ db }: SimWorld, records: readonly SimRecord[]): { groupHash: string; counted: string }[] {
  const ids = [...new Map(records.map((record) => [record.id, record])).values()];
  return ids.flatMap((record) => {
    const row = db.of('events').get(keyOf({ _id: eventKey(PROJECT, eventIdOf(record.id)) })) as unknown as
      EventDocument | undefined;
    if (row === undefined) return [];
    const { groupHash, sent } = attributesOf({ ...record, variant: variantOf(record.id, row.at) });
    return sent === null ? [] : [{ groupHash, counted: binaryHex(row.l) }];
  });
}

function aliasOf({ db }: SimWorld, groupHash: string): string | null {
  const row = db.of('groupAliases').get(keyOf({ _id: errorKey(PROJECT, groupHash) })) as unknown as
    GroupAliasDocument | undefined;
  return row === undefined ? null : binaryHex(row.l);
}
