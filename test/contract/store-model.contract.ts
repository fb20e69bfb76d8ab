import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { DigestedEvent } from '../../src/domain/digest.ts';
import type { Store } from '../../src/domain/ports/store.ts';
import type { Project } from '../../src/domain/project.ts';
import type { ErrorStatus } from '../../src/domain/tracked-error.ts';
import { factsOf } from '../support/facts.ts';
import { PlainModel, type ErrorModel } from '../support/plain-model.ts';
import type { StoreHarness } from '../support/store-harness.ts';
import { listAll, makeEvent, makeProject, NOON, TestJournal } from '../support/store-data.ts';

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
          const facts = (await factsOf(store, project.id)).map(({ id }) => id);
          assert.deepEqual(facts.sort(), model.facts.sort());
          for (const id of facts) seen.add(id.split(':')[0] ?? '');
        }),
        { numRuns: modelRuns, seed: 20260310 },
      );
      if (modelRuns >= 50) assert.deepEqual([...seen].sort(), ['new', 'regressed', 'users']);
    });
  });
}

async function play(
  store: Store,
  project: Project,
  steps: readonly (typeof step extends fc.Arbitrary<infer T> ? T : never)[],
  run: number,
): Promise<PlainModel> {
  const model = new PlainModel();
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
    events.forEach((event) => model.add(event));
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
          await store.setErrorStatus(project.id, id, each.status, NOON + each.now);
          const members = model.membersOf(error.root);
          const resolvedAt = Math.max(NOON + each.now, ...members.map(({ newestReceived }) => newestReceived));
          members.forEach((member) => Object.assign(member, { status: each.status, resolvedAt }));
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
        for (const member of roots.flatMap((old) => model.membersOf(old))) {
          member.root = root;
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
  }
  return model;
}

const messageOf = (group: string): string => `bad value in ${group}`;

function messageIn(error: ErrorModel, model: PlainModel): string {
  return [...model.errors].find(([, each]) => each === error)![0];
}

function leastOf(roots: readonly ErrorModel[], model: PlainModel, ids: ReadonlyMap<string, string>): ErrorModel {
  const number = (root: ErrorModel) => Number(ids.get(messageIn(root, model)));
  return [...roots].sort((a, b) => number(a) - number(b))[0]!;
}

async function view(store: Store, project: Project): Promise<unknown[]> {
  return (await listAll(store, project))
    .map(({ message, count, userCount, status, firstSeen, lastSeen, firstRelease, lastRelease }) => ({
      message: message ?? '',
      count,
      userCount,
      status,
      seen: [firstSeen, lastSeen],
      releases: [firstRelease, lastRelease],
    }))
    .sort((a, b) => (a.message < b.message ? -1 : 1));
}
