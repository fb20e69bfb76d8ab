import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createFrameMapper } from '../../../src/compose/frame-mapper.ts';
import type { Project } from '../../../src/domain/projects/project.ts';
import { createMappingDigester } from '../../../src/integrated/digest/digest-record.ts';
import { GrowingBatch } from '../../../src/integrated/digest/digested-record.ts';
import { groupV2 } from '../../../src/integrated/digest/group/v2/group.ts';
import { createScrubber } from '../../../src/integrated/digest/scrub/scrubber.ts';
import { type BuiltScript, script, thrownThrough } from '../../grouping/built-events.ts';
import type { RawEvent } from '../../grouping/pair.ts';
import { MemoryMaps } from '../../support/map-source.ts';
import { hexId, listAll, makeProject, NOON, TestJournal } from '../../support/store-data.ts';
import { describeOnEveryStore, type OpenedStore } from '../../support/test-stores.ts';
import { NO_RULES, normalise, record } from '../../unit/integrated/digest/digest-support.ts';

const RUNS = 25;
const SEED = 20_261_129;

const FAULTS = [
  ['applyDiscount', 6],
  ['readCost', 30],
] as const;

interface Build {
  readonly main: BuiltScript;
  readonly cart: BuiltScript;
  /** An event of each fault, sent alike: minified names and near columns count for nothing. */
  readonly faults: readonly RawEvent[];
}

const BUILDS: readonly Build[] = ['shop', 'store', 'market'].map((name) => {
  const main = script(`${name}-BvYxf9r1`, [['e', '../../src/main.js', 'start', 3]]);
  const functions = FAULTS.map(
    ([original, line], at) => ['tn'[at] ?? '', '../../src/cart.js', original, line] as const,
  );
  const cart = script(`${name}Cart-zUTjjcm1`, functions, ' '.repeat(900));
  const faults = cart.frames.map((frame) => thrownThrough([main, { ...cart, frames: [frame] }]));
  return { main, cart, faults };
});

const sentKey = (event: RawEvent): string => groupV2(normalise(structuredClone(event))).key;

/** One step: a build uploads a map, an event comes, or the event of an earlier step comes again. */
type Step =
  | { readonly kind: 'upload'; readonly build: number; readonly file: 'main' | 'cart' }
  | { readonly kind: 'event'; readonly build: number; readonly fault: number }
  | { readonly kind: 'again'; readonly of: number };

const anyBuild = fc.nat({ max: BUILDS.length - 1 });
const STEPS = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('upload' as const), build: anyBuild, file: fc.constantFrom('main', 'cart') }),
    fc.record({ kind: fc.constant('event' as const), build: anyBuild, fault: fc.nat({ max: FAULTS.length - 1 }) }),
    fc.record({ kind: fc.constant('event' as const), build: anyBuild, fault: fc.nat({ max: FAULTS.length - 1 }) }),
    fc.record({ kind: fc.constant('again' as const), of: fc.nat() }),
  ),
  { minLength: 4, maxLength: 24 },
);

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

describeOnEveryStore('events of builds whose maps come one by one, in any order', (kind, suite) => {
  suite.timeout(120_000);
  let opened: OpenedStore;
  before(async () => (opened = await kind.open()));
  after(() => opened.dispose());

  /** Plays the steps; returns the number of events of which a part was mapped. */
  async function play(project: Project, steps: readonly Step[]): Promise<number> {
    const maps = new MemoryMaps();
    const journal = new TestJournal(opened.store, `steps of ${project.id}`);
    const model = new Model();
    const uploaded = new Set<BuiltScript>();
    const sent: { readonly id: string; readonly event: RawEvent }[] = [];
    let partly = 0;
    const send = async (id: string, event: RawEvent) => {
      // Each event has a mapper of its own, because answers hold for some time.
      const mapper = createFrameMapper({ integrated: NO_RULES }, maps);
      const digest = createMappingDigester(
        {
          group: groupV2,
          scrubberFor: () => createScrubber({ enabled: true, scrubIps: false, sensitiveFields: [], safeFields: [] }),
          inApp: NO_RULES,
          userSalt: 'salt',
          projectPath: () => null,
        },
        mapper,
      );
      const batch = new GrowingBatch();
      batch.add(await digest(record(JSON.stringify(event), { projectId: project.id, eventId: id, receivedAt: NOON })));
      await journal.apply(batch.finish().events);
    };
    for (const [at, step] of steps.entries()) {
      if (step.kind === 'upload') {
        const built = BUILDS[step.build]?.[step.file];
        assert.ok(built !== undefined);
        if (!uploaded.has(built)) maps.add({ projectId: project.id, debugId: built.debugId, bytes: built.map });
        uploaded.add(built);
        continue;
      }
      if (step.kind === 'again') {
        const earlier = sent[step.of % Math.max(1, sent.length)];
        if (earlier !== undefined) await send(earlier.id, earlier.event);
      } else {
        const build = BUILDS[step.build];
        const event = build?.faults[step.fault];
        assert.ok(build !== undefined && event !== undefined);
        const has = [uploaded.has(build.main), uploaded.has(build.cart)];
        partly += has[0] === has[1] ? 0 : 1;
        const id = hexId(`event ${at} of ${project.id}`);
        model.add(sentKey(event), step.fault, !has.includes(false));
        await send(id, event);
        sent.push({ id, event });
      }
      const counts = (await listAll(opened.store, project)).map(({ count }) => count);
      assert.deepEqual(counts.sort((a, b) => a - b), [...model.counts].sort((a, b) => a - b)); // prettier-ignore
    }
    return partly;
  }

  it(`are of one error with those before, and of one with all that are mapped whole (${RUNS} runs)`, async () => {
    const [first, second] = BUILDS[0]?.faults.map(sentKey) ?? [];
    assert.equal(first, second, 'faults look alike without maps');
    assert.equal(new Set(BUILDS.map(({ faults }) => sentKey(faults[0] ?? {}))).size, BUILDS.length);
    let partly = 0;
    await fc.assert(
      fc.asyncProperty(STEPS, async (steps) => {
        partly += await play(await makeProject(opened.store), steps);
      }),
      { numRuns: RUNS, seed: SEED },
    );
    assert.ok(partly > RUNS, `only ${partly} events were mapped in part`);
  });
});
