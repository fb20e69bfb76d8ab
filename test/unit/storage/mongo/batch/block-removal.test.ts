import assert from 'node:assert/strict';
import { mongo } from 'mongoose';
import { BodyBlock, encodeBlock } from '../../../../../src/lib/bodies/body-block.ts';
import { decodeText, encodeText } from '../../../../../src/lib/bodies/payload-codec.ts';
import type { BatchCollection, BatchCollections } from '../../../../../src/storage/mongo/engine/batch-collections.ts';
import {
  BLOCK_HEAD,
  deleteUnused,
  leaveBlocks,
  unpackSparse,
  type BlockHead,
} from '../../../../../src/storage/mongo/batch/block-removal.ts';
import { MongoBatches } from '../../../../../src/storage/mongo/batch/mongo-batches.ts';
import { storeBlocks } from '../../../../../src/storage/mongo/batch/new-blocks.ts';
import { packBodies, storedBodyOf } from '../../../../../src/storage/mongo/batch/packed-block.ts';
import { blockOf, blockRef } from '../../../../../src/storage/mongo/documents/block-document.ts';
import { eventKey, key } from '../../../../../src/storage/mongo/documents/document-keys.ts';
import type { EventDocument } from '../../../../../src/storage/mongo/documents/documents.ts';
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

  const batchesOf = (db: SimDatabase, options: Partial<SimOptions> = {}) =>
    new MongoBatches({
      collections: connect(db, options),
      planFiles: {
        makeDir: async () => undefined,
        readAll: async () => null,
        replace: async () => undefined,
        remove: async () => undefined,
      },
      planDir: '',
      owner: 'owner',
      now: () => NOON,
    });
  const batchId = (n: number) => ({ journalId: hexId('journal'), n, hash: hexId(`hash ${n}`) });

  it('are gone with their batch when all its events are repeats, and stay when one is not', async () => {
    const db = new SimDatabase();
    put(db, 'projects', { _id: PROJECT });
    const records = Array.from({ length: 4 }, (_, id) => ({ id: id + 2, variant: 3 }));
    const batches = batchesOf(db);
    await batches.applyBatch(batchId(1), digestBatch(records, 0, true));
    const first = blockIds(db);
    assert.equal(first.length, 1);
    await batches.applyBatch(batchId(2), digestBatch(records, 0, true));
    assert.deepEqual(blockIds(db), first, 'repeats');
    await batches.applyBatch(batchId(3), digestBatch([...records, { id: 7, variant: 1 }], 0, true));
    assert.equal(blockIds(db).length, 2, 'repeats and a new event');
    for (const { id } of records) assert.match(bodyOf(db, id) ?? 'none', new RegExp(eventIdOf(id)));
  });

  it('of young events are deleted and counted when the last of their events is removed, repeats aside', async () => {
    const db = new SimDatabase();
    put(db, 'projects', { _id: PROJECT });
    const batches = batchesOf(db);
    const context = { collections: connect(db), now: () => NOON };
    const records = Array.from({ length: 6 }, (_, id) => ({ id: id + 2, variant: 3 }));
    const removeAll = async (rows: readonly EventDocument[]) => {
      rows.forEach(({ d: _d, ...rest }) => put(db, 'events', { ...rest }));
      return leaveBlocks(context, rows);
    };
    await batches.applyBatch(batchId(1), digestBatch(records.slice(0, 3), 0, true));
    await batches.applyBatch(batchId(2), digestBatch(records, 0, true));
    const sizes = [...db.of('eventBlocks').values()].map(({ d }) => (d as mongo.Binary).length());
    const inBlocks = records.map(({ id }) => eventOf(db, id)).filter(({ d }) => d && blockOf(PROJECT, d) !== null);
    const [first, ...rest] = inBlocks;
    assert.ok(first !== undefined && sizes.length === 2 && rest.length > 2);
    assert.equal(await removeAll([first]), 0, 'others are left');
    assert.equal(
      await removeAll(rest),
      sizes.reduce((sum, size) => sum + size, 0),
    );
    assert.deepEqual(blockIds(db), []);
  });

  it('of young events stay an hour where an insert on its way may still refer to them', async () => {
    const _id = key(PROJECT, hexId('block'), 16);
    const e = new mongo.Binary(Buffer.from(eventIdOf(1) + eventIdOf(2), 'hex'));
    const removed = { _id: eventKey(PROJECT, eventIdOf(1)), p: PROJECT, d: blockRef(_id) };
    const slot = { _id: 1, n: 2, open: false, x: [] as number[] };
    const left = async (changed: Partial<typeof slot>, ids: readonly number[], now = NOON) => {
      const db = new SimDatabase();
      put(db, 'eventBlocks', { _id, p: PROJECT, s: 1, n: 1, t: NOON, e, d: new mongo.Binary(Buffer.from('x')) });
      put(db, 'slots', { ...slot, ...changed });
      for (const id of ids) put(db, 'events', { _id: eventKey(PROJECT, eventIdOf(id)), p: PROJECT, s: 1, n: 1 });
      await leaveBlocks({ collections: connect(db), now: () => now }, [removed]);
      return blockIds(db).length;
    };
    assert.equal(await left({}, [1, 2]), 0, 'confirmed, and the keys of all its events are there');
    assert.equal(await left({ n: 1, open: true }, [1, 2]), 1, 'the batch is open');
    assert.equal(await left({ x: [1] }, [1, 2]), 1, 'the number was abandoned');
    assert.equal(await left({}, [1]), 1, 'the key of an event is not there');
    assert.equal(await left({ x: [1] }, [1], NOON + 2 * HOUR), 0, 'an hour later');
  });

  it('with equal bodies in one batch are one, and stay', async () => {
    const db = new SimDatabase();
    put(db, 'projects', { _id: PROJECT });
    const records = Array.from({ length: 5 }, (_, index) => ({ id: index + 2, variant: 0 }));
    const batch = digestBatch(records, 0, true);
    const blocks = batch.blocks ?? [];
    const again = batch.events.map((event) => ({
      ...event,
      payload: typeof event.payload === 'number' ? event.payload + blocks.length : event.payload,
    }));
    await batchesOf(db).applyBatch(batchId(1), {
      ...batch,
      events: [...batch.events, ...again],
      blocks: [...blocks, ...blocks],
    });
    for (const { id } of records) assert.match(bodyOf(db, id) ?? 'none', new RegExp(eventIdOf(id)));
  });

  it('are those of the batch that takes over an event whose insert came after the removal', async () => {
    const db = new SimDatabase();
    put(db, 'projects', { _id: PROJECT });
    const records = Array.from({ length: 8 }, (_, id) => ({ id, variant: 0 }));
    const apply = (poison: readonly number[]) =>
      batchesOf(db, { poison: new Set(poison.map(eventIdOf)) }).applyBatch(batchId(1), digestBatch(records, 0, true));
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
    await leaveBlocks(context(), removed);
    const left = await context().collections.eventBlocks.find({}, BLOCK_HEAD, 'local');
    await unpackSparse(context(), left as unknown as BlockHead[]);
    assert.equal(blockIds(db).length, 0, 'the last payload has left the block');
    db.late.forEach((land) => land());
    assert.equal(bodyOf(db, 3), '"body 3"');
  });

  it('do not get a payload by a packing that comes after another batch took the event', async () => {
    const db = new SimDatabase();
    const [p, i] = [PROJECT, 1];
    const _id = eventKey(PROJECT, eventIdOf(1));
    put(db, 'events', { _id, p, s: 1, n: 1, d: new mongo.Binary(encodeText('"of an abandoned batch"')), i });
    const results: SimResult[] = ['ok', 'late'];
    const collections = connect(db, { drawResult: () => results.shift() ?? 'ok' });
    const bodies = [storedBodyOf(eventOf(db, 1)) ?? assert.fail()];
    await assert.rejects(packBodies({ collections, now: () => NOON }, bodies));
    put(db, 'events', { _id, p, s: 1, n: 2, d: new mongo.Binary(encodeText('"of the next"')), i });
    db.late.forEach((land) => land());
    assert.equal(bodyOf(db, 1), '"of the next"');
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
