import assert from 'node:assert/strict';
import type { StoreHarness } from '../support/store-harness.ts';
import { errorOf, listAll, makeEvent, makeProject, NOON, TestJournal } from '../support/store-data.ts';

export function formerGroupHashesContract(harness: () => StoreHarness): void {
  describe('former group hashes', () => {
    it('counts events under their former error after a change of the grouping rules', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const journal = new TestJournal(store);
      const groupHash = (group: string) => makeEvent(project, '', { group }).groupHash;
      const second = (name: string, group: string, former: readonly string[]) =>
        makeEvent(project, name, {
          group,
          groupingVersion: 2,
          formerGroupHashes: former.map((each) => ({ groupHash: groupHash(each), groupingVersion: 1 })),
          user: name,
          at: NOON + name.charCodeAt(0),
        });
      const counts = async () => (await listAll(store, project)).map(({ message, count }) => [message, count]).sort();
      await journal.apply([makeEvent(project, 'a', { group: 'old', user: 'a' })]);
      // Two new keys lead to one old error; an old key that is not known leads nowhere.
      const split = [second('b', 'new', ['old']), second('c', 'finer', ['older still', 'old'])];
      const result = await journal.apply([...split, second('d', 'unheard of', ['never seen'])]);
      assert.deepEqual(result, { kind: 'applied', stored: 3, duplicates: 0, newErrors: 1 });
      const old = await errorOf(store, project, 'finer');
      assert.deepEqual([old.count, old.userCount], [3, 3]);
      const again = new TestJournal(store, 'taken again');
      assert.deepEqual(await again.apply(split), { kind: 'applied', stored: 0, duplicates: 2, newErrors: 0 });
      // A gateway of the old rules begins the old error after the new one: the new one keeps its events.
      await journal.apply([makeEvent(project, 'e', { group: 'never seen' })]);
      await journal.apply([second('f', 'unheard of', ['never seen'])]);
      assert.deepEqual(await counts(), [
        ['bad value in finer', 3],
        ['bad value in never seen', 1],
        ['bad value in unheard of', 2],
      ]);
    });
  });
}
