import assert from 'node:assert/strict';
import type { DigestedBatch } from '../../../../src/domain/ingest/digest.ts';
import { PackedEvents, type UnpackedEvent } from '../../../../src/integrated/digest/packed-events.ts';
import { BodyBlock, MAX_BLOCK_CHARACTERS } from '../../../../src/lib/bodies/body-block.ts';
import { decodeText } from '../../../../src/lib/bodies/payload-codec.ts';
import { diskWith, digest, digestAll, eventId, openJournal, record } from '../../../support/journal-world.ts';
import { MemoryBatchStore } from '../../../support/memory-batch-store.ts';

/** Digests the record with this number, as an event of a project. */
function eventOf(index: number, projectId = 1, body?: string): UnpackedEvent {
  const { event } = digest(record(index, { projectId, ...(body === undefined ? {} : { body: Buffer.from(body) }) }));
  assert.ok(event !== null);
  return event;
}

function packed(events: readonly UnpackedEvent[]) {
  const packing = new PackedEvents();
  for (const event of events) packing.add(event);
  return packing.finish();
}

/** Reads the body of each event of a batch as a store would, by what the event says of its payload. */
function bodiesOf({ events, blocks = [] }: Pick<DigestedBatch, 'events' | 'blocks'>): string[] {
  return events.map(({ projectId, eventId: id, payload }) => {
    if (typeof payload !== 'number') return decodeText(payload).toString();
    const block = blocks[payload];
    assert.equal(block?.projectId, projectId);
    assert.ok(block.eventIds.includes(id));
    return new BodyBlock(block.bodies).find(id)?.toString() ?? 'none';
  });
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('PackedEvents', () => {
  it('keeps the order of the events, those of projects with many and with few', () => {
    // Project 1 has 150 events, project 2 has 3, and project 3 has 50.
    const projectOf = (index: number) => (index % 4 === 1 ? 3 : index % 70 === 0 ? 2 : 1);
    const events = upTo(203).map((index) => eventOf(index, projectOf(index)));
    const expected = events.map(({ projectId, eventId: id, payload }) => ({ projectId, id, payload }));
    const batch = packed(events);
    assert.deepEqual(
      batch.events.map(({ projectId, eventId: id }) => ({ projectId, id })),
      expected.map(({ projectId, id }) => ({ projectId, id })),
    );
    assert.deepEqual(
      bodiesOf(batch),
      expected.map(({ payload }) => payload),
    );
    for (const { projectId, payload } of batch.events) {
      assert.equal(typeof payload === 'number', projectId !== 2, 'few have their payloads to themselves');
    }
    assert.deepEqual(new Set(batch.blocks.map(({ projectId }) => projectId)), new Set([1, 3]));
  });

  it('names in each block its events, and leaves no block without events', () => {
    const { events, blocks } = packed(upTo(150).map((index) => eventOf(index)));
    assert.deepEqual(
      blocks.map(({ eventIds }) => eventIds),
      [upTo(64), upTo(64).map((index) => 64 + index), upTo(22).map((index) => 128 + index)].map((each) =>
        each.map(eventId),
      ),
    );
    for (const { eventIds, bodies } of blocks) assert.deepEqual(new BodyBlock(bodies).eventIds(), eventIds);
    assert.deepEqual(
      events.map(({ payload }) => payload),
      upTo(150).map((index) => Math.floor(index / 64)),
    );
  });

  it('replaces the text of each event', () => {
    const large = 'x'.repeat(MAX_BLOCK_CHARACTERS);
    const given = [...upTo(20).map((index) => eventOf(index)), eventOf(20, 1, large), eventOf(21, 2)];
    const batch = packed(given);
    assert.ok(batch.events.every(({ payload }) => typeof payload !== 'string'));
    assert.ok(
      batch.events.every((event, index) => event === (given[index] as unknown)),
      'no event is copied',
    );
    assert.equal(bodiesOf(batch)[20], large);
  });

  it('takes an event twice, whose first body is read', () => {
    const again = eventOf(3, 1, '{"another":1}');
    const batch = packed([...upTo(20).map((index) => eventOf(index)), again]);
    assert.equal(batch.events.length, 21);
    assert.equal(bodiesOf(batch)[3], eventOf(3).payload);
  });

  it('gives an empty batch without events', () => {
    assert.deepEqual(packed([]), { events: [], blocks: [] });
  });

  it('has no trace of records that cannot be digested, between the others', async () => {
    const disk = await diskWith(0);
    const journal = await openJournal(disk);
    for (const index of upTo(60)) {
      const projectId = index % 10 === 5 ? 2 : 1;
      const body = index % 7 === 3 ? { body: Buffer.from('{"poison":1}') } : {};
      await journal.append([record(index, { projectId, ...body })]);
    }
    await journal.close();
    const store = new MemoryBatchStore();
    const batches: DigestedBatch[] = [];
    store.refuse = (_, batch) => void batches.push(batch);
    await digestAll(disk, store);
    const left = upTo(60).filter((index) => index % 7 !== 3);
    assert.deepEqual(
      batches.flatMap(({ events }) => events.map((event) => event.eventId)),
      left.map(eventId),
    );
    assert.deepEqual(
      batches.flatMap(bodiesOf),
      left.map((index) => eventOf(index).payload),
    );
    const named = batches.flatMap(({ blocks = [] }) => blocks.flatMap(({ eventIds }) => eventIds));
    assert.ok(named.length > 40 && named.every((id) => left.map(eventId).includes(id)));
  });
});
