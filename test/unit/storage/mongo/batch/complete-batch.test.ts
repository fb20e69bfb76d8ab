import assert from 'node:assert/strict';
import { RefusedDocument } from '../../../../../src/storage/mongo/batch/answers.ts';
import { MongoBatches } from '../../../../../src/storage/mongo/batch/mongo-batches.ts';
import type { PlanFiles } from '../../../../../src/storage/mongo/batch/plan/plan-file.ts';
import { OWNER_GONE_MS, Slots } from '../../../../../src/storage/mongo/batch/slots.ts';
import type { SlotDocument } from '../../../../../src/storage/mongo/documents/documents.ts';
import type { Project } from '../../../../../src/domain/projects/project.ts';
import { SimDatabase } from '../../../../support/mongo-sim.ts';
import { SimulatedDisk } from '../../../../support/simulated-disk.ts';
import { hexId, makeEvent, NOON } from '../../../../support/store-data.ts';

const JOURNAL = hexId('journal');
const MARK = { journalId: JOURNAL, n: 1, hash: hexId('batch') };
const PLAN = `/plans/${JOURNAL}.plan`;
const NO_PLAN: PlanFiles = {
  makeDir: async () => undefined,
  readAll: async () => null,
  replace: () => Promise.reject(new Error('EIO')),
  remove: async () => undefined,
};

/** Events of one error and one user. */
function events(count: number) {
  const project = { id: 1 } as Project;
  return Array.from({ length: count }, (_, i) => makeEvent(project, `event ${i}`, { user: 'ada' }));
}

/** A database that executes everything until it is off; one journal's first batch is in it, in some state. */
class World {
  readonly db = new SimDatabase();
  readonly disk = new SimulatedDisk();
  now = NOON;
  off = false;
  /** Ids of events that it never takes. */
  readonly poison = new Set<string>();

  constructor() {
    this.db.of('projects').set('1', { _id: 1 });
  }

  collections() {
    return this.db.connect(
      {
        drawResult: () => (this.off ? 'lost' : 'ok'),
        turn: async () => undefined,
        random: () => 0.5,
        poison: this.poison,
      },
      () => undefined,
    );
  }

  store(owner: string, planFiles: PlanFiles = this.disk): MongoBatches {
    return new MongoBatches({
      collections: this.collections(),
      planFiles,
      planDir: '/plans',
      owner,
      now: () => this.now,
    });
  }

  /** Begun by `owner`, fixed, and never planned. */
  async begin(owner: string): Promise<void> {
    const begun = this.store(owner, NO_PLAN).applyBatch(MARK, { events: events(3), outcomes: [] });
    await assert.rejects(begun, { code: 'store_unavailable' });
    assert.deepEqual([this.slot.open, this.slot.fixed], [true, true]);
  }

  /** Planned by `owner`, and nothing was written after it. */
  async plan(owner: string): Promise<void> {
    const files: PlanFiles = {
      makeDir: (path) => this.disk.makeDir(path),
      readAll: (path) => this.disk.readAll(path),
      remove: (path) => this.disk.remove(path),
      replace: async (path, content) => {
        await this.disk.replace(path, content);
        this.off = true;
      },
    };
    const begun = this.store(owner, files).applyBatch(MARK, { events: events(3), outcomes: [] });
    await assert.rejects(begun, { code: 'store_unavailable' });
    this.off = false;
  }

  get slot(): SlotDocument {
    return [...this.db.of('slots').values()][0] as unknown as SlotDocument;
  }

  get counted(): unknown {
    return [...this.db.of('errors').values()].map(({ c, u }) => [c, u]);
  }
}

describe('a batch whose records are gone, on MongoDB', () => {
  it('is completed from its plan', async () => {
    const world = new World();
    await world.plan('own');
    const store = world.store('own');
    const result = await store.completeBatch(MARK);
    assert.deepEqual(result, { kind: 'applied', stored: 3, duplicates: 0, newErrors: 1 });
    assert.deepEqual(await store.completeBatch(MARK), { kind: 'already_applied' });
    assert.deepEqual(world.counted, [[3, 1]]);
  });

  it('gives its number up once without a plan, however often it is asked for; what is left counts', async () => {
    const world = new World();
    await world.begin('own');
    const store = world.store('own');
    for (let i = 0; i < 3; i += 1) {
      assert.equal(await store.completeBatch(MARK), null);
    }
    assert.deepEqual([world.slot.n, world.slot.x, world.slot.fixed], [2, [1], false]);
    const left = await store.applyBatch(MARK, { events: events(2), outcomes: [] });
    assert.deepEqual(left, { kind: 'applied', stored: 2, duplicates: 0, newErrors: 1 });
    const again = await store.applyBatch({ ...MARK, n: 2 }, { events: events(3), outcomes: [] });
    assert.deepEqual(again, { kind: 'applied', stored: 1, duplicates: 2, newErrors: 0 });
    assert.deepEqual(world.counted, [[3, 1]]);
  });

  it('can be refused and cut after that, as any other', async () => {
    const world = new World();
    await world.begin('own');
    const store = world.store('own');
    await store.completeBatch(MARK);
    const { n, fixed } = world.slot;
    assert.deepEqual([n, fixed], [2, false]);
    world.db.of('events').clear();
    world.poison.add(events(2)[1]!.eventId);
    await assert.rejects(store.applyBatch(MARK, { events: events(2), outcomes: [] }), RefusedDocument);
    assert.deepEqual([world.slot.n, world.slot.x], [3, [1, 2]]);
    assert.equal((await store.applyBatch(MARK, { events: events(1), outcomes: [] })).kind, 'applied');
  });

  it('keeps its number under a plan that is damaged, which may have been begun', async () => {
    const world = new World();
    await world.plan('own');
    world.disk.damage(PLAN, 60, Buffer.from('damaged'));
    const store = world.store('own');
    assert.equal(await store.completeBatch(MARK), null);
    assert.deepEqual([world.slot.n, world.slot.x], [1, []]);
    assert.equal((await store.applyBatch(MARK, { events: events(2), outcomes: [] })).kind, 'applied');
    assert.deepEqual(world.counted, [[2, 1]]);
  });

  it('keeps its number where another data dir fixed it, whose plan is elsewhere', async () => {
    const world = new World();
    await world.begin('other');
    const store = world.store('own');
    await assert.rejects(store.completeBatch(MARK), { code: 'store_unavailable' }, 'the other one lives');
    world.now += OWNER_GONE_MS + 1;
    for (let i = 0; i < 2; i += 1) {
      assert.equal(await store.completeBatch(MARK), null);
      assert.deepEqual([world.slot.o, world.slot.n, world.slot.x], ['own', 1, []]);
    }
    assert.equal((await store.applyBatch(MARK, { events: events(2), outcomes: [] })).kind, 'applied');
    assert.deepEqual(world.counted, [[2, 1]]);
  });

  it('is not given up by a command that arrives after it was planned', async () => {
    const world = new World();
    await world.begin('own');
    const before = world.slot;
    await world.plan('own');
    const slots = new Slots(world.collections().slots, 'own', () => NOON);
    const claim = { journalId: JOURNAL, slot: before._id, n: before.n };
    await assert.rejects(slots.abandonTorn(claim, before), { code: 'store_unavailable' });
    assert.deepEqual([world.slot.n, world.slot.x], [1, []]);
    assert.equal((await world.store('own').completeBatch(MARK))?.kind, 'applied');
    assert.deepEqual(world.counted, [[3, 1]]);
  });
});
