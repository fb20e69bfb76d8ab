import assert from 'node:assert/strict';
import { mongo } from 'mongoose';
import { encodeBlock } from '../../../../../src/lib/bodies/body-block.ts';
import type { MongoContext } from '../../../../../src/storage/mongo/engine/context.ts';
import { blockRef } from '../../../../../src/storage/mongo/documents/block-document.ts';
import { eventKey, key, type Binary } from '../../../../../src/storage/mongo/documents/document-keys.ts';
import { EventBodies } from '../../../../../src/storage/mongo/events/event-bodies.ts';
import { encodePayload } from '../../../../support/encode-payload.ts';
import { hexId, normalisedEvent } from '../../../../support/store-data.ts';

const P = 1;
const own = (name: string) => new mongo.Binary(encodePayload(normalisedEvent(hexId(name), name)));
const blockKey = (name: string) => key(P, hexId(name), 16);

/** Store of events and blocks that counts reads. `onRead` runs before each. */
class FakeCollections {
  readonly payloads = new Map<string, Binary | undefined>();
  readonly blocks = new Map<string, Binary>();
  readonly reads: string[] = [];
  onRead: () => void = () => undefined;
  readonly context = {
    collections: {
      events: {
        findOne: async ({ _id }: { _id: Binary }) => {
          this.#read('event');
          const id = _id.toString('hex');
          const d = this.payloads.get(id);
          return this.payloads.has(id) ? { _id, ...(d === undefined ? {} : { d }) } : null;
        },
      },
      eventBlocks: {
        findOne: async ({ _id }: { _id: Binary }) => {
          this.#read('block');
          const d = this.blocks.get(_id.toString('hex'));
          return d === undefined ? null : { _id, d };
        },
      },
    },
  } as unknown as MongoContext;

  #read(kind: string): void {
    this.reads.push(kind);
    this.onRead();
  }

  /** Returns the row of an event, as a reader has read it. */
  row(name: string): { _id: Binary; d?: Binary } {
    const _id = eventKey(P, hexId(name));
    const d = this.payloads.get(_id.toString('hex'));
    return { _id, ...(d === undefined ? {} : { d }) };
  }

  setPayload(name: string, d: Binary | undefined): void {
    this.payloads.set(eventKey(P, hexId(name)).toString('hex'), d);
  }

  /** Adds a block of events, which refer to it from then on. */
  pack(block: string, ...names: string[]): void {
    const bodies = names.map((name) => ({
      eventId: hexId(name),
      json: JSON.stringify(normalisedEvent(hexId(name), name)),
    }));
    this.blocks.set(blockKey(block).toString('hex'), new mongo.Binary(encodeBlock(bodies)));
    for (const name of names) this.setPayload(name, blockRef(blockKey(block)));
  }

  removeBlock(block: string): void {
    this.blocks.delete(blockKey(block).toString('hex'));
  }
}

describe('EventBodies', () => {
  let fake: FakeCollections;
  let bodies: EventBodies;
  const read = async (row: { _id: Binary; d?: Binary }) => (await bodies.read(P, row))?.event.message;
  beforeEach(() => {
    fake = new FakeCollections();
    bodies = new EventBodies(fake.context);
  });

  it('reads a block once for all of its events', async () => {
    fake.pack('one', 'a', 'b', 'c');
    for (const name of ['a', 'b', 'c', 'a']) assert.equal(await read(fake.row(name)), name);
    assert.deepEqual(fake.reads, ['block']);
  });

  it('reads nothing for a body of its own, or one that was pruned', async () => {
    fake.setPayload('a', own('a'));
    fake.setPayload('b', undefined);
    assert.equal(await read(fake.row('a')), 'a');
    assert.equal(await read(fake.row('b')), undefined);
    assert.deepEqual(fake.reads, []);
  });

  it('reads the event once more when its block was dissolved meanwhile', async () => {
    fake.pack('one', 'a', 'b');
    const before = fake.row('a');
    fake.onRead = () => {
      fake.setPayload('a', own('a'));
      fake.removeBlock('one');
    };
    assert.equal(await read(before), 'a');
    assert.deepEqual(fake.reads, ['block', 'event']);
  });

  it('reads the event once more when it was dissolved and packed again meanwhile', async () => {
    fake.pack('one', 'a', 'b');
    const before = fake.row('a');
    fake.pack('two', 'a', 'c');
    fake.removeBlock('one');
    assert.equal(await read(before), 'a');
    assert.deepEqual(fake.reads, ['block', 'event', 'block']);
  });

  it('finds the body by itself when the event was packed after it was read', async () => {
    fake.setPayload('a', own('a'));
    const before = fake.row('a');
    fake.pack('one', 'a', 'b');
    assert.equal(await read(before), 'a');
    assert.deepEqual(fake.reads, []);
  });

  it('has no body when the event was pruned meanwhile, with its key or without', async () => {
    for (const prune of [
      () => fake.setPayload('a', undefined),
      () => fake.payloads.delete(fake.row('a')._id.toString('hex')),
    ]) {
      fake.pack('one', 'a', 'b');
      const before = fake.row('a');
      fake.onRead = () => {
        prune();
        fake.removeBlock('one');
      };
      assert.equal(await read(before), undefined);
    }
  });

  it('throws for a damaged block, which is no pruned event', async () => {
    fake.pack('one', 'a', 'b');
    fake.blocks.set(blockKey('one').toString('hex'), new mongo.Binary(Buffer.of(9)));
    await assert.rejects(bodies.read(P, fake.row('a')), /unknown format 9/);
  });
});
