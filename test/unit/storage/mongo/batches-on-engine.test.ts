import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose, { type Connection } from 'mongoose';
import type { DigestedEvent } from '../../../../src/domain/ingest/digest.ts';
import type { Project } from '../../../../src/domain/projects/project.ts';
import { nodeJournalFiles } from '../../../../src/integrated/intake/journal/node-files.ts';
import type { BatchCollection, BatchCollections } from '../../../../src/storage/mongo/engine/batch-collections.ts';
import { writeGuarded } from '../../../../src/storage/mongo/batch/guarded-write.ts';
import { batchCollections } from '../../../../src/storage/mongo/batch/mongo-collections.ts';
import { MongoBatches } from '../../../../src/storage/mongo/batch/mongo-batches.ts';
import { COLLECTIONS } from '../../../../src/storage/mongo/engine/collections.ts';
import { errorKey } from '../../../../src/storage/mongo/documents/document-keys.ts';
import type { ErrorDocument } from '../../../../src/storage/mongo/documents/error-documents.ts';
import { describeOnMongoInFullRun } from '../../../support/mongo-engine.ts';
import { hexId, makeEvent, NOON } from '../../../support/store-data.ts';

const project = { id: 1 } as Project;
/** Operations of one batch are fewer than this. */
const MAX_STEPS = 60;

