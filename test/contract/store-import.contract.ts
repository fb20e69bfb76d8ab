import assert from 'node:assert/strict';
import type { StoreHarness } from '../support/store-harness.ts';
import { aliasFor, counted, importIssue, makeIssue, makeSource } from '../support/import-data.ts';
import { listAll, makeEvent, makeProject, NOON, TestJournal } from '../support/store-data.ts';

export function importContract(harness: () => StoreHarness): void {
  describe('imported errors', () => {
    it('shows what the tracker counted, and a second pass changes nothing', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const source = await makeSource(store, project);
      assert.deepEqual(await makeSource(store, project), source);
      const issue = makeIssue(source, '4711');
      const first = await store.putImportedError(project.id, issue, NOON);
      assert.equal(first.created, true);
      assert.equal(await store.setBase(project.id, first.errorId, counted(12_345)), 'set');
      const before = await listAll(store, project);
      assert.deepEqual(
        before.map(({ count, title, firstSeen, lastSeen }) => [count, title, firstSeen, lastSeen]),
        [[12_345, 'imported 4711', NOON - 1000, NOON - 500]],
      );
      const again = await store.putImportedError(project.id, issue, NOON + 1);
      assert.deepEqual(again, { errorId: first.errorId, created: false });
      assert.equal(await store.setBase(project.id, first.errorId, counted(12_345, { at: NOON + 1 })), 'unchanged');
      assert.deepEqual(await listAll(store, project), before);
    });

    it('counts the next live event of an alias in the imported error', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const source = await makeSource(store, project);
      const errorId = await importIssue(store, project, makeIssue(source, '1'), 10, ['a']);
      const journal = new TestJournal(store);
      const events = [makeEvent(project, 'a1', { group: 'a' }), makeEvent(project, 'a2', { group: 'a' })];
      const result = await journal.apply([...events, makeEvent(project, 'b1', { group: 'b' })]);
      assert.deepEqual(result, { kind: 'applied', stored: 3, duplicates: 0, newErrors: 1 });
      assert.deepEqual((await store.errorById(project.id, errorId, NOON))?.count, 12);
      assert.equal((await store.event(project.id, errorId, events[1]!.eventId))?.errorId, errorId);
      const added = await store.addAliases(project.id, errorId, [aliasFor(project, 'a')], NOON);
      assert.deepEqual(added, [{ kind: 'kept' }]);
    });
  });
}
