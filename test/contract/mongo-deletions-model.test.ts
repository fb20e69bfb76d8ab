import assert from 'node:assert/strict';
import type { DigestedEvent } from '../../src/domain/ingest/digest.ts';
import { deleteGroups, type DeletionDeps } from '../../src/storage/mongo/batch/deleted-groups.ts';
import { MongoBatches } from '../../src/storage/mongo/batch/mongo-batches.ts';
import type { PlanFiles } from '../../src/storage/mongo/batch/plan/plan-file.ts';
import { errorKey } from '../../src/storage/mongo/documents/document-keys.ts';
import type { ErrorDocument, ErrorHoursDocument } from '../../src/storage/mongo/documents/error-documents.ts';
import { SimDatabase, type SimOptions, type SimResult } from '../support/mongo-sim.ts';
import { hexId, makeEvent, NOON } from '../support/store-data.ts';

const PROJECT = { id: 1 } as Parameters<typeof makeEvent>[0];
const CALM: SimOptions = { drawResult: () => 'ok', turn: async () => undefined, random: () => 0, poison: new Set() };
const KEY = errorKey(1, hexId('1 g'));

/** One gateway with its disk; a second `store` is the same one after a restart. */
class World {
  readonly db = new SimDatabase();
  readonly #plans = new Map<string, Uint8Array>();
  #n = 0;

  constructor() {
    this.db.of('projects').set('1', { _id: 1 });
  }

  store(options: SimOptions = CALM): MongoBatches {
    const planFiles: PlanFiles = {
      makeDir: async () => undefined,
      readAll: async (path) => (this.#plans.has(path) ? Buffer.from(this.#plans.get(path) ?? []) : null),
      replace: async (path, content) => void this.#plans.set(path, content),
      remove: async (path) => void this.#plans.delete(path),
    };
    const collections = this.db.connect(options, () => undefined);
    return new MongoBatches({ collections, planFiles, planDir: '/plans', owner: 'one', now: () => NOON });
  }

  /** Returns the next batch, to be applied once or again. */
  batch(name: string, user = name): (store: MongoBatches) => Promise<unknown> {
    this.#n += 1;
    const id = { journalId: hexId('journal'), n: this.#n, hash: hexId(`batch ${this.#n}`) };
    const events: DigestedEvent[] = [makeEvent(PROJECT, name, { group: 'g', user, tags: [['level', 'error']] })];
    return (store) => store.applyBatch(id, { events, outcomes: [] });
  }

  delete(batchesEnded: () => Promise<void>): Promise<void> {
    const deps: DeletionDeps = {
      collections: this.db.connect(CALM, () => undefined),
      batchesEnded,
      removeRest: async () => {
        for (const [key, { d: _d, ...rest }] of this.db.of('events')) this.db.of('events').set(key, rest);
      },
    };
    return deleteGroups(deps, 1, [{ _id: KEY, id: 1 }], NOON);
  }

  /**
   * Requires that nothing is left of the error, or all of a new one from a batch that was not claimed before; then that
   * further events are counted right.
   */
  async check(store: MongoBatches): Promise<void> {
    const whole = this.#sums();
    const before = whole[0] ?? 0;
    assert.deepEqual(whole, before === 0 ? [undefined, undefined, undefined, 0, 0, 0] : [1, 1, 1, 1, 1, 1], 'whole');
    await this.batch('later', 'three')(store);
    await this.batch('again', 'four')(store);
    const all = before + 2;
    assert.deepEqual(this.#sums(), [all, all, all, all, all, 1], 'what comes later');
  }

  /** Events, users and payloads of the error; events by its hours; rows of its users; documents of tags. */
  #sums(): (number | undefined)[] {
    const [error] = this.#rows('errors') as unknown as ErrorDocument[];
    const hours = this.#rows('errorHours') as unknown as ErrorHoursDocument[];
    const sum = hours.flatMap(({ h }) => Object.values(h)).reduce((all, each) => all + each, 0);
    const tags = this.#rows('errorTags').length;
    return [error?.c, error?.u, error?.k, sum, this.#rows('errorUsers').length, tags];
  }

  #rows(name: string): unknown[] {
    return [...this.db.of(name).values()];
  }
}

/** Runs a batch until before or after its n-th operation; null: it has fewer. */
function stopping(
  at: number,
  result: SimResult,
  then: () => Promise<void>,
): { options: SimOptions; reached: () => boolean } {
  let operation = -1;
  let armed = true;
  const options: SimOptions = {
    ...CALM,
    turn: async () => {
      operation += 1;
      if (armed && operation === at) await then();
    },
    drawResult: () => (armed && operation === at ? result : 'ok'),
  };
  const reached = () => {
    armed = false;
    return operation >= at;
  };
  return { options, reached };
}

describe('errors deleted on MongoDB while a batch is on its way', () => {
  for (const result of ['crash_before', 'crash_after'] as const) {
    it(`leave nothing when its gateway is replayed later, whatever operation it ended at (${result})`, async () => {
      for (let at = 0, reached = true; reached; at += 1) {
        const world = new World();
        await world.batch('first', 'one')(world.store());
        const second = world.batch('second', 'two');
        const stop = stopping(at, result, async () => undefined);
        const run = second(world.store(stop.options));
        await Promise.race([
          run.catch(() => undefined),
          new Promise((resolve) => setImmediate(() => setTimeout(resolve, 5))),
        ]);
        reached = stop.reached();
        await world.delete(async () => undefined);
        const again = world.store();
        await second(again);
        await world.check(again);
        assert.equal(world.db.of('events').size, 4, 'ids stay known');
      }
    });
  }

  it('wait for an open one, and know that rows of users are gone', async () => {
    for (let at = 0, reached = true; reached; at += 1) {
      const world = new World();
      let deleted: Promise<void> | undefined;
      let ended: () => void = () => undefined;
      const end = new Promise<void>((resolve) => (ended = resolve));
      // The deletion begins amid the batch, and goes on when it has ended.
      const stop = stopping(
        at,
        'ok',
        () =>
          new Promise((resume) => {
            deleted = world.delete(() => {
              resume();
              return end;
            });
          }),
      );
      const first = world.batch('first', 'one');
      await first(world.store());
      const store = world.store(stop.options);
      await world.batch('second', 'two')(store);
      reached = stop.reached();
      ended();
      await (deleted ?? world.delete(async () => undefined));
      await world.check(store);
    }
  });
});
