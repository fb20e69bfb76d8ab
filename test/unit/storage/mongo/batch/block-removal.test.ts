import assert from 'node:assert/strict';
import { mongo } from 'mongoose';
import { BodyBlock, encodeBlock } from '../../../../../src/lib/body-block.ts';
import { decodeText, encodeText } from '../../../../../src/lib/payload-codec.ts';
import type { BatchCollection, BatchCollections } from '../../../../../src/storage/mongo/batch/batch-collections.ts';
import {
  BLOCK_HEAD,
  deleteUnused,
  leaveBlocks,
  type BlockHead,
} from '../../../../../src/storage/mongo/batch/block-removal.ts';
import { MongoBatches } from '../../../../../src/storage/mongo/batch/mongo-batches.ts';
import { storeBlocks } from '../../../../../src/storage/mongo/batch/new-blocks.ts';
import { packBodies, storedBodyOf } from '../../../../../src/storage/mongo/batch/packed-block.ts';
import { blockOf, blockRef, eventKey, key, type EventDocument } from '../../../../../src/storage/mongo/documents.ts';
import { keyOf, SimDatabase, type SimOptions, type SimResult } from '../../../../support/mongo-sim.ts';
import { digestBatch, eventIdOf, PROJECT } from '../../../../support/mongo-sim-records.ts';
import { hexId, HOUR, NOON } from '../../../../support/store-data.ts';

/** Orders of steps that random runs of the model check meet too seldom. */
describe('blocks of event bodies on MongoDB', () => {
  const connect = (db: SimDatabase, options: Partial<SimOptions> = {}) =>
    db.connect(
      { drawResult: () => 'ok', turn: async () => undefined, random: () => 0, poison: new Set(), ...options },
      () => undefined,
    );
  const put = (db: SimDatabase, name: string, document: Record<string, unknown>) =>
    db.of(name).set(keyOf(document), document);
  const eventOf = (db: SimDatabase, id: number) =>
    db.of('events').get(keyOf({ _id: eventKey(PROJECT, eventIdOf(id)) })) as unknown as EventDocument;
  const blockIds = (db: SimDatabase) => [...db.of('eventBlocks').keys()];
  /** Returns the body of an event as a reader finds it. */
  const bodyOf = (db: SimDatabase, id: number): string | undefined => {
    const { d } = eventOf(db, id);
    const ref = d === undefined ? null : blockOf(PROJECT, d);
    if (d === undefined || ref === null) return d && decodeText(d.buffer).toString();
    const block = db.of('eventBlocks').get(keyOf({ _id: ref }));
    return block && new BodyBlock((block.d as mongo.Binary).buffer).find(eventIdOf(id))?.toString();
  };

  it('stay when their batch is confirmed before any step of the removal', async () => {
    let steps = Infinity;
    for (let at = 0; at < steps; at += 1) {
      const db = new SimDatabase();
      const _id = key(PROJECT, hexId('block'), 16);
      const head = { _id, p: PROJECT, s: 1, n: 1, t: 0, e: new mongo.Binary(Buffer.from(eventIdOf(1), 'hex')) };
      const d = new mongo.Binary(encodeBlock([{ eventId: eventIdOf(1), json: '{}' }]));
      put(db, 'eventBlocks', { ...head, d });
      put(db, 'slots', { _id: 1, n: 1, open: true });
      let step = 0;
      const turn = async () => {
        if (step === at) {
          put(db, 'events', { _id: eventKey(PROJECT, eventIdOf(1)), p: PROJECT, s: 1, n: 1, d: blockRef(_id) });
          put(db, 'slots', { _id: 1, n: 1, open: false });
        }
        step += 1;
      };
      const collections = connect(db, { turn });
      await deleteUnused({ collections, now: () => NOON }, [head]);
      assert.equal(blockIds(db).length, 1, `confirmed before step ${at}`);
      steps = Math.max(step, 2);
    }
  });

  it('are those of the batch that takes over an event whose insert came after the removal', async () => {
    const db = new SimDatabase();
    put(db, 'projects', { _id: PROJECT });
    const records = Array.from({ length: 8 }, (_, id) => ({ id, variant: 0 }));
    const apply = (poison: readonly number[]) =>
      new MongoBatches({
        collections: connect(db, { poison: new Set(poison.map(eventIdOf)) }),
        planFiles: {
          makeDir: async () => undefined,
          readAll: async () => null,
          replace: async () => undefined,
          remove: async () => undefined,
        },
        planDir: '',
        owner: 'owner',
        now: () => NOON,
      }).applyBatch({ journalId: hexId('journal'), n: 1, hash: hexId('hash') }, digestBatch(records, 0, true));
    await assert.rejects(apply([7]), /refuses a document/);
    assert.equal(db.of('events').size, 7, 'the others are stored under the abandoned number');
    db.of('eventBlocks').clear();
    assert.deepEqual(await apply([]), { kind: 'applied', stored: 8, duplicates: 0, newErrors: 3 });
    for (const { id } of records) assert.match(bodyOf(db, id) ?? 'none', new RegExp(eventIdOf(id)));
  });

  it('do not get a payload by a packing that comes after it was packed and unpacked by another', async () => {
    const db = new SimDatabase();
    for (const id of [1, 2, 3]) {
      const d = new mongo.Binary(encodeText(`"body ${id}"`));
      put(db, 'events', { _id: eventKey(PROJECT, eventIdOf(id)), p: PROJECT, s: 1, n: 1, d, i: 1 });
    }
    let now = NOON;
    const context = (...results: SimResult[]) => ({
      collections: connect(db, { drawResult: () => results.shift() ?? 'ok' }),
      now: () => now,
    });
    const bodies = [1, 2, 3].flatMap((id) => storedBodyOf(eventOf(db, id)) ?? []);
    await assert.rejects(packBodies(context('ok', 'late'), bodies));
    await packBodies(context(), bodies);
    now += 2 * HOUR;
    const heads = await context().collections.eventBlocks.find({}, BLOCK_HEAD, 'local');
    await deleteUnused(context(), heads as unknown as BlockHead[]);
    assert.equal(blockIds(db).length, 1, 'only the block of the second packing is left');
    const removed = [1, 2].map((id) => eventOf(db, id));
    removed.forEach(({ d: _d, ...rest }) => put(db, 'events', { ...rest }));
    await leaveBlocks(context(), removed, true);
    assert.equal(blockIds(db).length, 0, 'the last payload has left the block');
    db.late.forEach((land) => land());
    assert.equal(bodyOf(db, 3), '"body 3"');
  });

  it('must be there before their events when the database refuses them as known', async () => {
    const refuses: Partial<BatchCollection> = {
      insertMany: async (documents) => ({
        inserted: 0,
        matched: 0,
        upserted: 0,
        writeErrors: documents.map((_, index) => ({ index, code: 11000, message: 'duplicate key' })),
        writeConcernError: null,
      }),
      find: async () => [],
    };
    const collections = { eventBlocks: refuses } as BatchCollections;
    const blocks = [{ projectId: PROJECT, eventIds: [eventIdOf(1)], bodies: new Uint8Array(1) }];
    await assert.rejects(storeBlocks(blocks, collections, { journalId: '', slot: 1, n: 1 }, NOON), {
      code: 'store_unavailable',
    });
  });
});
