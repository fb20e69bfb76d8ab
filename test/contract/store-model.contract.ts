import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { DigestedEvent } from '../../src/domain/digest.ts';
import type { Store } from '../../src/domain/ports/store.ts';
import type { Project } from '../../src/domain/project.ts';
import type { ErrorStatus } from '../../src/domain/tracked-error.ts';
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

interface ErrorModel {
  count: number;
  readonly users: Set<string>;
  first: DigestedEvent;
  last: DigestedEvent;
  newestReceived: number;
  status: ErrorStatus;
  resolvedAt: number;
  /** What it was merged into; itself when it stands alone. */
  root: ErrorModel;
}

/** The rules in their plainest form: one event after the other, nothing folded, nothing durable. */
class Model {
  readonly errors = new Map<string, ErrorModel>();
  readonly known = new Set<string>();

  add(event: DigestedEvent): void {
    if (this.known.has(event.eventId)) {
      return;
    }
    this.known.add(event.eventId);
    const group = event.message ?? '';
    const error = this.errors.get(group) ?? freshError(event);
    this.errors.set(group, error);
    error.count += 1;
    if (event.userHash !== null) {
      error.users.add(event.userHash);
    }
    error.first = least([error.first, event]);
    error.last = greatest([error.last, event]);
    error.newestReceived = Math.max(error.newestReceived, event.receivedAt);
    if (error.status === 'resolved' && error.resolvedAt < event.receivedAt) {
      error.status = 'unresolved';
    }
  }

  membersOf(root: ErrorModel): ErrorModel[] {
    return [...this.errors.values()].filter((error) => error.root === root);
  }

  /** What any member receives after the root was resolved opens the root again. */
  settle(): void {
    for (const root of this.errors.values()) {
      const newest = Math.max(0, ...this.membersOf(root).map(({ newestReceived }) => newestReceived));
      if (root.status === 'resolved' && root.resolvedAt < newest) {
        root.status = 'unresolved';
      }
    }
  }

  view(): unknown[] {
    return [...this.errors.values()]
      .filter((error) => error.root === error)
      .map((root) => {
        const members = this.membersOf(root);
        const first = least(members.map((member) => member.first));
        const last = greatest(members.map((member) => member.last));
        return {
          message: last.message ?? '',
          count: members.reduce((sum, { count }) => sum + count, 0),
          userCount: new Set(members.flatMap(({ users }) => [...users])).size,
          status: root.status,
          seen: [first.at, last.at],
          releases: [first.release, last.release],
        };
      })
      .sort((a, b) => (a.message < b.message ? -1 : 1));
  }
}

function freshError(event: DigestedEvent): ErrorModel {
  const error = {
    count: 0,
    users: new Set<string>(),
    first: event,
    last: event,
    newestReceived: 0,
    status: 'unresolved' as const,
    resolvedAt: 0,
  };
  const own: ErrorModel = Object.assign(error, { root: error as unknown as ErrorModel });
  own.root = own;
  return own;
}

function ranked(events: readonly DigestedEvent[]): DigestedEvent[] {
  const rank = (each: DigestedEvent) => `${each.at} ${each.eventId}`;
  return [...events].sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
}

const least = (events: readonly DigestedEvent[]): DigestedEvent => ranked(events)[0]!;
const greatest = (events: readonly DigestedEvent[]): DigestedEvent => ranked(events).at(-1)!;

export function modelContract(harness: () => StoreHarness): void {
  describe('any order of batches, replays, copies, status changes, merges and prunes', () => {
    it('gives the state of a plain model', async function () {
      this.timeout(180_000);
      const { store, modelRuns } = harness();
      let run = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
          run += 1;
          const project = await makeProject(store, `model/run${run}`);
          const model = await play(store, project, steps, run);
          assert.deepEqual(await view(store, project), model.view());
        }),
        { numRuns: modelRuns, seed: 20260310 },
      );
    });
  });
}

async function play(
  store: Store,
  project: Project,
  steps: readonly (typeof step extends fc.Arbitrary<infer T> ? T : never)[],
  run: number,
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
  for (const each of steps) {
    switch (each.kind) {
      case 'batch': {
        const events = build(each.events);
        const which = (each.events[0]?.journal ?? 0) as 0 | 1;
        assert.equal((await journals[which].apply(events)).kind, 'applied');
        lastBatches[which] = events;
        events.forEach((event) => model.add(event));
        await store.rollUpMerged();
        model.settle();
        for (const { id, message } of await listAll(store, project)) {
          // A new error stands alone; what is merged may show the message of another one.
          if (!ids.has(message ?? '')) ids.set(message ?? '', id);
        }
        break;
      }
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

function messageIn(error: ErrorModel, model: Model): string {
  return [...model.errors].find(([, each]) => each === error)![0];
}

function leastOf(roots: readonly ErrorModel[], model: Model, ids: ReadonlyMap<string, string>): ErrorModel {
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
