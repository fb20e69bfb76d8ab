import assert from 'node:assert/strict';
import { BATCH_RULES, batchesWithout, type BatchRule } from '../support/batch-rules.ts';
import { collectBeforeFailover } from '../support/collect-before-failover.ts';
import { checkWorld } from '../support/mongo-sim-check.ts';
import { rollUpCalmly } from '../support/mongo-sim-people.ts';
import {
  blockScenarioOf,
  cloneScenarioOf,
  factScenarioOf,
  harshScenarioOf,
  importScenarioOf,
  mappedScenarioOf,
  scenarioOf,
  sparseScenarioOf,
  tornScenarioOf,
  type Scenario,
} from '../support/mongo-sim-scenario.ts';
import { SimWorld, type BatchCode } from '../support/mongo-sim-world.ts';

/** Scenarios that are known to show what a rule is for; others are tried when one no longer does. */
const SHOWN_BY: Readonly<Record<BatchRule, readonly number[]>> = {
  compareHash: [383, 941],
  compareAndSet: [4, 14],
  readBack: [85],
  ownerFence: [15, 21],
  numbersGrow: [1, 7],
  keepFirst: [4, 7],
  ownMark: [1, 2],
  otherMark: [1, 3],
  storedAttributes: [2, 5],
  absentStartsOver: [82, 102],
  userMarks: [2, 4],
  sessionMarks: [1, 2],
  storedSessions: [1, 2],
  abandon: [5, 14],
  splitKeepsNumber: [890],
  abandonTorn: [1, 2],
  takenLate: [2761],
  fix: [438],
  plan: [1007],
  guard: [1, 2],
  notGte: [4, 5],
  oneWrite: [1, 2],
  resend: [174, 176],
  writeConcern: [669],
  reopen: [1025],
  conditions: [1050],
  plannedReleases: [90, 95],
  closeLast: [3, 4],
  sorted: [1, 2],
  blocksFirst: [65],
  namedStay: [1, 2],
  blocksOfOpen: [2],
  lookForEvents: [10],
  awaitedStay: [283],
  unpackFirst: [83, 261],
  aliasFirst: [4, 10],
  oneContinues: [17, 23],
  storedKnownThere: [2],
  settleMarks: [1001],
  marksBehindEvents: [1, 2],
  showUsers: [1005],
  newFacts: [1, 2],
  endFacts: [1053],
  confirmedFacts: [],
  insertFactsFirst: [1, 2],
  removeReadFacts: [1038],
  placesOfHead: [1025],
  headVersion: [1, 2],
  finishFirst: [1015],
};
/** Shown where commands come late, or an upgrade comes in the middle of a batch. */
const NEEDS_HARSH: ReadonlySet<BatchRule> = new Set<BatchRule>(['fix', 'plan']);
/** Shown where events have their bodies in blocks. */
const OF_BLOCKS: ReadonlySet<BatchRule> = new Set<BatchRule>([
  'splitKeepsNumber',
  'blocksFirst',
  'namedStay',
  'blocksOfOpen',
  'lookForEvents',
  'awaitedStay',
]);
/** Shown where errors were imported. */
const OF_IMPORTS: ReadonlySet<BatchRule> = new Set<BatchRule>([
  'storedKnownThere',
  'settleMarks',
  'marksBehindEvents',
  'showUsers',
]);
/** Shown where events are mapped. */
const OF_MAPPED: ReadonlySet<BatchRule> = new Set<BatchRule>(['aliasFirst', 'oneContinues']);
/** Shown where gateways collect facts. */
const OF_FACTS: ReadonlySet<BatchRule> = new Set<BatchRule>([
  'newFacts',
  'endFacts',
  'confirmedFacts',
  'insertFactsFirst',
  'removeReadFacts',
  'placesOfHead',
  'headVersion',
  'finishFirst',
]);
const MORE = Array.from({ length: 60 }, (_, index) => 1000 + index);

function scenarioFor(rule: BatchRule): (seed: number) => Scenario {
  if (rule === 'readBack') return cloneScenarioOf;
  if (rule === 'unpackFirst') return sparseScenarioOf;
  if (rule === 'abandonTorn' || rule === 'takenLate') return tornScenarioOf;
  if (OF_BLOCKS.has(rule)) return blockScenarioOf;
  if (OF_FACTS.has(rule)) return factScenarioOf;
  if (OF_IMPORTS.has(rule)) return importScenarioOf;
  if (OF_MAPPED.has(rule)) return mappedScenarioOf;
  return NEEDS_HARSH.has(rule) ? harshScenarioOf : scenarioOf;
}

/** What is wrong at the end of the scenario; null when nothing is. */
async function fault(scenario: Scenario, code: Partial<BatchCode>): Promise<string | null> {
  const world = new SimWorld(scenario, code);
  try {
    if (!(await world.run())) {
      return 'it never ends';
    }
    if (scenario.merges) await rollUpCalmly(world.db);
    checkWorld(world, scenario);
    await world.facts.finish();
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

describe('the rules of exactly-once batches', () => {
  for (const rule of Object.keys(BATCH_RULES) as BatchRule[]) {
    it(`are all needed: the model check fails without "${rule}" and passes with it`, async function () {
      this.timeout(60_000);
      const Broken = await batchesWithout(rule);
      // A write in between confirms what was read, so that drawn scenarios hardly ever show this one.
      if (rule === 'confirmedFacts') {
        assert.notEqual(await collectBeforeFailover(Broken), null);
        assert.equal(await collectBeforeFailover({}), null);
        return;
      }
      for (const seed of [...SHOWN_BY[rule], ...MORE]) {
        const scenario = scenarioFor(rule)(seed);
        if ((await fault(scenario, Broken)) !== null) {
          assert.equal(await fault(scenario, {}), null);
          return;
        }
      }
      assert.fail(`no scenario fails without ${rule}`);
    });
  }
});
