import assert from 'node:assert/strict';
import { alertSetUp } from '../support/alert-data.ts';
import { importIssue, makeIssue, makeSource } from '../support/import-data.ts';
import { DAY, errorOf, HOUR, makeEvent, makeProject, NOON, TestJournal } from '../support/store-data.ts';
import type { StoreHarness } from '../support/store-harness.ts';

/** What jobs and messages of alerts read about errors. */
export function busyErrorsContract(harness: () => StoreHarness): void {
  const setUp = () => alertSetUp(harness().store);

  describe('errors that jobs look at', () => {
    it('are busy by the events of an hour, merged ones by those of all members', async () => {
      const { store, project } = await setUp();
      const journal = new TestJournal(store);
      const send = (group: string, count: number, at: number) =>
        journal.apply(
          Array.from({ length: count }, (_, each) => makeEvent(project, `${group} ${at} ${each}`, { group, at })),
        );
      for (const group of ['a', 'b', 'c']) await send(group, 6, NOON);
      await send('a', 4, NOON - HOUR);
      await send('a', 3, NOON - 168 * HOUR);
      await send('a', 2, NOON - 169 * HOUR);
      await send('b', 5, NOON + HOUR);
      const [a, b, c] = [await errorOf(store, project, 'a'), await errorOf(store, project, 'b'), await errorOf(store, project, 'c')]; // prettier-ignore
      const busy = async (events: number) =>
        (await store.busyErrors(NOON, events)).filter(({ projectId }) => projectId === project.id);
      assert.deepEqual(await busy(7), []);
      const found = (await busy(6)).find(({ errorId }) => errorId === a.id);
      const { groupHash } = makeEvent(project, '', { group: 'a' });
      const firstSeen = NOON - 169 * HOUR;
      assert.deepEqual(found, {
        ...{ projectId: project.id, errorId: a.id, groupHash, events: 6, before: 7, firstSeen, importedAt: null },
      });
      await store.mergeErrors(project.id, [b.id, c.id]);
      await store.rollUpMerged();
      assert.deepEqual(
        (await busy(7)).map(({ errorId, events, before }) => [errorId, events, before]),
        [[b.id, 12, 0]],
      );
    });

    it('say when they were imported', async () => {
      const { store, project } = await setUp();
      const source = await makeSource(store, project);
      const id = await importIssue(store, project, makeIssue(source, '1'), 5, ['a']);
      await new TestJournal(store).apply([makeEvent(project, 'one', { group: 'a', at: NOON + DAY })]);
      const [busy] = (await store.busyErrors(NOON + DAY, 1)).filter(({ projectId }) => projectId === project.id);
      assert.deepEqual([busy?.errorId, busy?.importedAt, busy?.firstSeen], [id, NOON, NOON - 1000]);
    });

    it('had events lately, with their own users', async () => {
      const { store, project } = await setUp();
      const journal = new TestJournal(store);
      const at = (group: string, receivedAt: number, user: string) =>
        journal.apply([makeEvent(project, `${group} ${receivedAt}`, { group, at: receivedAt, receivedAt, user })]);
      await at('a', NOON, 'ada');
      await at('b', NOON + 2, 'ada');
      await at('c', NOON + 3, 'bob');
      await at('a', NOON + 4, 'bob');
      const ids = new Map<string, string>();
      for (const group of ['a', 'b', 'c']) ids.set(group, (await errorOf(store, project, group)).id);
      const recent = async (since: number) =>
        (await store.recentErrors(project.id, since)).map(({ errorId, users }) => [errorId, users]);
      assert.deepEqual(await recent(NOON + 2), [[ids.get('a'), 2], [ids.get('c'), 1], [ids.get('b'), 1]]); // prettier-ignore
      assert.deepEqual(await recent(NOON + 4), [[ids.get('a'), 2]]);
      const [first] = await store.recentErrors(project.id, NOON + 4);
      assert.equal(first?.groupHash, makeEvent(project, '', { group: 'a' }).groupHash);
      await store.mergeErrors(project.id, [ids.get('b')!, ids.get('c')!]);
      await store.rollUpMerged();
      assert.deepEqual(await recent(NOON + 3), [[ids.get('a'), 2], [ids.get('b'), 2]]); // prettier-ignore
    });

    it('are counted by receipt, to a bound', async () => {
      const { store, project } = await setUp();
      const journal = new TestJournal(store);
      const times = [0, 1, 2, 3].map((each) => NOON + each);
      const send = (group: string) =>
        journal.apply(times.map((at) => makeEvent(project, `${group} ${at}`, { group, at, receivedAt: at })));
      await send('a');
      await send('b');
      const [a, b] = [(await errorOf(store, project, 'a')).id, (await errorOf(store, project, 'b')).id];
      const count = (since: number, atMost = 100) => store.countEvents(project.id, a, since, atMost);
      assert.deepEqual([await count(NOON), await count(NOON + 1), await count(NOON + 4), await count(NOON, 3)], [4, 3, 0, 3]); // prettier-ignore
      await journal.apply([makeEvent(project, 'later', { group: 'a', at: NOON + 2 * HOUR })]);
      assert.deepEqual([await count(NOON + 3), await count(NOON + 3, 1)], [2, 1]);
      await store.mergeErrors(project.id, [a, b]);
      await store.rollUpMerged();
      assert.deepEqual([await count(NOON + 3), await store.countEvents(project.id, '99999', NOON, 10)], [3, 0]);
    });

    it('have the state that messages need', async () => {
      const { store, project, makePerson } = await setUp();
      const other = await makeProject(store);
      await new TestJournal(store).apply(
        ['a', 'b', 'c'].map((group, each) =>
          makeEvent(project, group, { group, user: group, at: NOON + each, level: each === 1 ? 'fatal' : 'error' }),
        ),
      );
      const [a, b, c] = [(await errorOf(store, project, 'a')).id, (await errorOf(store, project, 'b')).id, (await errorOf(store, project, 'c')).id]; // prettier-ignore
      const userId = await makePerson();
      await store.setMember(project.id, userId, 30);
      await store.setAssignee(project.id, a, userId, null, NOON);
      await store.setErrorStatus(project.id, c, 'ignored', NOON);
      await store.mergeErrors(project.id, [a, b]);
      await store.rollUpMerged();
      const states = await store.errorStates(project.id, [a, b, c, '99999', 'ABC']);
      const byId = new Map(states.map((state) => [state.errorId, state]));
      assert.equal(states.length, 3);
      assert.deepEqual(byId.get(a), {
        ...{ errorId: a, status: 'unresolved', merged: false, level: 'fatal', users: 2, events: 2 },
        ...{ assigneeId: userId, firstSeen: NOON, lastSeen: NOON + 1 },
      });
      assert.equal(byId.get(b)?.merged, true);
      assert.deepEqual(byId.get(c), {
        ...{ errorId: c, status: 'ignored', merged: false, level: 'error', users: 1, events: 1 },
        ...{ assigneeId: null, firstSeen: NOON + 2, lastSeen: NOON + 2 },
      });
      assert.deepEqual(await store.errorStates(other.id, [a, b, c]), []);
    });
  });
}
