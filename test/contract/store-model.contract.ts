import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { DigestedEvent } from '../../src/domain/ingest/digest.ts';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import type { Project } from '../../src/domain/projects/project.ts';
import type { ErrorStatus } from '../../src/domain/errors/error-status.ts';
import { factsOf } from '../support/facts.ts';
import type { StoreHarness } from '../support/store-harness.ts';
import { listAll, makeEvent, makeProject, NOON, TestJournal } from '../support/store-data.ts';
import { type ErrorModel, Model } from './error-model.ts';

const small = fc.nat({ max: 4 });
const eventSpec = fc.record({
  id: fc.nat({ max: 20 }),
  group: fc.constantFrom('a', 'b', 'c'),
  at: small,
  receivedAt: fc.nat({ max: 12 }),
  user: fc.constantFrom(null, 'u1', 'u2', 'u3'),
  journal: fc.nat({ max: 1 }),
});
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('batch' as const), events: fc.array(eventSpec, { maxLength: 6 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('crowd' as const),
      group: fc.constantFrom('a', 'b', 'c'),
      crowd: fc.nat({ max: 3 }),
      journal: fc.nat({ max: 1 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('replay' as const), journal: fc.nat({ max: 1 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('foreign' as const), events: fc.array(eventSpec, { maxLength: 2 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('status' as const),
      group: fc.constantFrom('a', 'b', 'c'),
      status: fc.constantFrom<ErrorStatus>('resolved', 'ignored', 'unresolved'),
      now: fc.nat({ max: 12 }),
      /** Further events after which an ignored error is unresolved; null: none. */
      events: fc.option(fc.integer({ min: 1, max: 4 }), { nil: null }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('merge' as const),
      groups: fc.subarray(['a', 'b', 'c'], { minLength: 2 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('unmerge' as const),
      group: fc.constantFrom('a', 'b', 'c'),
      named: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('prune' as const), before: fc.nat({ max: 12 }) }) },
);

/** Users of a crowd: two different ones pass the first step. */
const CROWD = 60;

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const ALL = ['a', 'b', 'c'] as const;
type Group = (typeof ALL)[number];
const event = (group: Group) => ({ kind: 'event' as const, group });
const merge = (...groups: Group[]) => ({ kind: 'merge' as const, groups });
const status = (group: fc.Arbitrary<Group>) =>
  fc.record({
    kind: fc.constant('status' as const),
    group,
    status: fc.constantFrom<ErrorStatus>('resolved', 'ignored', 'ignored'),
    events: fc.option(fc.integer({ min: 1, max: 4 }), { nil: null, freq: 8 }),
  });
const statusStep = fc.oneof(
  { weight: 10, arbitrary: fc.constantFrom(...ALL).map(event) },
  { weight: 1, arbitrary: status(fc.constantFrom(...ALL)) },
  { weight: 1, arbitrary: fc.constantFrom(merge(...ALL), merge('b', 'c')) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('unmerge' as const),
      group: fc.constantFrom(...ALL),
      named: fc.boolean(),
    }),
  },
);
/** Errors with a status each are merged, and events come. Each step is later than the one before. */
const statusSteps = fc
  .tuple(
    fc.constantFrom([], [merge('b', 'c')]),
    fc.tuple(...ALL.map((group) => status(fc.constant(group)))),
    fc.array(fc.constantFrom(...ALL).map(event), { maxLength: 2 }),
    fc.array(statusStep, { minLength: 6, maxLength: 12, size: 'max' }),
  )
  .map(([joined, decided, between, after]) =>
    [...ALL.map(event), ...joined, ...decided, ...between, merge(...ALL), ...after].map((each, index): Step => {
      if (each.kind === 'status') return { ...each, now: index };
      if (each.kind !== 'event') return each;
      const one = { id: index, group: each.group, at: index, receivedAt: index, user: null, journal: 0 };
      return { kind: 'batch', events: [one] };
    }),
  );

export function modelContract(harness: () => StoreHarness): void {
  describe('any order of batches, replays, copies, status changes, merges and prunes', () => {
    it('gives the state of a plain model', async function () {
      this.timeout(180_000);
      const { store, modelRuns } = harness();
      let run = 0;
      const seen = new Set<string>();
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
          run += 1;
          const project = await makeProject(store, `model/run${run}`);
          const model = await play(store, project, steps, run);
          assert.deepEqual(await view(store, project), model.view());
          for (const id of await checkFacts(store, project, model)) seen.add(id.split(':')[0] ?? '');
        }),
        { numRuns: modelRuns, seed: 20260310 },
      );
      if (modelRuns >= 50) assert.deepEqual([...seen].sort(), ['new', 'regressed', 'unmuted', 'users']);
    });

    it('ends the conditions of ignored and merged errors as a plain model does', async function () {
      this.timeout(180_000);
      const { store, modelRuns } = harness();
      let run = 0;
      await fc.assert(
        fc.asyncProperty(statusSteps, async (steps) => {
          run += 1;
          const project = await makeProject(store, `states/run${run}`);
          // A status that ends late is found only between its time and the late end.
          const model = await play(store, project, steps, run, async (each) =>
            assert.deepEqual(await view(store, project), each.view()),
          );
          await checkFacts(store, project, model);
        }),
        { numRuns: Math.ceil(modelRuns / 4), seed: 20261124 },
      );
    });
  });
}

async function play(
  store: Store,
  project: Project,
  steps: readonly Step[],
  run: number,
  look: (model: Model) => Promise<void> = () => Promise.resolve(),
): Promise<Model> {
  const model = new Model();
  const journals = [new TestJournal(store, `run ${run} one`), new TestJournal(store, `run ${run} two`)] as const;
  const lastBatches: [DigestedEvent[], DigestedEvent[]] = [[], []];
  const ids = new Map<string, string>();
  const build = (specs: readonly (typeof eventSpec extends fc.Arbitrary<infer T> ? T : never)[]) =>
    specs.map(({ id, group, at, receivedAt, user }) =>
      makeEvent(project, String(id), {
        group,
        user,
        at: NOON + at,
        receivedAt: NOON + receivedAt,
        release: `r${id}`,
      }),
    );
  const crowdOf = (group: string, crowd: number) =>
    Array.from({ length: CROWD }, (_, index) =>
      makeEvent(project, `${group} ${crowd} ${index}`, { group, user: `${crowd} ${index}`, release: 'r0' }),
    );
  const send = async (which: 0 | 1, events: DigestedEvent[]) => {
    assert.equal((await journals[which].apply(events)).kind, 'applied');
    lastBatches[which] = events;
    events.forEach((each) => model.add(each));
    model.count();
    await store.rollUpMerged();
    model.settle();
    for (const { id, message } of await listAll(store, project)) {
      // A new error stands alone; what is merged may show the message of another one.
      if (!ids.has(message ?? '')) ids.set(message ?? '', id);
    }
  };
  for (const each of steps) {
    switch (each.kind) {
      case 'batch':
        await send((each.events[0]?.journal ?? 0) as 0 | 1, build(each.events));
        break;
      case 'crowd':
        await send(each.journal as 0 | 1, crowdOf(each.group, each.crowd));
        break;
      case 'replay': {
        const which = each.journal as 0 | 1;
        if (journals[which].n > 0) {
          assert.equal((await journals[which].replay(lastBatches[which])).kind, 'already_applied');
        }
        break;
      }
      case 'foreign': {
        const copy = journals[0];
        const batch = { events: build(each.events), outcomes: [] };
        assert.equal((await store.applyBatch(copy.batchId(copy.n + 2), batch)).kind, 'foreign');
        break;
      }
      case 'status': {
        const error = model.errors.get(messageOf(each.group));
        const id = ids.get(messageOf(each.group));
        assert.equal(id === undefined, error === undefined);
        if (id !== undefined && error !== undefined) {
          const { status, now, events } = each;
          const ignoreCount = status === 'ignored' ? events : null;
          const change = ignoreCount === null ? {} : { details: { ignoreCount } };
          await store.setErrorStatus(project.id, id, status, NOON + now, change);
          model.decide(error.root, status, NOON + now, ignoreCount);
        }
        break;
      }
      case 'merge': {
        const known = each.groups.map(messageOf).filter((message) => ids.has(message));
        if (known.length < 2) {
          break;
        }
        const roots = known.map((message) => model.errors.get(message)!.root);
        const root = leastOf(roots, model, ids);
        const answer = await store.mergeErrors(
          project.id,
          known.map((message) => ids.get(message)!),
        );
        assert.equal(answer, ids.get(messageIn(root, model)));
        for (const member of roots.flatMap((old) => (old === root ? [] : model.membersOf(old)))) {
          Object.assign(member, { root, sinceOfRoot: member.count });
        }
        model.settle();
        break;
      }
      case 'unmerge': {
        const error = model.errors.get(messageOf(each.group));
        const id = ids.get(messageOf(each.group));
        if (id === undefined || error === undefined) {
          break;
        }
        const { root } = error;
        const alone = error !== root;
        const named = each.named && alone ? [id] : null;
        await store.unmergeErrors(project.id, named === null ? id : ids.get(messageIn(root, model))!, named);
        for (const member of alone ? [error] : model.membersOf(root)) {
          member.root = member;
        }
        break;
      }
      case 'prune':
        await store.prune({
          receivedBefore: NOON + each.before,
          maxEventsPerError: 3,
          keysReceivedBefore: 0,
          hoursBefore: 0,
          outcomesBefore: 0,
        });
        break;
    }
    await look(model);
  }
  return model;
}

const messageOf = (group: string): string => `bad value in ${group}`;

function messageIn(error: ErrorModel, model: Model): string {
  return [...model.errors].find(([, each]) => each === error)![0];
}

function leastOf(roots: readonly ErrorModel[], model: Model, ids: ReadonlyMap<string, string>): ErrorModel {
  const number = (root: ErrorModel) => Number(ids.get(messageIn(root, model)));
  return [...roots].sort((a, b) => number(a) - number(b))[0]!;
}

async function view(store: Store, project: Project): Promise<unknown[]> {
  return (await listAll(store, project))
    .map(({ message, count, userCount, status, statusDetails, firstSeen, lastSeen, firstRelease, lastRelease }) => ({
      message: message ?? '',
      count,
      userCount,
      status,
      ignoreCount: statusDetails?.ignoreCount ?? null,
      seen: [firstSeen, lastSeen],
      releases: [firstRelease, lastRelease],
    }))
    .sort((a, b) => (a.message < b.message ? -1 : 1));
}

/** Requires each fact of the model once; returns the ids. */
async function checkFacts(store: Store, project: Project, model: Model): Promise<string[]> {
  const ids = (await factsOf(store, project.id)).map(({ id }) => id);
  assert.deepEqual([...ids].sort(), [...model.facts].sort(), 'facts');
  return ids;
}
