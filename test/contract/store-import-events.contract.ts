import assert from 'node:assert/strict';
import type { StoreHarness } from '../support/store-harness.ts';
import { aliasFor, counted, importIssue, makeIssue, makeSource, putImported } from '../support/import-data.ts';
import { listAll, makeEvent, makeProject, NOON, TestJournal } from '../support/store-data.ts';

import { setUpImport as setUp } from '../support/import-set-up.ts';

export function importEventsContract(harness: () => StoreHarness): void {
  describe('events that the tracker has as well', () => {
    it('count once, marked before or after their digest', async () => {
      const { store, project, source, journal, live, shown, known, mark } = await setUp(harness());
      const errorId = await importIssue(store, project, makeIssue(source, '1'), 10, ['a']);
      await mark(['a1', 'a1', 'unknown']);
      assert.equal(await known(errorId), 0);
      await journal.apply([live('a1', 'a'), live('a2', 'a'), live('a3', 'a')]);
      assert.equal(await known(errorId), 1);
      await mark(['a1', 'a2']);
      await mark(['a2']);
      await store.markKnownThere(project.id, ['not an id', ''], NOON);
      assert.equal(await known(errorId), 2);
      // The tracker counted both of them: 12 there, 13 in all.
      const at = NOON + 1;
      assert.equal(await store.setBase(project.id, errorId, counted(12, { knownThere: 1, at })), 'moved');
      assert.equal((await shown(errorId)).count, 13);
      assert.equal(await store.setBase(project.id, errorId, counted(12, { knownThere: 2, at })), 'unchanged');
      assert.equal((await shown(errorId)).count, 13);
      assert.equal(await store.setBase(project.id, errorId, counted(15, { knownThere: 2, at })), 'set');
      assert.equal((await shown(errorId)).count, 16);
    });

    it('stay known after their payload was removed, marked before or after', async () => {
      const { store, project, source, journal, live, known, mark } = await setUp(harness());
      const errorId = await importIssue(store, project, makeIssue(source, '1'), 10, ['a']);
      const names = Array.from({ length: 40 }, (_, n) => `a${n}`);
      await journal.apply(names.map((name, n) => live(name, 'a', NOON + n)));
      await mark(names.slice(0, 20));
      const limits = { keysReceivedBefore: 0, hoursBefore: 0, outcomesBefore: 0, payloadsOnly: true };
      const prune = { ...limits, receivedBefore: null, maxEventsPerError: 4 };
      for (let done = false; !done;) ({ done } = await store.prune(prune));
      await mark(names);
      await mark(names);
      assert.equal(await known(errorId), 40);
    });

    it('are all until the time that the operator names', async () => {
      const { store, project, source, journal, live, shown, known, mark } = await setUp(harness());
      const errorId = await importIssue(store, project, makeIssue(source, '1'), 10, ['a']);
      const until = Date.now() + 3_600_000;
      await journal.apply([live('a1', 'a', until - 2), live('a2', 'a', until - 1)]);
      await mark(['a1']);
      assert.equal(await known(errorId), 1);
      await store.setBothReceiveUntil(source.id, until);
      assert.equal(await known(errorId), 2);
      await journal.apply([live('a3', 'a', until), live('a4', 'a', until + 1), live('a5', 'a', until + 2)]);
      assert.equal(await known(errorId), 3);
      await mark(['a3', 'a5', 'a6']);
      assert.equal(await known(errorId), 4);
      await journal.apply([live('a6', 'a', until + 3), live('a7', 'a', until - 3)]);
      assert.equal(await known(errorId), 6);
      await store.setBothReceiveUntil(source.id, null);
      assert.equal(await known(errorId), 6);
      assert.equal((await shown(errorId)).imported?.atLeast, true);
    });

    it('are all received until a time in the past', async () => {
      const { store, project, source, journal, live, known, mark } = await setUp(harness());
      const errorId = await importIssue(store, project, makeIssue(source, '1'), 10, ['a']);
      await journal.apply([live('a1', 'a', NOON), live('a2', 'a', NOON + 1), live('a3', 'a', NOON + 2)]);
      await mark(['a1', 'a3']);
      await store.setBothReceiveUntil(source.id, NOON + 1);
      assert.equal(await known(errorId), 3);
    });

    it('include those of own errors merged with it, once', async () => {
      const { store, project, source, journal, live, shown, known, mark } = await setUp(harness());
      await journal.apply([live('x1', 'x'), live('x2', 'x')]);
      const [own] = await listAll(store, project);
      const first = await importIssue(store, project, makeIssue(source, '1'), 10, ['a']);
      const second = await importIssue(store, project, makeIssue(source, '2'), 5, ['b']);
      await mark(['x1', 'b1']);
      await journal.apply([live('b1', 'b')]);
      assert.deepEqual([await known(first), await known(second)], [0, 1]);
      await store.mergeErrors(project.id, [own!.id, first, second]);
      assert.deepEqual([await known(first), await known(second)], [1, 1]);
      assert.equal(await store.setBase(project.id, first, counted(10, { knownThere: 1, at: NOON + 1 })), 'set');
      assert.equal(await store.setBase(project.id, second, counted(6, { knownThere: 1, at: NOON + 1 })), 'unchanged');
      assert.equal((await shown(first)).count, 9 + 5 + 3);
    });
  });

  describe('states of imported errors', () => {
    const resolved = (changedAt: number | null) => ({ status: 'resolved', changedAt, details: null }) as const;

    it('are reopened by events that happened later, not by late ones', async () => {
      const { store, project, source, journal, live, shown } = await setUp(harness());
      const issue = makeIssue(source, '1', { status: resolved(NOON) });
      const errorId = await importIssue(store, project, issue, 10, ['a']);
      await journal.apply([live('a1', 'a', NOON + 5000, NOON - 5000)]);
      await journal.apply([live('a2', 'a', NOON + 5000, NOON)]);
      assert.equal((await shown(errorId)).status, 'resolved');
      await journal.apply([live('a3', 'a', NOON + 5000, NOON + 1)]);
      assert.equal((await shown(errorId)).status, 'unresolved');
      // The same pass once more does not resolve it again; a later resolution does.
      await store.putImportedError(project.id, issue, NOON);
      assert.equal((await shown(errorId)).status, 'unresolved');
      await store.putImportedError(project.id, makeIssue(source, '1', { status: resolved(NOON + 5) }), NOON);
      assert.equal((await shown(errorId)).status, 'resolved');
    });

    it('are reopened by later events after a change of the status here', async () => {
      const { store, project, source, journal, live, shown } = await setUp(harness());
      const errorId = await importIssue(store, project, makeIssue(source, '1'), 10, ['a']);
      await store.setErrorStatus(project.id, errorId, 'resolved', NOON);
      await journal.apply([live('a1', 'a', NOON + 1, NOON + 1)]);
      assert.equal((await shown(errorId)).status, 'unresolved');
    });

    it('follow the tracker unless they were changed here later', async () => {
      const { store, project, source, shown } = await setUp(harness());
      const put = (status: 'resolved' | 'ignored' | 'unresolved', changedAt: number | null, now: number) =>
        putImported(store, project.id, makeIssue(source, '1', { status: { status, changedAt, details: null } }), now);
      const { errorId } = await put('ignored', NOON, NOON);
      const status = async () => (await shown(errorId)).status;
      assert.equal(await status(), 'ignored');
      await store.setErrorStatus(project.id, errorId, 'unresolved', NOON + 10);
      await put('resolved', NOON + 5, NOON + 20);
      assert.equal(await status(), 'unresolved');
      await put('ignored', NOON + 15, NOON + 20);
      assert.equal(await status(), 'ignored');
      // Without the time of the change, one since the last pass counts as made at that pass.
      await store.setErrorStatus(project.id, errorId, 'unresolved', NOON + 30);
      await put('resolved', null, NOON + 40);
      await put('resolved', null, NOON + 50);
      assert.equal(await status(), 'unresolved');
      await put('ignored', null, NOON + 60);
      assert.equal(await status(), 'ignored');
    });

    it('are reopened in a merged error by events of any member that happened later', async () => {
      const { store, project, source, journal, live, shown } = await setUp(harness());
      const errorId = await importIssue(store, project, makeIssue(source, '1'), 10);
      await journal.apply([live('b1', 'b', NOON + 5000, NOON - 2000)]);
      const own = (await listAll(store, project)).find(({ id }) => id !== errorId);
      // A store may give out numbers in blocks: the lesser one need not be the earlier one.
      await store.mergeErrors(project.id, [errorId, own!.id]);
      await store.putImportedError(project.id, makeIssue(source, '1', { status: resolved(NOON) }), NOON);
      assert.equal((await shown(errorId)).status, 'resolved');
      await journal.apply([live('b2', 'b', NOON + 5000, NOON + 10)]);
      await store.rollUpMerged();
      assert.equal((await shown(errorId)).status, 'unresolved');
    });
  });

  describe('bodies of imported events', () => {
    it('are listed and read among the others, and never count', async () => {
      const { store, project, source, journal, live, shown } = await setUp(harness());
      const errorId = await importIssue(store, project, makeIssue(source, '1'), 10, ['a']);
      const body = (name: string, at: number) => {
        const { eventId, payload } = live(name, 'a');
        return { eventId, at, payload: payload as Uint8Array };
      };
      const bodies = [body('old1', NOON - 20), body('old2', NOON - 10), body('a1', NOON)];
      await store.addImportedEvents(project.id, errorId, bodies, NOON + 100);
      await store.addImportedEvents(project.id, errorId, bodies, NOON + 200);
      const ids = async (limit = 10, cursor: string | null = null) => {
        const page = await store.listEvents(project.id, errorId, limit, cursor);
        assert.ok(page !== null);
        return { next: page.next, items: page.items.map(({ eventId, imported }) => [eventId, imported ?? false]) };
      };
      const [old1, old2, a1] = bodies.map(({ eventId }) => eventId);
      assert.deepEqual((await ids()).items, [
        [a1, true],
        [old2, true],
        [old1, true],
      ]);
      assert.equal((await store.latestEvent(project.id, errorId))?.event.event_id, a1);
      // The live event of the same id counts, and is shown instead.
      await journal.apply([live('a1', 'a'), live('a2', 'a', NOON + 1)]);
      assert.equal((await shown(errorId)).count, 12);
      const all = [
        [live('a2', 'a').eventId, false],
        [a1, false],
        [old2, true],
        [old1, true],
      ];
      assert.deepEqual((await ids()).items, all);
      const first = await ids(3);
      assert.deepEqual([...first.items, ...(await ids(3, first.next)).items], all);
      const read = await store.event(project.id, errorId, old2!);
      assert.ok(read !== null);
      assert.deepEqual(
        [read.event.message, read.imported, read.receivedAt, read.previousEventId, read.nextEventId],
        ['old2', true, NOON + 100, old1, a1],
      );
      assert.equal((await store.event(project.id, errorId, a1!))?.imported, undefined);
      assert.deepEqual([read.position, read.stored], [3, 4]);
      assert.equal((await store.oldestEvent(project.id, errorId))?.event.event_id, old1);
      const bodiesRead = await store.readEvents(project.id, errorId, 10, null);
      assert.deepEqual(
        bodiesRead?.items.map(({ eventId, imported, event }) => [
          eventId,
          imported ?? false,
          event?.event_id === eventId,
        ]),
        all.map(([eventId, imported]) => [eventId, imported, true]),
      );
      assert.deepEqual(
        (await listAll(store, project, { search: old1! })).map(({ id }) => id),
        [errorId],
      );
    });

    it('gives an alias to another imported error on request, with its next events', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const source = await makeSource(store, project);
      const first = await importIssue(store, project, makeIssue(source, '1'), 10, ['a']);
      const second = await importIssue(store, project, makeIssue(source, '2'), 20);
      const alias = aliasFor(project, 'a');
      const taken = [{ kind: 'taken', errorId: first }];
      assert.deepEqual(await store.addAliases(project.id, second, [alias], NOON), taken);
      const takesOver = { ...alias, takesOver: true } as const;
      assert.deepEqual(await store.addAliases(project.id, second, [takesOver], NOON), [{ kind: 'added' }]);
      assert.deepEqual(await store.addAliases(project.id, second, [takesOver], NOON), [{ kind: 'kept' }]);
      await new TestJournal(store).apply([makeEvent(project, 'a1', { group: 'a' })]);
      const counts = await Promise.all([first, second].map((id) => store.errorById(project.id, id, NOON)));
      assert.deepEqual(
        counts.map((error) => error?.count),
        [10, 21],
      );
    });

    it('keeps releases and the time of a status that a list of issues does not tell', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const source = await makeSource(store, project);
      const listed = makeIssue(source, '1', { status: { status: 'resolved', changedAt: null, details: null } });
      const whole = makeIssue(source, '1', {
        firstRelease: '1.0',
        lastRelease: '1.2',
        status: { status: 'resolved', changedAt: NOON, details: '{"inRelease":"1.3"}' },
      });
      const { errorId } = await putImported(store, project.id, listed, NOON);
      await store.putImportedError(project.id, whole, NOON + 1);
      await store.putImportedError(project.id, listed, NOON + 2);
      const error = await store.errorById(project.id, errorId, NOON);
      assert.deepEqual([error?.firstRelease, error?.lastRelease], ['1.0', '1.2']);
      assert.equal((await store.importedOrigin(project.id, errorId))?.statusDetails, '{"inRelease":"1.3"}');
      // Before the resolution in the tracker: a late event reopens nothing.
      await store.addAliases(project.id, errorId, [aliasFor(project, 'a')], NOON);
      await new TestJournal(store).apply([makeEvent(project, 'a1', { group: 'a', at: NOON - 100 })]);
      assert.equal((await store.errorById(project.id, errorId, NOON))?.status, 'resolved');
    });
  });
}
