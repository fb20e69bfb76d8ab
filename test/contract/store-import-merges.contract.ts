import assert from 'node:assert/strict';
import { aliasFor, counted, detailOf, importIssue, makeIssue, makeSource } from '../support/import-data.ts';
import { errorOf, listAll, makeEvent, makeProject, NOON, TestJournal } from '../support/store-data.ts';
import type { StoreHarness } from '../support/store-harness.ts';

export function importMergesContract(harness: () => StoreHarness): void {
  describe('merged imported errors', () => {
    it('count merged own errors with them, by the events known there', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const source = await makeSource(store, project);
      const journal = new TestJournal(store);
      const events = ['1', '2'].map((name) => makeEvent(project, name, { group: 'own', user: name }));
      await journal.apply(events);
      const own = await errorOf(store, project, 'own');
      const errorId = await importIssue(store, project, makeIssue(source, '1'), 10, ['own']);
      await store.markKnownThere(
        project.id,
        events.map(({ eventId }) => eventId),
        NOON,
      );
      await store.mergeErrors(project.id, [own.id, errorId]);
      assert.equal(await store.knownThere(project.id, errorId, NOON), 2);
      const counts = counted(12, { knownThere: 2, users: 5, at: NOON + 1 });
      // Ten of the twelve are not ours, as before.
      await store.setBase(project.id, errorId, counts);
      const merged = await detailOf(store, project, own.id);
      assert.deepEqual([merged.count, merged.userCount, merged.imported?.baseCount], [12, 5, 10]);
      assert.deepEqual(await store.findByExternalId(project.id, '1'), [{ projectId: project.id, errorId: own.id }]);
      const [listed] = await listAll(store, project, { search: 'SHOP-1' });
      assert.deepEqual([listed?.id, listed?.externalIds.length], [own.id, 2]);
    });

    it('keep base, former ids and notes while merged, and when separated again', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const source = await makeSource(store, project);
      const journal = new TestJournal(store);
      const happens = (name: string) => journal.apply([makeEvent(project, name, { group: 'own', user: name })]);
      await happens('1');
      const own = (await errorOf(store, project, 'own')).id;
      const imported = [];
      for (const [issue, count] of [
        ['7', 10],
        ['8', 5],
      ] as const) {
        const errorId = await importIssue(store, project, makeIssue(source, issue), count);
        const note = { externalId: `n${issue}`, author: 'Ada', at: NOON + count, text: `note of ${issue}` };
        await store.putNotes(project.id, errorId, [note]);
        imported.push(errorId);
      }
      const [seven = '', eight = ''] = imported;
      await store.addAliases(project.id, seven, [aliasFor(project, 'own')], NOON);
      const shown = async (errorId: string) => {
        const origin = await store.importedOrigin(project.id, errorId);
        const { count, userCount } = await detailOf(store, project, errorId);
        const ids = origin?.externalIds.filter(({ kind }) => kind === 'issue').map(({ value }) => value);
        return { count, userCount, base: origin?.baseCount, ids, notes: origin?.notes.map(({ text }) => text) };
      };
      const apart = () => Promise.all([own, seven, eight].map(shown));
      const before = await apart();
      assert.deepEqual(before, [
        { count: 1, userCount: 1, base: undefined, ids: undefined, notes: undefined },
        { count: 10, userCount: 0, base: 10, ids: ['7'], notes: ['note of 7'] },
        { count: 5, userCount: 0, base: 5, ids: ['8'], notes: ['note of 8'] },
      ]);

      assert.equal(await store.mergeErrors(project.id, [own, seven, eight]), own);
      const together = { count: 16, userCount: 1, base: 15, ids: ['7', '8'], notes: ['note of 8', 'note of 7'] };
      for (const errorId of [own, seven, eight]) assert.deepEqual(await shown(errorId), together);
      for (const name of ['7', 'shop-8']) {
        assert.deepEqual(await store.findByExternalId(null, name), [{ projectId: project.id, errorId: own }]);
      }
      // A pass and an event while they are merged count in their members.
      assert.equal(await store.setBase(project.id, eight, counted(6, { at: NOON + 1 })), 'set');
      await happens('2');
      await store.rollUpMerged();
      assert.deepEqual(await shown(own), { ...together, count: 18, userCount: 2, base: 16 });

      assert.notEqual(await store.unmergeErrors(project.id, own, null), null);
      await store.rollUpMerged();
      const [first, second, third] = before;
      const after = [{ ...first, count: 2, userCount: 2 }, second, { ...third, count: 6, base: 6 }];
      assert.deepEqual(await apart(), after);
      assert.deepEqual(await store.findByExternalId(null, '8'), [{ projectId: project.id, errorId: eight }]);
      // No further pass merges what a person separated.
      const [again] = await store.addAliases(project.id, seven, [aliasFor(project, 'own')], NOON + 2);
      assert.deepEqual(again, { kind: 'ended' });
      assert.equal(await store.setBase(project.id, seven, counted(11, { at: NOON + 2 })), 'set');
      await happens('3');
      const sums = (await apart()).map(({ count }) => count);
      assert.deepEqual(sums, [3, 11, 6]);
    });
  });
}
