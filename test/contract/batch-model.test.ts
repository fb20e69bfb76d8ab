import assert from 'node:assert/strict';
import fc from 'fast-check';
import { checkWorld } from '../support/mongo-sim-check.ts';
import { rollUpCalmly } from '../support/mongo-sim-people.ts';
import {
  blockScenarioOf,
  factScenarioOf,
  harshBlockScenarioOf,
  importScenarioOf,
  mappedScenarioOf,
  mergeScenarioOf,
  scenarioOf,
  tornScenarioOf,
} from '../support/mongo-sim-scenario.ts';
import { checkNextBuilds, joinedOriginals } from '../support/mongo-sim-mapped.ts';
import { runOnStore } from '../support/mongo-sim-sqlite.ts';
import { SimWorld } from '../support/mongo-sim-world.ts';
import { makeProject } from '../support/store-data.ts';
import { makeLocalSqlite } from '../support/store-harness.ts';

/** Full size by 120 (`npm run test:full`), with the same first runs; 20000 looks harder, with runs that are new each time. */
const RUNS = Number(process.env['ERRGATE_TEST_BATCH_MODEL_RUNS'] ?? 10);
const SEED = RUNS <= 120 ? 20_261_121 : Date.now();

describe('batches on MongoDB: any interleaving of gateways, crashes, late writes and failovers', () => {
  it(`ends in the state of a plain model (${RUNS} runs)`, async function () {
    this.timeout(60_000 + RUNS * 500);
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 1_000_000 }), async (seed) => {
        const scenario = scenarioOf(seed);
        const world = new SimWorld(scenario);
        assert.ok(await world.run(), 'the gateways come to an end');
        checkWorld(world, scenario);
        await world.facts.finish();
      }),
      { numRuns: RUNS, seed: SEED },
    );
  });
});

describe('batches on MongoDB, after disks lose records that were not confirmed', () => {
  it(`are counted once, also when clients send the lost records again (${RUNS} runs)`, async function () {
    this.timeout(60_000 + RUNS * 500);
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 1_000_000 }), async (seed) => {
        const scenario = tornScenarioOf(seed);
        const world = new SimWorld(scenario);
        assert.ok(await world.run(), 'the gateways come to an end');
        checkWorld(world, scenario);
        await world.facts.finish();
      }),
      { numRuns: RUNS, seed: SEED },
    );
  });
});

describe('bodies in blocks on MongoDB: any interleaving of gateways, two retentions, crashes and late writes', () => {
  it(`are found by every event that was counted, and no block is left over (${RUNS} runs)`, async function () {
    this.timeout(60_000 + RUNS * 500);
    let deleted = 0;
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 1_000_000 }), async (seed) => {
        const scenario = seed % 5 === 0 ? harshBlockScenarioOf(seed) : blockScenarioOf(seed);
        const world = new SimWorld(scenario);
        assert.ok(await world.run(), 'the gateways come to an end');
        checkWorld(world, scenario);
        await world.facts.finish();
        deleted += world.retention.deleted;
      }),
      { numRuns: RUNS, seed: SEED },
    );
    assert.ok(deleted > RUNS, `only ${deleted} blocks were deleted`);
  });
});

describe('imported errors on MongoDB: aliases, bases and marks that change between the runs of a batch', () => {
  it(`count each event once, where its stored row says (${RUNS} runs)`, async function () {
    this.timeout(60_000 + RUNS * 500);
    let joined = 0;
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 1_000_000 }), async (seed) => {
        const scenario = importScenarioOf(seed);
        const world = new SimWorld(scenario);
        assert.ok(await world.run(), 'the gateways come to an end');
        if (scenario.merges) await rollUpCalmly(world.db);
        checkWorld(world, scenario);
        await world.facts.finish();
        joined += world.imports.joined();
      }),
      { numRuns: RUNS, seed: SEED },
    );
    assert.ok(joined > RUNS, `only ${joined} events joined an imported error`);
  });
});

describe('mapped events on MongoDB: maps that come between the runs of a batch, of several builds', () => {
  it(`join the error before the map, each counted once, and so do those of later builds (${RUNS} runs)`, async function () {
    this.timeout(60_000 + RUNS * 500);
    let joined = 0;
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 1_000_000 }), async (seed) => {
        const scenario = mappedScenarioOf(seed);
        const world = new SimWorld(scenario);
        assert.ok(await world.run(), 'the gateways come to an end');
        if (scenario.merges) await rollUpCalmly(world.db);
        checkWorld(world, scenario);
        await world.facts.finish();
        const records = scenario.journals.flat();
        joined += joinedOriginals(world, records).length;
        await checkNextBuilds(world, records);
      }),
      { numRuns: RUNS, seed: SEED },
    );
    assert.ok(joined > RUNS / 5, `only ${joined} times did mapped events join an error`);
  });
});

describe('facts on MongoDB: gateways that collect them with stale leases, crashes, late writes and failovers', () => {
  it(`are each in the log once, and no reader misses one (${RUNS} runs)`, async function () {
    this.timeout(60_000 + RUNS * 500);
    let ends = 0;
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 1_000_000 }), async (seed) => {
        const scenario = factScenarioOf(seed);
        const world = new SimWorld(scenario);
        assert.ok(await world.run(), 'the gateways come to an end');
        if (scenario.merges) await rollUpCalmly(world.db);
        checkWorld(world, scenario);
        await world.facts.finish();
        ends += world.facts.ends();
      }),
      { numRuns: RUNS, seed: SEED },
    );
    assert.ok(ends > RUNS / 3, `only ${ends} statuses ended`);
  });
});

describe('merged errors on MongoDB: any interleaving of people, gateways, crashes, late writes and failovers', () => {
  it(`end in the sums of their members (${RUNS} runs)`, async function () {
    this.timeout(60_000 + RUNS * 500);
    let merged = 0;
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 1_000_000 }), async (seed) => {
        const scenario = mergeScenarioOf(seed);
        const world = new SimWorld(scenario);
        assert.ok(await world.run(), 'the gateways come to an end');
        await rollUpCalmly(world.db);
        checkWorld(world, scenario);
        await world.facts.finish();
        merged += [...world.db.of('errors').values()].filter(({ g }) => g !== undefined).length;
      }),
      { numRuns: RUNS, seed: SEED },
    );
    assert.ok(merged > RUNS / 10, `only ${merged} errors were merged`);
  });
});

for (const [name, scenarioFor] of [
  ['batches', scenarioOf],
  ['mapped events', mappedScenarioOf],
] as const) {
  describe(`${name} on the embedded store: any interleaving of gateways, crashes and copies`, () => {
    it(`end in the state of a plain model (${Math.ceil(RUNS / 4)} runs)`, async function () {
      this.timeout(60_000 + RUNS * 500);
      await fc.assert(
        fc.asyncProperty(fc.nat({ max: 1_000_000 }), async (seed) => {
          const scenario = scenarioFor(seed);
          const harness = await makeLocalSqlite();
          try {
            assert.equal((await makeProject(harness.store)).id, 1);
            await runOnStore(harness.store, scenario.journals, new SimWorld(scenario).random);
          } finally {
            await harness.dispose();
          }
        }),
        { numRuns: Math.ceil(RUNS / 4), seed: SEED },
      );
    });
  });
}
