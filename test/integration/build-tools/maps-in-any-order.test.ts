import assert from 'node:assert/strict';
import fc from 'fast-check';
import { GrowingBatch } from '../../../src/integrated/digest/digested-record.ts';
import { groupV2 } from '../../../src/integrated/digest/group/v2/group.ts';
import { script, thrownThrough } from '../../grouping/built-events.ts';
import type { RawEvent } from '../../grouping/pair.ts';
import { type AddedMap, MemoryMaps } from '../../support/map-source.ts';
import { mappingDigest } from '../../support/mapping-digest.ts';
import { recordedBuilds, type UploadingBuild } from '../../support/recorded-builds.ts';
import { hexId, listAll, makeProject, NOON, TestJournal } from '../../support/store-data.ts';
import { describeOnStores, type OpenedStore } from '../../support/test-stores.ts';
import { normalise, record } from '../../unit/integrated/digest/digest-support.ts';

const SEED = 20_261_129;

const FAULTS = [
  ['applyDiscount', 6],
  ['readCost', 30],
] as const;

/** Builds whose faults are sent alike: minified names and near columns count for nothing. */
const MADE: readonly UploadingBuild[] = ['shop', 'store', 'market'].map((name) => {
  const main = script(`${name}-BvYxf9r1`, [['e', '../../src/main.js', 'start', 3]]);
  const functions = FAULTS.map(
    ([original, line], at) => ['tn'[at] ?? '', '../../src/cart.js', original, line] as const,
  );
  const cart = script(`${name}Cart-zUTjjcm1`, functions, ' '.repeat(900));
  return {
    maps: [main, cart].map(({ debugId, map }) => ({ debugId, bytes: map })),
    faults: cart.frames.map((frame) => thrownThrough([main, { ...cart, frames: [frame] }])),
  };
});

const sentKey = (event: RawEvent): string => groupV2(normalise(structuredClone(event))).key;

/** One step: a build uploads a map, an event comes, or the event of an earlier step comes again. */
type Step =
  | { readonly kind: 'upload'; readonly build: number; readonly map: number }
  | { readonly kind: 'event'; readonly build: number; readonly fault: number }
  | { readonly kind: 'again'; readonly of: number };

const fault = fc.nat({ max: FAULTS.length - 1 });
const build = fc.nat({ max: MADE.length - 1 });
const STEPS = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('upload' as const), build, map: fc.nat({ max: 1 }) }),
    fc.record({ kind: fc.constant('event' as const), build, fault }),
    fc.record({ kind: fc.constant('event' as const), build, fault }),
    fc.record({ kind: fc.constant('again' as const), of: fc.nat() }),
  ),
  { minLength: 4, maxLength: 24 },
);

/** All maps of the builds, and two events of each fault of each, in any order. */
function inAnyOrder(builds: readonly UploadingBuild[]): fc.Arbitrary<Step[]> {
  const steps = builds.flatMap(({ maps, faults }, at): Step[] => [
    ...maps.map((_, map) => ({ kind: 'upload' as const, build: at, map })),
    ...[...faults, ...faults].map((_, n) => ({ kind: 'event' as const, build: at, fault: n % faults.length })),
  ]);
  return fc.shuffledSubarray(steps, { minLength: steps.length });
}

/** The rules in their plainest form. Errors are numbered in the order in which they begin. */
class Model {
  readonly counts: number[] = [];
  readonly #bySent = new Map<string, number>();
  readonly #ofFault = new Map<number, number>();
  readonly #continued = new Map<string, number>();

  /** `isWhole`: all of its maps are there. */
  add(sent: string, fault: number, isWhole: boolean): void {
    const error = isWhole ? this.#whole(sent, fault) : (this.#bySent.get(sent) ?? this.#begun());
    if (!isWhole) this.#bySent.set(sent, error);
    this.counts[error] = (this.counts[error] ?? 0) + 1;
  }

