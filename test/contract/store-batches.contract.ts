import assert from 'node:assert/strict';
import type { OutcomeCount } from '../../src/domain/ingest/digest.ts';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import type { StoreHarness } from '../support/store-harness.ts';
import { errorOf, HOUR, listAll, makeEvent, makeProject, NOON, TestJournal } from '../support/store-data.ts';

export function batchContract(harness: () => StoreHarness): void {
  describe('batches', () => {
    it('stores a batch and adds it up', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const journal = new TestJournal(store);
      assert.equal(await store.lastBatch(journal.id), 0);
      const result = await journal.apply([
        makeEvent(project, 'b', { at: NOON, user: 'ada', release: 'r2', level: 'warning', culprit: 'newest' }),
        makeEvent(project, 'a', { at: NOON - 5000, user: 'bob', release: 'r1' }),
        makeEvent(project, 'c', { at: NOON - 3000, user: 'ada', release: 'r3' }),
        makeEvent(project, 'd', { group: 'other', user: null }),
      ]);
      assert.deepEqual(result, { kind: 'applied', stored: 4, duplicates: 0, newErrors: 2 });
      assert.equal(await store.lastBatch(journal.id), 1);
      const error = await errorOf(store, project);
      assert.deepEqual(
        { ...error, frequency: null, marks: null },
        {
          id: error.id,
          projectId: project.id,
          type: 'ValueError',
          title: 'ValueError: bad value in default',
          message: 'bad value in default',
          culprit: 'newest',
          level: 'warning',
          platform: 'python',
          status: 'unresolved',
          ...{ statusDetails: null, assignee: null },
          count: 3,
          userCount: 2,
          firstSeen: NOON - 5000,
          lastSeen: NOON,
          firstRelease: 'r1',
          lastRelease: 'r2',
          externalUrl: null,
          externalIds: [],
          tracker: null,
          ...{ frequency: null, rangeCount: null, marks: null },
        },
      );
      const other = await errorOf(store, project, 'other');
      assert.deepEqual([other.count, other.userCount], [1, 0]);
    });

    it('answers a replay of the last batch without applying it again', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const journal = new TestJournal(store);
      const events = [makeEvent(project, 'a', { user: 'ada' })];
      await journal.apply(events, [dropped(project.id)]);
      assert.deepEqual(await journal.replay(events, [dropped(project.id)]), { kind: 'already_applied' });
      const error = await errorOf(store, project);
      assert.deepEqual([error.count, error.userCount], [1, 1]);
      assert.deepEqual(await outcomes(store, project.id), [
        ['accepted', '', 1],
        ['invalid', 'broken_json', 3],
      ]);
    });

    it('says whether it has a batch, to a journal that can no longer read that batch', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const journal = new TestJournal(store);
      const first = journal.batchId(1, 'first');
      assert.equal(await store.completeBatch(first), null);
      await store.applyBatch(first, { events: [makeEvent(project, 'a')], outcomes: [] });
      assert.deepEqual(await store.completeBatch(first), { kind: 'already_applied' });
      assert.equal(await store.completeBatch(journal.batchId(1, 'other records')), null);
      assert.equal(await store.completeBatch(journal.batchId(2, 'next')), null);
      assert.equal(await store.completeBatch(new TestJournal(store, 'another').batchId(1, 'first')), null);
      assert.equal((await errorOf(store, project)).count, 1);
      assert.equal(await store.lastBatch(journal.id), 1);
    });

    it('answers foreign when the hash or number of a batch does not fit the journal', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const journal = new TestJournal(store);
      const apply = (n: number, content: string) =>
        store.applyBatch(journal.batchId(n, content), { events: [makeEvent(project, content)], outcomes: [] });
      assert.deepEqual(await apply(2, 'gap at the start'), { kind: 'foreign' });
      assert.equal((await apply(1, 'first')).kind, 'applied');
      assert.deepEqual(await apply(1, 'forked first'), { kind: 'foreign' });
      assert.equal((await apply(2, 'second')).kind, 'applied');
      assert.deepEqual(await apply(1, 'older'), { kind: 'foreign' });
      assert.deepEqual(await apply(2, 'forked second'), { kind: 'foreign' });
      assert.deepEqual(await apply(4, 'gap'), { kind: 'foreign' });
      assert.equal((await errorOf(store, project)).count, 2);
      assert.equal(await store.lastBatch(journal.id), 2);
    });

    it('accepts a restored journal under a new id and counts nothing twice', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const events = ['a', 'b', 'c'].map((name) => makeEvent(project, name, { user: name }));
      await new TestJournal(store, 'original').apply(events);
      const restored = new TestJournal(store, 'taken again');
      const result = await restored.apply([...events, makeEvent(project, 'd', { user: 'a' })]);
      assert.deepEqual(result, { kind: 'applied', stored: 1, duplicates: 3, newErrors: 0 });
      const error = await errorOf(store, project);
      assert.deepEqual([error.count, error.userCount], [4, 3]);
    });

    it('keeps the first of equal event ids within a batch and across batches', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const journal = new TestJournal(store);
      const first = makeEvent(project, 'same', { culprit: 'first' });
      const later = { ...first, culprit: 'later', groupHash: makeEvent(project, 'x', { group: 'other' }).groupHash };
      assert.deepEqual(await journal.apply([first, later]), {
        kind: 'applied',
        stored: 1,
        duplicates: 1,
        newErrors: 1,
      });
      assert.deepEqual(await journal.apply([later]), { kind: 'applied', stored: 0, duplicates: 1, newErrors: 0 });
      const errors = await listAll(store, project);
      assert.deepEqual(
        errors.map(({ culprit, count }) => [culprit, count]),
        [['first', 1]],
      );
      assert.deepEqual(await outcomes(store, project.id), [
        ['accepted', '', 1],
        ['filtered', 'duplicate', 2],
      ]);
    });

    it('accepts the same event id in two projects', async () => {
      const { store } = harness();
      const [one, two] = [await makeProject(store), await makeProject(store)];
      const { eventId } = makeEvent(one, 'x');
      const result = await new TestJournal(store).apply([makeEvent(one, 'x'), makeEvent(two, 'x', { eventId })]);
      assert.deepEqual(result, { kind: 'applied', stored: 2, duplicates: 0, newErrors: 2 });
    });

    it('counts a user once per error, whatever batch brings the event', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const journal = new TestJournal(store);
      await journal.apply([
        makeEvent(project, '1', { user: 'ada' }),
        makeEvent(project, '2', { user: 'ada' }),
        makeEvent(project, '3', { user: 'ada', group: 'other' }),
      ]);
      await journal.apply([makeEvent(project, '4', { user: 'ada' }), makeEvent(project, '5', { user: 'bob' })]);
      assert.equal((await errorOf(store, project)).userCount, 2);
      assert.equal((await errorOf(store, project, 'other')).userCount, 1);
    });

    it('moves first and last only outwards, with the same result for ties in every order', async () => {
      const { store } = harness();
      const [one, two] = [await makeProject(store), await makeProject(store)];
      const make = (project: typeof one) => [
        makeEvent(project, 'x', { eventId: '0'.repeat(31) + '1', release: 'low' }),
        makeEvent(project, 'x', { eventId: '0'.repeat(31) + '2', release: 'middle' }),
        makeEvent(project, 'x', { eventId: 'f'.repeat(32), release: 'high' }),
      ];
      const journal = new TestJournal(store);
      for (const event of [...make(one), ...make(two).reverse()]) {
        await journal.apply([event]);
      }
      for (const project of [one, two]) {
        const error = await errorOf(store, project);
        assert.deepEqual([error.firstRelease, error.lastRelease], ['low', 'high']);
      }
    });

    it('drops events of a deleted project, and stores the other events', async () => {
      const { store } = harness();
      const [gone, kept] = [await makeProject(store), await makeProject(store)];
      const journal = new TestJournal(store);
      await journal.apply([makeEvent(gone, 'before')]);
      await store.deleteProject(gone.id);
      const result = await journal.apply([makeEvent(gone, 'a'), makeEvent(kept, 'b'), makeEvent(gone, 'c')]);
      assert.deepEqual(result, { kind: 'applied', stored: 1, duplicates: 0, newErrors: 1 });
      assert.equal((await errorOf(store, kept)).count, 1);
      assert.deepEqual(await listAll(store, gone), []);
      assert.deepEqual(await outcomes(store, gone.id), [['filtered', 'project_deleted', 2]]);
    });

    it('applies an empty batch and batches of outcomes only', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const journal = new TestJournal(store);
      assert.equal((await journal.apply([])).kind, 'applied');
      assert.equal((await journal.apply([], [dropped(project.id), dropped(project.id)])).kind, 'applied');
      assert.deepEqual(await outcomes(store, project.id), [['invalid', 'broken_json', 6]]);
      assert.equal(await store.lastBatch(journal.id), 2);
    });

    it('counts outcomes per hour and key, oldest first, within the requested hours', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const hour = Math.floor(NOON / HOUR) * HOUR;
      const base = dropped(project.id);
      await new TestJournal(store).apply(
        [makeEvent(project, 'a', { keyId: 9, at: hour - 7 * HOUR, receivedAt: hour })],
        [
          { ...base, at: hour + 1 },
          { ...base, at: hour + HOUR - 1 },
          { ...base, at: hour - 1 },
          { ...base, at: hour + HOUR },
        ],
      );
      assert.deepEqual(await store.listOutcomes(project.id, hour, hour + HOUR), [
        { ...base, at: hour, quantity: 6 },
        { ...base, keyId: 9, category: 'error', outcome: 'accepted', reason: '', at: hour, quantity: 1 },
      ]);
      const all = await store.listOutcomes(project.id, hour - HOUR, hour + 2 * HOUR);
      assert.deepEqual(
        all.map(({ at, quantity }) => [at - hour, quantity]),
        [
          [-HOUR, 3],
          [0, 6],
          [0, 1],
          [HOUR, 3],
        ],
      );
    });

    it('continues beside the writes of another process', async () => {
      const { store, other } = harness();
      const project = await makeProject(store);
      const elsewhere = await other();
      const [mine, theirs] = [new TestJournal(store, 'mine'), new TestJournal(elsewhere, 'theirs')];
      const repeat = async (write: (round: number) => Promise<unknown>) => {
        for (let round = 0; round < 10; round += 1) await write(round);
      };
      await Promise.all([
        repeat((round) => mine.apply([makeEvent(project, `m${round}`, { user: `u${round}` })])),
        repeat((round) => theirs.apply([makeEvent(project, `t${round}`, { user: `u${round}` })])),
        repeat((round) => elsewhere.createKey(project.id, `key${round}`)),
        repeat((round) => elsewhere.saveSettings(project.id, { projectName: `name${round}` })),
      ]);
      const error = await errorOf(store, project);
      assert.deepEqual([error.count, error.userCount], [20, 10]);
      assert.equal((await store.listKeys(project.id)).length, 10);
      assert.equal((await store.settings(project.id))?.projectName, 'name9');
    });
  });

  describe('status', () => {
    it('reopens a resolved error with an event received later, and only then', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const journal = new TestJournal(store);
      await journal.apply([makeEvent(project, 'a', { receivedAt: NOON })]);
      const { id } = await errorOf(store, project);
      assert.equal(await store.setErrorStatus(project.id, id, 'resolved', NOON + 1000), true);
      await journal.apply([makeEvent(project, 'b', { at: NOON + 5000, receivedAt: NOON + 1000 })]);
      assert.equal((await errorOf(store, project)).status, 'resolved');
      await journal.apply([makeEvent(project, 'c', { at: NOON + 999, receivedAt: NOON + 1001 })]);
      assert.equal((await errorOf(store, project)).status, 'unresolved');
    });

    it('does not let a backlog undo a resolution made by a slow clock', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const journal = new TestJournal(store);
      await journal.apply([makeEvent(project, 'a', { receivedAt: NOON + 9000 })]);
      const { id } = await errorOf(store, project);
      await store.setErrorStatus(project.id, id, 'resolved', NOON);
      await journal.apply([makeEvent(project, 'b', { receivedAt: NOON + 9000 })]);
      assert.equal((await errorOf(store, project)).status, 'resolved');
    });

    it('leaves ignored errors ignored, and reopens nothing for duplicates', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const journal = new TestJournal(store);
      const event = makeEvent(project, 'a', { group: 'r' });
      await journal.apply([event, makeEvent(project, 'b', { group: 'i' })]);
      await store.setErrorStatus(project.id, (await errorOf(store, project, 'r')).id, 'resolved', NOON);
      await store.setErrorStatus(project.id, (await errorOf(store, project, 'i')).id, 'ignored', NOON);
      await journal.apply([
        { ...event, receivedAt: NOON + HOUR },
        makeEvent(project, 'c', { group: 'i', receivedAt: NOON + HOUR }),
      ]);
      assert.equal((await errorOf(store, project, 'r')).status, 'resolved');
      assert.equal((await errorOf(store, project, 'i')).status, 'ignored');
    });

    it('refuses unknown errors and those of other projects', async () => {
      const { store } = harness();
      const [one, two] = [await makeProject(store), await makeProject(store)];
      await new TestJournal(store).apply([makeEvent(one, 'a')]);
      const { id } = await errorOf(store, one);
      for (const unknown of ['999999', '0', '-1', 'x', '', '1e3', ' 1', '99999999999999999999']) {
        assert.equal(await store.setErrorStatus(one.id, unknown, 'resolved', NOON), false, unknown);
      }
      assert.equal(await store.setErrorStatus(two.id, id, 'resolved', NOON), false);
      assert.equal((await errorOf(store, one)).status, 'unresolved');
    });
  });
}

function dropped(projectId: number): OutcomeCount {
  return {
    projectId,
    keyId: 1,
    category: 'error',
    outcome: 'invalid',
    reason: 'broken_json',
    at: NOON,
    quantity: 3,
  };
}

async function outcomes(store: Store, projectId: number): Promise<unknown[]> {
  const all = await store.listOutcomes(projectId, 0, NOON + 100 * HOUR);
  return all.map(({ outcome, reason, quantity }) => [outcome, reason, quantity]).sort();
}
