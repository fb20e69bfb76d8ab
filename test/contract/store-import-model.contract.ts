import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { DigestedEvent } from '../../src/domain/ingest/digest.ts';
import type { ImportSource } from '../../src/domain/imports/import.ts';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import type { Project } from '../../src/domain/projects/project.ts';
import type { StoreHarness } from '../support/store-harness.ts';
import { aliasFor, counted, makeIssue, makeSource, putImported } from '../support/import-data.ts';
import { makeEvent, makeProject, NOON, TestJournal } from '../support/store-data.ts';

const ISSUES = ['1', '2'] as const;
type IssueId = (typeof ISSUES)[number];
/** Issue in which our own groups lie: `c` begins as an error of its own and may be joined later. */
const GROUPS = { a: '1', b: '2', c: '2' } as const;
type Group = keyof typeof GROUPS;

const issue = fc.constantFrom(...ISSUES);
const id = fc.nat({ max: 15 });
const step = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('there' as const), issue, count: fc.integer({ min: 1, max: 4 }) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('live' as const),
      events: fc.array(
        fc.record({
          id,
          group: fc.constantFrom<Group>('a', 'b', 'c'),
          /** What becomes of it at the tracker; `late`: it is counted and marked by a later step. */
          there: fc.constantFrom('no', 'no', 'taken', 'taken', 'unmarked', 'late', 'dropped', 'elsewhere'),
          /** True: the mark comes before the digest. */
          early: fc.boolean(),
        }),
        { minLength: 1, maxLength: 5 },
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('replay' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('arrive' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('look up' as const), issue }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('pass' as const), issue, moved: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('join' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('prune' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type Live = Extract<Step, { kind: 'live' }>['events'][number];

interface IssueModel {
  errorId: string;
  /** Ids of events that the tracker counted. */
  readonly there: Set<string>;
  /** As of the last base. */
  base: number;
  trackerCount: number;
}

/** The rules in sets of event ids: nothing is folded, and nothing ever removed. */
class Model {
  readonly issues = new Map<IssueId, IssueModel>();
  /** Own events with their groups. */
  readonly own = new Map<string, Group>();
  readonly marked = new Set<string>();
  /** Forwarded events that the tracker has not counted yet, with their issue. */
  readonly late = new Map<string, IssueId>();
  joined = false;
  /** False: the tracker dropped an event after it had taken it, or counted it in another issue than we do. */
  proves = true;
  strangers = 0;

  ownOf(issueId: IssueId): string[] {
    return [...this.own].flatMap(([event, group]) =>
      GROUPS[group] === issueId && (group !== 'c' || this.joined) ? [event] : [],
    );
  }

  knownThere(issueId: IssueId): number {
    return this.ownOf(issueId).filter((event) => this.marked.has(event)).length;
  }

  shown(issueId: IssueId): number {
    return (this.issues.get(issueId)?.base ?? 0) + this.ownOf(issueId).length;
  }
}

/** One run: the store, a tracker in the model, and what a session does with both. */
class Run {
  readonly model = new Model();
  readonly #store: Store;
  readonly #project: Project;
  readonly #source: ImportSource;
  readonly #journal: TestJournal;
  #last: readonly DigestedEvent[] = [];
  #at = NOON;

  constructor(store: Store, project: Project, source: ImportSource) {
    this.#store = store;
    this.#project = project;
    this.#source = source;
    this.#journal = new TestJournal(store);
  }

  async begin(): Promise<void> {
    for (const issueId of ISSUES) {
      const { errorId } = await putImported(this.#store, this.#project.id, makeIssue(this.#source, issueId), NOON);
      this.model.issues.set(issueId, { errorId, there: new Set(), base: 0, trackerCount: -1 });
    }
    await this.#addAlias('a');
    await this.#addAlias('b');
  }

  async #addAlias(group: Group): Promise<void> {
    const { errorId } = this.#issue(GROUPS[group]);
    const [result] = await this.#store.addAliases(this.#project.id, errorId, [aliasFor(this.#project, group)], NOON);
    if (result?.kind === 'own_error') await this.#store.mergeErrors(this.#project.id, [errorId, result.errorId]);
  }

  #issue(issueId: IssueId): IssueModel {
    const found = this.model.issues.get(issueId);
    assert.ok(found !== undefined);
    return found;
  }

  async play(each: Step): Promise<void> {
    const { model } = this;
    switch (each.kind) {
      case 'there':
        for (let n = 0; n < each.count; n += 1) {
          model.strangers += 1;
          this.#issue(each.issue).there.add(`only there ${model.strangers}`);
        }
        break;
      case 'live':
        await this.#live(each.events);
        break;
      case 'replay':
        if (this.#last.length > 0) assert.equal((await this.#journal.replay(this.#last)).kind, 'already_applied');
        break;
      case 'arrive':
        await this.#arrive();
        break;
      case 'look up':
        // Ids that the import finds in the tracker, of events that are not ours as well.
        await this.#mark([...this.#issue(each.issue).there]);
        break;
      case 'pass':
        await this.#pass(each.issue, each.moved);
        break;
      case 'join':
        model.joined = true;
        await this.#addAlias('c');
        break;
      case 'prune':
        await this.#store.prune({
          receivedBefore: NOON + 8,
          maxEventsPerError: 2,
          keysReceivedBefore: 0,
          hoursBefore: 0,
          outcomesBefore: 0,
        });
        break;
    }
  }

  async #live(events: readonly Live[]): Promise<void> {
    const { model } = this;
    const made = events.map(({ id: number, group }) =>
      makeEvent(this.#project, String(number), { group, at: NOON + number }),
    );
    const fresh = events.flatMap((event, index) => {
      const eventId = made[index]!.eventId;
      if (model.own.has(eventId)) return [];
      model.own.set(eventId, event.group);
      return [{ ...event, eventId }];
    });
    const marks: { eventId: string; early: boolean }[] = [];
    for (const { eventId, group, there, early } of fresh) {
      const issueId = GROUPS[group];
      if (there === 'taken' || there === 'unmarked') this.#issue(issueId).there.add(eventId);
      if (there === 'late') model.late.set(eventId, issueId);
      if (there === 'elsewhere') this.#issue(issueId === '1' ? '2' : '1').there.add(eventId);
      if (there === 'dropped' || there === 'elsewhere') model.proves = false;
      if (there === 'taken' || there === 'dropped' || there === 'elsewhere') marks.push({ eventId, early });
    }
    await this.#mark(marks.flatMap(({ eventId, early }) => (early ? [eventId] : [])));
    assert.equal((await this.#journal.apply(made)).kind, 'applied');
    this.#last = made;
    await this.#mark(marks.map(({ eventId }) => eventId));
  }

  async #mark(eventIds: readonly string[]): Promise<void> {
    const named = eventIds.filter((each) => /^[0-9a-f]{32}$/.test(each));
    named.forEach((each) => this.model.marked.add(each));
    await this.#store.markKnownThere(this.#project.id, named, NOON);
  }

  /** The tracker counts what it took earlier, and errgate learns it. */
  async #arrive(): Promise<void> {
    for (const [eventId, issueId] of this.model.late) this.#issue(issueId).there.add(eventId);
    await this.#mark([...this.model.late.keys()]);
    this.model.late.clear();
  }

  async #pass(issueId: IssueId, moved: boolean): Promise<void> {
    const { model } = this;
    const found = this.#issue(issueId);
    this.#at += 1;
    await this.#store.putImportedError(this.#project.id, makeIssue(this.#source, issueId), this.#at);
    const before = await this.#store.knownThere(this.#project.id, found.errorId, this.#at);
    assert.equal(before, model.knownThere(issueId));
    // A base is taken only while nothing waits to be counted there.
    if (model.late.size > 0) return;
    const count = found.there.size;
    // The tracker answered before it counted a further event, which is marked by the time the base is set.
    const unmarked = model.ownOf(issueId).find((each) => !model.marked.has(each) && !found.there.has(each));
    const moving = moved && unmarked !== undefined;
    if (moving) {
      found.there.add(unmarked);
      await this.#mark([unmarked]);
    }
    const counts = counted(count, { knownThere: before, at: this.#at });
    const result = await this.#store.setBase(this.#project.id, found.errorId, counts);
    const base = Math.max(0, count - before);
    const first = found.trackerCount < 0;
    assert.equal(result, moving ? 'moved' : first || base !== found.base ? 'set' : 'unchanged');
    if (moving) return;
    found.base = base;
    found.trackerCount = count;
  }

  /** Compares what is shown with the model. */
  async check(): Promise<void> {
    await this.#store.rollUpMerged();
    for (const issueId of ISSUES) {
      const { errorId } = this.#issue(issueId);
      const error = await this.#store.errorById(this.#project.id, errorId, NOON);
      assert.equal(error?.count, this.model.shown(issueId), `count of issue ${issueId}`);
    }
  }

  /** The last pass after the cut-over, with every id looked up: each event of either side counts once. */
  async finish(): Promise<void> {
    const { model } = this;
    await this.play({ kind: 'join' });
    await this.#arrive();
    for (const issueId of ISSUES) await this.play({ kind: 'look up', issue: issueId });
    for (const issueId of ISSUES) await this.#pass(issueId, false);
    await this.check();
    if (!model.proves) return;
    for (const issueId of ISSUES) {
      const either = new Set([...this.#issue(issueId).there, ...model.ownOf(issueId)]);
      assert.equal(model.shown(issueId), either.size, `each event of issue ${issueId} counts once`);
    }
  }
}

export function importModelContract(harness: () => StoreHarness): void {
  describe('any order of passes, live events, marks, joins, replays and prunes', () => {
    it('counts each event once', async function () {
      this.timeout(180_000);
      const { store, modelRuns } = harness();
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 16 }), async (steps) => {
          const project = await makeProject(store);
          const run = new Run(store, project, await makeSource(store, project));
          await run.begin();
          for (const each of steps) {
            await run.play(each);
            await run.check();
          }
          await run.finish();
        }),
        { numRuns: modelRuns, seed: 20260718 },
      );
    });
  });
}