  #whole(sent: string, fault: number): number {
    const known = this.#ofFault.get(fault);
    if (known !== undefined) return known;
    const before = this.#bySent.get(sent);
    const goesOn = before !== undefined && !this.#continued.has(sent);
    if (goesOn) this.#continued.set(sent, fault);
    const error = goesOn ? before : this.#begun();
    this.#ofFault.set(fault, error);
    return error;
  }

  #begun(): number {
    return this.counts.push(0) - 1;
  }
}

describeOnStores('events of builds whose maps come one by one, in any order', (kind, suite) => {
  suite.timeout(300_000);
  // A shared store takes longer for each step.
  const [runs, recordedRuns] = kind.shared ? [4, 1] : [25, 3];
  let opened: OpenedStore;
  before(async () => (opened = await kind.open()));
  after(() => opened.dispose());

  /** Plays the steps; returns the number of events of which a part was mapped. */
  async function play(builds: readonly UploadingBuild[], steps: readonly Step[]): Promise<number> {
    const project = await makeProject(opened.store);
    const maps = new MemoryMaps();
    const journal = new TestJournal(opened.store, `steps of ${project.id}`);
    const model = new Model();
    const uploaded = new Set<AddedMap>();
    const sent: { readonly id: string; readonly event: RawEvent }[] = [];
    let partly = 0;
    const send = async (id: string, event: RawEvent) => {
      const batch = new GrowingBatch();
      // Each event has a digest of its own, because answers hold for some time.
      batch.add(
        await mappingDigest(maps)(
          record(JSON.stringify(event), { projectId: project.id, eventId: id, receivedAt: NOON }),
        ),
      );
      await journal.apply(batch.finish().events);
    };
    const check = async () => {
      const counts = (await listAll(opened.store, project)).map(({ count }) => count);
      assert.deepEqual(counts.sort((a, b) => a - b), [...model.counts].sort((a, b) => a - b)); // prettier-ignore
    };
    for (const [at, step] of steps.entries()) {
      if (step.kind === 'upload') {
        const map = builds[step.build]?.maps[step.map];
        assert.ok(map !== undefined);
        if (!uploaded.has(map)) maps.add({ ...map, projectId: project.id });
        uploaded.add(map);
        continue;
      }
      if (step.kind === 'again') {
        const earlier = sent[step.of % Math.max(1, sent.length)];
        if (earlier !== undefined) await send(earlier.id, earlier.event);
      } else {
        const { maps: its, faults } = builds[step.build] ?? { maps: [], faults: [] };
        const event = faults[step.fault];
        assert.ok(event !== undefined);
        const isWhole = its.every((map) => uploaded.has(map));
        if (!isWhole && its.some((map) => uploaded.has(map))) partly += 1;
        const id = hexId(`event ${at} of ${project.id}`);
        model.add(sentKey(event), step.fault, isWhole);
        await send(id, event);
        sent.push({ id, event });
      }
      if (!kind.shared) await check();
    }
    await check();
    return partly;
  }

  it(`are of one error with those before, and of one with all that are mapped whole (${runs} runs)`, async () => {
    const [first, second] = MADE[0]?.faults.map(sentKey) ?? [];
    assert.equal(first, second, 'faults look alike without maps');
    assert.equal(new Set(MADE.map(({ faults }) => sentKey(faults[0] ?? {}))).size, MADE.length);
    let partly = 0;
    await fc.assert(
      fc.asyncProperty(STEPS, async (steps) => {
        partly += await play(MADE, steps);
      }),
      { numRuns: runs, seed: SEED },
    );
    assert.ok(partly >= runs, `only ${partly} events were mapped in part`);
  });

  it(`are so of two builds of each recorded program (${recordedRuns} runs each)`, async () => {
    const programs = await recordedBuilds();
    assert.ok(programs.size > 8, [...programs.keys()].join());
    for (const [name, builds] of programs) {
      const [first, second] = builds.map(({ faults }) => sentKey(faults[0] ?? {}));
      assert.notEqual(first, second, `${name}: the builds are sent differently`);
      await fc.assert(
        fc.asyncProperty(inAnyOrder(builds), async (steps) => {
          await play(builds, steps);
        }),
        { numRuns: recordedRuns, seed: SEED },
      );
    }
  });
});