describeOnMongoInFullRun('batches on a MongoDB engine', function (uri) {
  this.timeout(120_000);
  const connections: Connection[] = [];
  let planDir = '';
  let name = '';

  beforeEach(async () => {
    name = `errgate_batches_${randomBytes(5).toString('hex')}`;
    planDir = await mkdtemp(join(tmpdir(), 'errgate-plans-'));
    const connection = await connect();
    await connection.db!.collection<{ _id: number }>(COLLECTIONS.projects.name).insertOne({ _id: project.id });
    for (const { name: collection, indexes } of [COLLECTIONS.slots, COLLECTIONS.errors, COLLECTIONS.events]) {
      await connection.db!.collection(collection).createIndexes([...indexes]);
    }
  });

  afterEach(async () => {
    if (connections.length > 0) {
      await connections[0]!.db!.dropDatabase();
      await Promise.all(connections.splice(0).map((connection) => connection.close()));
      await rm(planDir, { recursive: true, force: true });
    }
  });

  async function connect(): Promise<Connection> {
    const connection = await mongoose.createConnection(uri, { dbName: name }).asPromise();
    connections.push(connection);
    return connection;
  }

  function open(collections: BatchCollections, owner: string): MongoBatches {
    return new MongoBatches({ collections, planFiles: nodeJournalFiles, planDir, owner, now: Date.now });
  }

  const batchId = (journal: string, n: number) => ({ journalId: hexId(journal), n, hash: hexId(`${journal} ${n}`) });

  async function state() {
    const { db } = connections[0]!;
    const errors = (await db!.collection(COLLECTIONS.errors.name).find().sort({ _id: 1 }).toArray()) as unknown[];
    const count = (collection: string) => db!.collection(collection).countDocuments();
    const outcomes = await db!.collection(COLLECTIONS.outcomes.name).find().toArray();
    return {
      errors: (errors as ErrorDocument[]).map(({ c, u, k, st, rcv, first, last }) => [
        c,
        u,
        k,
        st,
        rcv,
        first.at,
        last.at,
      ]),
      numbers: new Set((errors as ErrorDocument[]).map(({ id }) => id)).size,
      events: await count(COLLECTIONS.events.name),
      users: await count(COLLECTIONS.errorUsers.name),
      accepted: outcomes.filter(({ o }) => o === 'accepted').reduce((sum, { q }) => sum + (q as number), 0),
    };
  }

  /** Forgets what is stored and counted; slots stay. */
  async function empty(): Promise<void> {
    const { errors, events, errorUsers, errorHours, errorTags, outcomes } = COLLECTIONS;
    const all = [errors, events, errorUsers, errorHours, errorTags, outcomes];
    await Promise.all(all.map((each) => connections[0]!.db!.collection(each.name).deleteMany({})));
  }

  function batch(from: number, size: number): DigestedEvent[] {
    return Array.from({ length: size }, (_, index) => {
      const id = from + index;
      const [group, user] = [`g${id % 20}`, `u${id % 35}`];
      return makeEvent(project, `event ${id}`, { group, user, at: NOON + id, tags: [['colour', `c${id % 30}`]] });
    });
  }

  async function withRetries<T>(work: () => Promise<T>): Promise<T> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await work();
      } catch (error) {
        if (attempt === 40 || (error as { code?: string }).code !== 'store_unavailable') {
          throw error;
        }
        await new Promise((resolve) => setTimeout(resolve, 5 * (attempt + 1)));
      }
    }
  }

  it('counts everything once when four writers make the same errors at once, also in replays', async () => {
    const journals = ['a', 'b', 'c', 'd'];
    await Promise.all(
      journals.map(async (journal, index) => {
        const store = open(batchCollections(await connect()), journal);
        for (let n = 1; n <= 6; n += 1) {
          // Half of each batch is new, half is what the next journal brings too.
          const events = batch((n * 4 + index) * 100, 200);
          const result = await withRetries(() => store.applyBatch(batchId(journal, n), { events, outcomes: [] }));
          assert.notEqual(result.kind, 'foreign');
          const again = await withRetries(() => store.applyBatch(batchId(journal, n), { events, outcomes: [] }));
          assert.deepEqual(again, { kind: 'already_applied' });
        }
        assert.equal(await store.lastBatch(hexId(journal)), 6);
      }),
    );
    const { errors, numbers, events, users, accepted } = await state();
    assert.deepEqual([errors.length, numbers, events, accepted], [20, 20, 2500, 2500]);
    assert.equal(
      errors.reduce((sum, [c]) => sum + (c as number), 0),
      2500,
    );
    assert.equal(
      errors.reduce((sum, [, u]) => sum + (u as number), 0),
      users,
    );
  });

  it('finds nothing new in a journal that was put back under another id', async () => {
    const first = open(batchCollections(connections[0]!), 'first');
    await first.applyBatch(batchId('first', 1), { events: batch(0, 300), outcomes: [] });
    const before = await state();
    const again = open(batchCollections(connections[0]!), 'again');
    assert.deepEqual(await again.applyBatch(batchId('again', 1), { events: batch(0, 300), outcomes: [] }), {
      kind: 'applied',
      stored: 0,
      duplicates: 300,
      newErrors: 0,
    });
    assert.deepEqual(await state(), before);
  });

  it('ends alike after a crash before or after any of its operations', async () => {
    const real = batchCollections(connections[0]!);
    await open(real, 'reference').applyBatch(batchId('reference', 1), { events: batch(0, 60), outcomes: [] });
    const wanted = await state();
    let steps = 0;
    for (let crash = 1; crash < MAX_STEPS; crash += 1) {
      await empty();
      const journal = `crash ${crash}`;
      const failing = crashing(real, Math.ceil(crash / 2), crash % 2 === 0);
      const events = batch(0, 60);
      try {
        await open(failing, 'crashing').applyBatch(batchId(journal, 1), { events, outcomes: [] });
        break;
      } catch (error) {
        assert.equal((error as { code?: string }).code, 'store_unavailable');
        steps = crash;
      }
      const { kind } = await open(real, 'crashing').applyBatch(batchId(journal, 1), { events, outcomes: [] });
      assert.ok(kind === 'applied' || kind === 'already_applied');
      assert.deepEqual(await state(), wanted);
    }
    assert.ok(steps > 20 && steps < MAX_STEPS - 1, `every operation was one to crash at, ${steps} in all`);
  });

  it('counts what is left of a batch after a crash at any of its operations, and all of it where that was planned', async () => {
    const real = batchCollections(connections[0]!);
    const events = batch(0, 60);
    await open(real, 'whole').applyBatch(batchId('whole', 1), { events, outcomes: [] });
    const whole = await state();
    await empty();
    await open(real, 'left').applyBatch(batchId('left', 1), { events: batch(0, 25), outcomes: [] });
    await open(real, 'left').applyBatch(batchId('left', 2), { events: batch(30, 30), outcomes: [] });
    const left = await state();
    const completed: boolean[] = [];
    for (let crash = 1; crash < MAX_STEPS; crash += 1) {
      await empty();
      const journal = `torn ${crash}`;
      const failing = crashing(real, Math.ceil(crash / 2), crash % 2 === 0);
      try {
        await open(failing, 'torn').applyBatch(batchId(journal, 1), { events, outcomes: [] });
        break;
      } catch (error) {
        assert.equal((error as { code?: string }).code, 'store_unavailable');
      }
      const after = open(real, 'torn');
      completed.push((await after.completeBatch(batchId(journal, 1))) !== null);
      if (completed.at(-1) === true) {
        assert.deepEqual(await state(), whole);
      } else {
        const result = await after.applyBatch(batchId(journal, 1), { events: batch(0, 25), outcomes: [] });
        assert.deepEqual(result, { kind: 'applied', stored: 25, duplicates: 0, newErrors: 20 });
        await after.applyBatch(batchId(journal, 2), { events: batch(30, 30), outcomes: [] });
        const { errors, accepted } = await state();
        assert.deepEqual({ errors, accepted }, { errors: left.errors, accepted: left.accepted });
      }
      const last = completed.at(-1) === true ? 1 : 2;
      assert.deepEqual(await after.completeBatch(batchId(journal, last)), { kind: 'already_applied' });
      const next = await after.applyBatch(batchId(journal, last + 1), { events: batch(100, 10), outcomes: [] });
      assert.equal(next.kind === 'applied' && next.stored, 10);
    }
    const planned = completed.indexOf(true);
    assert.ok(planned > 8 && completed.length - planned > 4, `planned from ${planned} of ${completed.length} on`);
    assert.ok(completed.slice(planned).every(Boolean));
  });

  it('adds up guarded writes that race for the first insert of a document', async () => {
    const groupHashes = Array.from({ length: 30 }, (_, index) => hexId(`race ${index}`));
    const writes = groupHashes
      .map((groupHash) => ({ _id: errorKey(1, groupHash), p: 1, update: { $inc: { c: 1 } }, upsert: true }))
      .sort((a, b) => Buffer.compare(a._id.buffer, b._id.buffer));
    await Promise.all(
      [1, 2, 3, 4].map(async (slot) => {
        const { outcomes } = batchCollections(await connect());
        for (const n of [1, 1, 2, 3, 2]) {
          const claim = { journalId: '', slot, n };
          await withRetries(() => writeGuarded(outcomes, writes, { claim }));
        }
      }),
    );
    const found = await connections[0]!.db!.collection(COLLECTIONS.outcomes.name).find().toArray();
    assert.deepEqual(
      found.map(({ c }) => c as number),
      groupHashes.map(() => 12),
    );
  });
});

/** Fails at the n-th operation, before it is sent or after it was carried out, and at every later one. */
function crashing(real: BatchCollections, at: number, after: boolean): BatchCollections {
  let steps = 0;
  const wrap = (collection: BatchCollection): BatchCollection =>
    new Proxy(collection, {
      get:
        (target, property) =>
        async (...args: unknown[]) => {
          steps += 1;
          if (steps > at || (steps === at && !after)) {
            throw new Error('the process is gone');
          }
          const method = Reflect.get(target, property) as () => Promise<unknown>;
          const result = await (Reflect.apply(method, target, args) as Promise<unknown>);
          if (steps >= at) {
            throw new Error('the process is gone');
          }
          return result;
        },
    });
  return Object.fromEntries(
    Object.entries(real).map(([name, collection]) => [name, wrap(collection)]),
  ) as unknown as BatchCollections;
}
