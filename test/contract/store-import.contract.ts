import assert from 'node:assert/strict';
import type { StoreHarness } from '../support/store-harness.ts';
import { aliasFor, counted, importIssue, makeIssue, makeSource, putImported } from '../support/import-data.ts';
import { listAll, makeEvent, makeProject, NOON, TestJournal } from '../support/store-data.ts';

import { setUpImport as setUp } from '../support/import-set-up.ts';

export function importContract(harness: () => StoreHarness): void {
  describe('sources and states of imports', () => {
    it('know a source again by its tracker and project', async () => {
      const { store, project, source } = await setUp(harness());
      assert.deepEqual(await makeSource(store, project), source);
      const other = await makeSource(store, project, 'web');
      assert.notEqual(other.id, source.id);
      assert.deepEqual(await store.listImportSources(project.id), [source, other]);
      await store.setBothReceiveUntil(source.id, NOON);
      const [changed] = await store.listImportSources(project.id);
      assert.deepEqual(changed, { ...source, bothReceiveUntil: NOON });
      assert.ok((await store.listImportSources(null)).some(({ id }) => id === other.id));
      const elsewhere = await makeProject(store);
      await assert.rejects(store.putImportedError(elsewhere.id, makeIssue(source, '1'), NOON), { code: 'not_found' });
    });

    it('are refused for a project that does not exist', async () => {
      const { store, project } = await setUp(harness());
      const unknown = { code: 'project_not_found', message: 'there is no project with the id 999999' };
      await assert.rejects(makeSource(store, { ...project, id: 999_999 }), unknown);
      await assert.rejects(store.saveImportState('999999/run', '{}'), unknown);
      await assert.rejects(store.putReleases(999_999, [{ release: '1', firstSeen: NOON, lastSeen: NOON }]), unknown);
    });

    it('keep the newest state of a key, and list keys by their beginning', async () => {
      const { store, project } = await setUp(harness());
      const key = (name: string) => `${project.id}/${name}`;
      assert.equal(await store.importState(key('run_1')), null);
      await store.saveImportState(key('run_1'), '{"a":1}');
      await store.saveImportState(key('run%1'), '{}');
      await store.saveImportState(key('run_1'), '{"a":2}');
      assert.equal(await store.importState(key('run_1')), '{"a":2}');
      assert.deepEqual(await store.listImportStates(key('run_')), [[key('run_1'), '{"a":2}']]);
      assert.equal((await store.listImportStates(key(''))).length, 2);
    });
  });

  describe('imported errors', () => {
    it('show what the tracker counted, and a second pass changes nothing', async () => {
      const { store, project, source } = await setUp(harness());
      const issue = makeIssue(source, '4711');
      const first = await putImported(store, project.id, issue, NOON);
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

    it('follow the tracker until an own event is newer', async () => {
      const { store, project, source, journal, live, shown } = await setUp(harness());
      const errorId = await importIssue(store, project, makeIssue(source, '1'), 10, ['a']);
      const later = { title: 'renamed', lastSeen: NOON - 100, firstSeen: NOON - 2000, assignee: 'ada@example.test' };
      await store.putImportedError(project.id, makeIssue(source, '1', later), NOON);
      const renamed = await shown(errorId);
      assert.deepEqual([renamed.title, renamed.firstSeen, renamed.lastSeen], ['renamed', NOON - 2000, NOON - 100]);
      assert.equal(renamed.imported?.assignee, 'ada@example.test');
      await journal.apply([live('a1', 'a', NOON)]);
      await store.putImportedError(project.id, makeIssue(source, '1', { title: 'once more' }), NOON);
      const own = await shown(errorId);
      assert.deepEqual([own.title, own.lastSeen, own.firstSeen], ['ValueError: bad value in a', NOON, NOON - 2000]);
    });

    it('name issues that a pass did not see', async () => {
      const { store, project, source } = await setUp(harness());
      await store.putImportedError(project.id, makeIssue(source, '1'), NOON);
      await store.putImportedError(project.id, makeIssue(source, '2'), NOON);
      await store.putImportedError(project.id, makeIssue(source, '2'), NOON + 10);
      assert.deepEqual(await store.missingIssues(source.id, NOON + 10), ['1']);
      assert.deepEqual(await store.missingIssues(source.id, NOON), []);
    });

    it('change nothing when the tracker counts fewer, or answered earlier', async () => {
      const { store, project, source, shown } = await setUp(harness());
      const errorId = await importIssue(store, project, makeIssue(source, '1'), 10);
      const at = NOON + 1;
      assert.equal(await store.setBase(project.id, errorId, counted(9, { at })), 'fewer');
      assert.equal(await store.setBase(project.id, errorId, counted(12, { at: NOON - 1 })), 'unchanged');
      assert.equal((await shown(errorId)).count, 10);
      assert.equal(await store.setBase(project.id, errorId, counted(12, { at })), 'set');
      assert.equal((await shown(errorId)).count, 12);
    });

    it('sort with all others by their totals', async () => {
      const { store, project, source, journal, live } = await setUp(harness());
      await journal.apply([live('b1', 'b'), live('b2', 'b'), live('b3', 'b')]);
      await importIssue(store, project, makeIssue(source, '1'), 2);
      await importIssue(store, project, makeIssue(source, '2'), 4);
      const sorted = await listAll(store, project, { sort: 'frequency' });
      assert.deepEqual(
        sorted.map(({ count }) => count),
        [4, 3, 2],
      );
    });

    it('show the greater number of users, and go on from it', async () => {
      const { store, project, source, journal, shown } = await setUp(harness());
      const { errorId } = await putImported(store, project.id, makeIssue(source, '1'), NOON);
      await store.addAliases(project.id, errorId, [aliasFor(project, 'a')], NOON);
      const by = (user: string) => makeEvent(project, user, { group: 'a', user });
      await journal.apply([by('u1')]);
      await store.setBase(project.id, errorId, counted(10, { users: 3 }));
      assert.equal((await shown(errorId)).userCount, 3);
      await journal.apply([by('u2'), by('u3')]);
      assert.equal((await shown(errorId)).userCount, 3);
      await journal.apply([by('u4')]);
      assert.equal((await shown(errorId)).userCount, 4);
      // A tracker that forgot users takes none away.
      await store.setBase(project.id, errorId, counted(11, { users: 1, at: NOON + 1 }));
      assert.equal((await shown(errorId)).userCount, 4);
      assert.equal((await shown(errorId)).imported?.baseUsers, 3);
    });

    it('are found by their former ids, in any case', async () => {
      const { store, project, source, journal, live } = await setUp(harness());
      const value = `SHOP-${project.id}Ä`;
      const ids = [{ kind: 'short_id', value }] as const;
      const { errorId } = await putImported(store, project.id, makeIssue(source, '1', { externalIds: ids }), NOON);
      const found = [{ projectId: project.id, errorId }];
      assert.deepEqual(await store.findByExternalId(null, value.toLowerCase()), found);
      assert.deepEqual(await store.findByExternalId(project.id, value), found);
      assert.deepEqual(await store.findByExternalId(project.id + 1, value), []);
      assert.deepEqual(await store.findByExternalId(null, `${value}x`), []);
      await journal.apply([live('b1', 'b')]);
      const search = async (text: string) =>
        (await listAll(store, project, { search: text })).map((each) => [each.id, each.externalIds]);
      assert.deepEqual(await search(` ${value.toLowerCase()} `), [[errorId, ids]]);
      const eventId = live('b1', 'b').eventId;
      const [other] = await listAll(store, project, { search: 'bad' });
      assert.deepEqual(await search(eventId.toUpperCase()), [[other?.id, []]]);
      // A merged error is found by the ids of its members.
      const root = await store.mergeErrors(project.id, [errorId, other!.id]);
      assert.deepEqual(await store.findByExternalId(null, value), [{ projectId: project.id, errorId: root }]);
      assert.deepEqual(await search(value), [[root, ids]]);
      assert.deepEqual(await search(eventId), [[root, ids]]);
    });

    it('show their origin, charts and notes', async () => {
      const { store, project, source, shown } = await setUp(harness());
      const status = { status: 'ignored', changedAt: NOON, details: '{"ignoreCount":5}' } as const;
      const { errorId } = await putImported(store, project.id, makeIssue(source, '1', { status }), NOON);
      const note = { externalId: 'n1', author: 'Ada', at: NOON, text: 'looked at it' };
      await store.putNotes(project.id, errorId, [note, { ...note, externalId: 'n0', at: NOON - 1, text: 'first' }]);
      await store.putNotes(project.id, errorId, [{ ...note, text: 'corrected' }]);
      assert.deepEqual(
        [(await shown(errorId)).imported?.baseAt, (await shown(errorId)).imported?.atLeast],
        [null, true],
      );
      const hour = Math.floor(NOON / 3_600_000) * 3600;
      const day = Math.floor(NOON / 86_400_000) * 86_400;
      const charts = { hours: [[hour, 5]] as [number, number][], days: [[day, 7]] as [number, number][] };
      await store.setBase(project.id, errorId, counted(7, { users: 2, ...charts }));
      await store.setBase(project.id, errorId, counted(7, { users: 2, ...charts, at: NOON + 1 }));
      const error = await shown(errorId);
      assert.equal(error.status, 'ignored');
      assert.deepEqual(error.frequency?.at(-1), [hour, 5]);
      assert.deepEqual(error.frequency30d?.at(-1), [day, 7]);
      assert.deepEqual(error.imported, {
        kind: 'sentry',
        externalIds: makeIssue(source, '1').externalIds,
        externalUrl: makeIssue(source, '1').externalUrl,
        baseCount: 7,
        baseUsers: 2,
        baseAt: NOON + 1,
        atLeast: false,
        statusDetails: '{"ignoreCount":5}',
        assignee: null,
        notes: [
          { ...note, externalId: 'n0', at: NOON - 1, text: 'first' },
          { ...note, text: 'corrected' },
        ],
      });
      assert.deepEqual(await store.importedOrigin(project.id, errorId), error.imported);
    });

    it('add releases without counts', async () => {
      const { store, project } = await setUp(harness());
      const release = { release: 'app@1', firstSeen: NOON - 10, lastSeen: NOON };
      await store.putReleases(project.id, [release]);
      await store.putReleases(project.id, [{ ...release, firstSeen: NOON - 5, lastSeen: NOON + 5 }]);
      const { items } = await store.listReleases(project.id, { environment: null, limit: 10, cursor: null }, NOON);
      assert.deepEqual(
        items.map(({ release: name, firstSeen, lastSeen, events }) => [name, firstSeen, lastSeen, events]),
        [['app@1', NOON - 10, NOON + 5, 0]],
      );
    });
  });

  describe('aliases of imported errors', () => {
    it('count the next live event in the imported error', async () => {
      const { store, project, source, journal, live, shown } = await setUp(harness());
      const errorId = await importIssue(store, project, makeIssue(source, '1'), 10, ['a']);
      const result = await journal.apply([live('a1', 'a'), live('a2', 'a'), live('b1', 'b')]);
      assert.deepEqual(result, { kind: 'applied', stored: 3, duplicates: 0, newErrors: 1 });
      const other = new TestJournal(store, 'taken again');
      assert.deepEqual(await other.apply([live('a1', 'a')]), {
        kind: 'applied',
        stored: 0,
        duplicates: 1,
        newErrors: 0,
      });
      assert.equal((await shown(errorId)).count, 12);
      assert.equal((await store.event(project.id, errorId, live('a2', 'a').eventId))?.errorId, errorId);
    });

    it('survive a later grouping version, and go before a former error', async () => {
      const { store, project, source, journal, live, shown } = await setUp(harness());
      await journal.apply([live('old1', 'old')]);
      const errorId = await importIssue(store, project, makeIssue(source, '1'), 10, ['a']);
      const second = (name: string, group: string, former: string) =>
        makeEvent(project, name, {
          group,
          groupingVersion: 2,
          formerGroupHashes: [{ groupHash: aliasFor(project, former).groupHash, groupingVersion: 1 }],
        });
      await journal.apply([second('n1', 'new', 'a'), second('n2', 'a', 'old'), second('n3', 'newer', 'old')]);
      assert.equal((await shown(errorId)).count, 12);
      const counts = (await listAll(store, project)).map(({ count }) => count);
      assert.deepEqual(
        counts.sort((x, y) => x - y),
        [2, 12],
      );
    });

    it('answer what became of each', async () => {
      const { store, project, source, journal, live } = await setUp(harness());
      await journal.apply([live('own1', 'own')]);
      const [own] = await listAll(store, project);
      const first = await importIssue(store, project, makeIssue(source, '1'), 1);
      const second = await importIssue(store, project, makeIssue(source, '2'), 1);
      const add = (errorId: string, ...groups: string[]) =>
        store.addAliases(
          project.id,
          errorId,
          groups.map((group) => aliasFor(project, group, { weak: group === 'weak' })),
          NOON,
        );
      assert.deepEqual(await add(first, 'a', 'own', 'weak'), [
        { kind: 'added' },
        { kind: 'own_error', errorId: own!.id },
        { kind: 'added' },
      ]);
      assert.deepEqual(await add(first, 'a'), [{ kind: 'kept' }]);
      const taken = { kind: 'taken', errorId: first };
      assert.deepEqual(await add(second, 'a', 'own', 'weak', 'b'), [taken, taken, taken, { kind: 'added' }]);
      assert.deepEqual(await store.unmergedAliases(project.id), [{ errorId: first, ownErrorId: own!.id }]);
      await store.mergeErrors(project.id, [first, own!.id]);
      assert.deepEqual(await store.unmergedAliases(project.id), []);
      assert.deepEqual(await add(first, 'own'), [{ kind: 'kept' }]);
      // A person separates them: no pass joins them again.
      await store.unmergeErrors(project.id, first, null);
      assert.deepEqual(await store.unmergedAliases(project.id), []);
      assert.deepEqual(await add(first, 'own'), [{ kind: 'ended' }]);
    });

    it('end for good, and counted events stay', async () => {
      const { store, project, source, journal, live, shown } = await setUp(harness());
      const errorId = await importIssue(store, project, makeIssue(source, '1'), 10, ['a']);
      await journal.apply([live('a1', 'a')]);
      const alias = aliasFor(project, 'a');
      const elsewhere = await makeProject(store);
      assert.equal(await store.endAlias(elsewhere.id, alias.groupHash), false);
      assert.equal(await store.endAlias(project.id, alias.groupHash), true);
      assert.equal(await store.endAlias(project.id, alias.groupHash), false);
      assert.deepEqual(await store.addAliases(project.id, errorId, [alias], NOON), [{ kind: 'ended' }]);
      await journal.apply([live('a2', 'a')]);
      assert.equal((await shown(errorId)).count, 11);
      assert.equal((await listAll(store, project)).length, 2);
    });

    it('lead to a merge where an error has the group hash', async () => {
      const { store, project, source, journal, live, shown } = await setUp(harness());
      await journal.apply([live('a1', 'a'), live('a2', 'a')]);
      const [own] = await listAll(store, project);
      const errorId = await importIssue(store, project, makeIssue(source, '1'), 10, ['a']);
      const root = await store.mergeErrors(project.id, [errorId, own!.id]);
      await journal.apply([live('a3', 'a')]);
      const merged = await shown(errorId);
      assert.deepEqual([merged.id, merged.count, merged.imported?.baseCount], [root, 13, 10]);
      assert.equal(merged.externalIds.length, 2);
    });

    it('leave errors without a source to be looked up by their newest events', async () => {
      const { store, project, source, journal, live } = await setUp(harness());
      const imported = await importIssue(store, project, makeIssue(source, '1'), 10, ['a']);
      const events = [1, 2, 3, 4].map((n) => live(`b${n}`, 'b', NOON + n));
      await journal.apply([...events, live('a1', 'a'), live('c1', 'c'), live('d1', 'd')]);
      const ids = Object.fromEntries((await listAll(store, project)).map(({ id, message }) => [message?.at(-1), id]));
      await store.mergeErrors(project.id, [imported, ids['d']!]);
      const all = await store.errorsToLookUp(project.id, null, 10);
      const newest = events.slice(1).map(({ eventId }) => eventId);
      assert.deepEqual(
        all,
        [
          { errorId: ids['b'], eventIds: newest.reverse() },
          { errorId: ids['c'], eventIds: [live('c1', 'c').eventId] },
        ].sort((x, y) => Number(x.errorId) - Number(y.errorId)),
      );
      assert.deepEqual(await store.errorsToLookUp(project.id, null, 1), all.slice(0, 1));
      assert.deepEqual(await store.errorsToLookUp(project.id, all[0]!.errorId, 10), all.slice(1));
    });
  });
}
