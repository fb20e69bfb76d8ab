import assert from 'node:assert/strict';
import type { SearchCondition } from '../../src/domain/search/search-condition.ts';
import { MAX_ACTIVITY, type ActivityEntry } from '../../src/domain/errors/error-state.ts';
import { counted, detailOf, importIssue, makeIssue, makeSource } from '../support/import-data.ts';
import { raised } from '../support/condition-world.ts';
import { encodePayload } from '../support/encode-payload.ts';
import { KEEP, pruneAll } from '../support/prune-all.ts';
import { rankAll } from '../support/rank-all.ts';
import {
  DAY,
  errorOf,
  hexId,
  HOUR,
  listAll,
  makeEvent,
  makeProject,
  NOON,
  normalisedEvent,
  TestJournal,
} from '../support/store-data.ts';
import type { StoreHarness } from '../support/store-harness.ts';

export function importHistoryContract(harness: () => StoreHarness): void {
  describe('history of imported errors', () => {
    it('are found by former ids in any case, in lists and with their origin', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const source = await makeSource(store, project);
      const errorId = await importIssue(store, project, makeIssue(source, '4711', { assignee: 'a@example.test' }), 5);
      await importIssue(store, project, makeIssue(source, '4712'), 5);
      const ids = [
        { kind: 'issue', value: '4711' },
        { kind: 'short_id', value: 'SHOP-4711' },
      ];
      for (const name of ['4711', 'shop-4711', 'SHOP-4711']) {
        assert.deepEqual(await store.findByExternalId(project.id, name), [{ projectId: project.id, errorId }]);
        assert.deepEqual(
          (await listAll(store, project, { search: name })).map(({ id, externalIds }) => [id, externalIds]),
          [[errorId, ids]],
        );
      }
      assert.deepEqual(await store.findByExternalId(project.id, 'shop'), []);
      assert.ok((await store.findByExternalId(null, '4711')).some((found) => found.errorId === errorId));
      const { imported, externalIds } = await detailOf(store, project, errorId);
      assert.deepEqual(externalIds, ids);
      assert.deepEqual(
        { ...imported, notes: [] },
        {
          kind: 'sentry',
          externalIds: ids,
          externalUrl: 'https://old.example.test/organizations/acme/issues/4711/',
          baseCount: 5,
          baseUsers: null,
          baseAt: NOON,
          atLeast: false,
          statusDetails: null,
          assignee: 'a@example.test',
          notes: [],
        },
      );
      assert.deepEqual(await store.importedOrigin(project.id, errorId), imported);
    });

    it('keep notes, newest last, and replace one with the same id', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const errorId = await importIssue(store, project, makeIssue(await makeSource(store, project), '1'), 5);
      const note = (externalId: string, at: number, text = 'x') => ({ externalId, author: 'ada', at, text });
      await store.putNotes(project.id, errorId, [note('b', 2), note('a', 1)]);
      await store.putNotes(project.id, errorId, [note('a', 1, 'y')]);
      assert.deepEqual((await store.importedOrigin(project.id, errorId))?.notes, [note('a', 1, 'y'), note('b', 2)]);
    });

    it('take entries of an exported log once, sorted by time, and keep own ones beyond the bound', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const source = await makeSource(store, project);
      const errorId = await importIssue(store, project, makeIssue(source, '1'), 5);
      const entry = (index: number): ActivityEntry => {
        const details = { importedId: hexId(`entry ${index}`), issueId: String(index) };
        return { at: index, kind: 'regressed', userId: null, details };
      };
      const log = async () => (await store.listActivity(project.id, errorId)) ?? [];
      const issues = async () => (await log()).map(({ kind, at }) => (kind === 'imported' ? kind : at)).reverse();
      await store.putActivity(project.id, errorId, [entry(2), entry(4)]);
      await store.putActivity(project.id, errorId, [entry(2), entry(3), entry(4)]);
      assert.deepEqual(await issues(), [2, 3, 4, 'imported']);
      const many = Array.from({ length: 150 }, (_, index) => entry(index));
      for (const page of [many.slice(0, 75), many.slice(75), many]) {
        await store.putActivity(project.id, errorId, page);
      }
      const newest = Array.from({ length: MAX_ACTIVITY - 1 }, (_, index) => index + 150 - (MAX_ACTIVITY - 1));
      assert.deepEqual(await issues(), [...newest, 'imported']);
      await assert.rejects(store.putActivity(project.id, '99999', [entry(1)]), { code: 'not_found' });
    });

    it('assign by an import after entries of an export, and replace what imports recorded themselves', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const made = await makeSource(store, project);
      const { id } = await store.addImportSource({ ...made, kind: 'errgate', url: 'other' }, NOON);
      const name = `log${hexId(String(id)).slice(0, 6)}${project.id}`;
      const user = await store.createUser({ username: name, name, admin: false, passwordHash: 'x' });
      await store.setMember(project.id, user.id, 30);
      const errorId = await importIssue(store, project, makeIssue({ ...made, id }, '1'), 5);
      const entry = (kind: ActivityEntry['kind'], at: number): ActivityEntry => {
        return { at, kind, userId: user.id, details: { importedId: hexId(`${kind} ${at}`) } };
      };
      await store.putActivity(project.id, errorId, [entry('assigned', 1)]);
      const status = { status: 'resolved', changedAt: NOON + DAY, details: null } as const;
      const next = { ...makeIssue({ ...made, id }, '1', { status }), assigneeId: user.id };
      await store.putImportedError(project.id, next, NOON + 2 * DAY);
      assert.equal((await store.errorById(project.id, errorId, NOON))?.assignee?.id, user.id);
      await store.putActivity(project.id, errorId, [entry('assigned', 1), entry('resolved', NOON + DAY - 1)]);
      const resolved = ((await store.listActivity(project.id, errorId)) ?? []).filter((one) => one.kind === 'resolved');
      assert.deepEqual(
        resolved.map(({ at, user: by }) => [at, by?.id]),
        [[NOON + DAY - 1, user.id]],
      );
    });

    it('draw the chart of the tracker beside own events', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const source = await makeSource(store, project);
      const errorId = await importIssue(store, project, makeIssue(source, '1'), 10, ['a']);
      const hour = Math.floor(NOON / HOUR) * 3600 - 3600;
      const day = Math.floor(NOON / DAY) * 86_400;
      const charts = { hours: [[hour, 3] as [number, number]], days: [[day - 86_400, 4] as [number, number]] };
      await store.setBase(project.id, errorId, counted(10, { at: NOON + 1, ...charts }));
      await new TestJournal(store).apply([makeEvent(project, '1', { group: 'a' })]);
      const { frequency, frequency30d } = await detailOf(store, project, errorId);
      assert.deepEqual(frequency?.slice(-2), [
        [hour, 3],
        [hour + 3600, 1],
      ]);
      assert.deepEqual(frequency30d?.slice(-2), [
        [day - 86_400, 4],
        [day, 1],
      ]);
      const [listed] = await listAll(store, project);
      assert.deepEqual(listed?.frequency, frequency);
    });

    it('count a day of the tracker in which a range begins', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const errorId = await importIssue(store, project, makeIssue(await makeSource(store, project), '1'), 10, ['a']);
      const day = Math.floor(NOON / DAY) * 86_400 - 7 * 86_400;
      await store.setBase(
        project.id,
        errorId,
        counted(10, { at: NOON + 1, hours: [], days: [[day, 4] as [number, number]] }),
      );
      await new TestJournal(store).apply([makeEvent(project, '1', { group: 'a', at: NOON - HOUR })]);
      await rankAll(store, NOON);
      for (const sort of ['last_seen', 'frequency'] as const) {
        const [listed] = await listAll(store, project, { range: '7d', sort });
        assert.deepEqual([listed?.rangeCount, listed?.frequency?.[0]?.[1]], [5, 4]);
      }
      assert.equal((await store.errorById(project.id, errorId, NOON, '7d'))?.rangeCount, 5);
    });

    it('give an imported error the terms of searches that it lacks', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const errorId = await importIssue(store, project, makeIssue(await makeSource(store, project), '1'), 10);
      // Its rank comes before its events.
      await rankAll(store, NOON);
      const eventId = hexId('framed');
      const exceptions = [raised(false, { filename: 'shop/cart.ts', function: 'Cart.pay', in_app: true })];
      const payload = encodePayload({ ...normalisedEvent(eventId), exceptions });
      await store.addImportedEvents(project.id, errorId, [{ eventId, at: NOON - 5, payload }], NOON);
      await rankAll(store, NOON);
      const finds = async (condition: SearchCondition) =>
        (await listAll(store, project, { conditions: [condition] })).map(({ id }) => id);
      assert.deepEqual(await finds({ not: false, field: 'file', value: 'cart.ts' }), [errorId]);
      assert.deepEqual(await finds({ not: false, field: 'function', value: 'pay' }), [errorId]);
      assert.deepEqual(await finds({ not: false, field: 'file', value: 'other.ts' }), []);
    });

    it('list imported events among live ones, each once, and remove them by the time of their import', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const source = await makeSource(store, project);
      const errorId = await importIssue(store, project, makeIssue(source, '1'), 10, ['a']);
      const there = (name: string, at: number) => {
        const eventId = hexId(name);
        return { eventId, at, payload: encodePayload(normalisedEvent(eventId, name)) };
      };
      const live = makeEvent(project, 'live', { group: 'a', at: NOON });
      const events = [there('x', NOON - 10), there('y', NOON + 10), there('z', NOON - 20)];
      const both = { ...there('both', NOON - 5), eventId: live.eventId };
      await store.addImportedEvents(project.id, errorId, [...events, both], NOON);
      await store.addImportedEvents(project.id, errorId, [{ ...events[0]!, at: 1 }], NOON + 1);
      await new TestJournal(store).apply([live]);
      assert.equal((await detailOf(store, project, errorId)).count, 11, 'bodies never count');
      const ids: [string, boolean][] = [];
      for (let cursor: string | null = null, first = true; first || cursor !== null; first = false) {
        const page = await store.listEvents(project.id, errorId, 2, cursor);
        assert.ok(page !== null);
        ids.push(...page.items.map(({ eventId, imported }): [string, boolean] => [eventId, imported === true]));
        cursor = page.next;
      }
      const order: [string, boolean][] = [
        [events[1]!.eventId, true],
        [live.eventId, false],
        [events[0]!.eventId, true],
        [events[2]!.eventId, true],
      ];
      assert.deepEqual(ids, order);
      const newest = await store.latestEvent(project.id, errorId);
      assert.deepEqual([newest?.event.message, newest?.imported, newest?.previousEventId], ['y', true, live.eventId]);
      const middle = await store.event(project.id, errorId, events[0]!.eventId);
      assert.deepEqual([middle?.nextEventId, middle?.previousEventId], [live.eventId, events[2]!.eventId]);
      assert.equal((await store.event(project.id, errorId, live.eventId))?.imported, undefined);
      assert.equal((await listAll(store, project, { search: events[2]!.eventId })).length, 1);
      await pruneAll(store, { ...KEEP, receivedBefore: NOON });
      assert.equal((await store.listEvents(project.id, errorId, 10, null))?.items.length, 4);
      await pruneAll(store, { ...KEEP, receivedBefore: NOON + 1 });
      assert.deepEqual((await store.listEvents(project.id, errorId, 10, null))?.items, []);
    });

    it('are looked up in the tracker while they have no source', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const source = await makeSource(store, project);
      const journal = new TestJournal(store);
      const events = [1, 2, 3, 4].map((at) => makeEvent(project, `a${at}`, { group: 'a', at: NOON + at }));
      await journal.apply([...events, makeEvent(project, 'b', { group: 'b' })]);
      const [a, b] = [await errorOf(store, project, 'a'), await errorOf(store, project, 'b')];
      const errorId = await importIssue(store, project, makeIssue(source, '1'), 10);
      const newest = events.slice(1).reverse();
      const all = await store.errorsToLookUp(project.id, null, 10);
      assert.deepEqual(
        all.map((each) => each.errorId),
        [a.id, b.id],
      );
      assert.deepEqual(
        all[0]?.eventIds,
        newest.map(({ eventId }) => eventId),
      );
      assert.deepEqual(
        (await store.errorsToLookUp(project.id, a.id, 1)).map((each) => each.errorId),
        [b.id],
      );
      await store.mergeErrors(project.id, [b.id, errorId]);
      assert.deepEqual(
        (await store.errorsToLookUp(project.id, null, 10)).map((each) => each.errorId),
        [a.id],
      );
    });

    it('are missing when a pass did not see them', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const source = await makeSource(store, project);
      await store.putImportedError(project.id, makeIssue(source, '1'), NOON);
      await store.putImportedError(project.id, makeIssue(source, '2'), NOON);
      await store.putImportedError(project.id, makeIssue(source, '1'), NOON + 10);
      assert.deepEqual(await store.missingIssues(source.id, NOON + 10), ['2']);
    });

    it('bring texts and times up to date while no newer own event has replaced them', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const source = await makeSource(store, project);
      const errorId = await importIssue(store, project, makeIssue(source, '1'), 10, ['a']);
      const put = (title: string, lastSeen: number, firstSeen = NOON - 1000) =>
        store.putImportedError(project.id, makeIssue(source, '1', { title, lastSeen, firstSeen }), NOON);
      await put('renamed', NOON - 500);
      assert.equal((await detailOf(store, project, errorId)).title, 'renamed');
      await new TestJournal(store).apply([makeEvent(project, '1', { group: 'a' })]);
      await put('renamed again', NOON - 400, NOON - 2000);
      const { title, firstSeen, lastSeen } = await detailOf(store, project, errorId);
      assert.deepEqual([title, firstSeen, lastSeen], ['ValueError: bad value in a', NOON - 2000, NOON]);
      await put('newest', NOON + 5);
      assert.equal((await detailOf(store, project, errorId)).title, 'newest');
    });

    it('have releases, states and sources that go with the project', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const source = await makeSource(store, project);
      const errorId = await importIssue(store, project, makeIssue(source, 'gone-with-it'), 10, ['a']);
      await store.putReleases(project.id, [{ release: '1.0', firstSeen: NOON, lastSeen: NOON + 1 }]);
      await store.putReleases(project.id, [{ release: '1.0', firstSeen: NOON - 5, lastSeen: NOON }]);
      const { items } = await store.listReleases(project.id, { environment: null, limit: 10, cursor: null }, NOON);
      assert.deepEqual(
        items.map(({ release, firstSeen, lastSeen }) => [release, firstSeen, lastSeen]),
        [['1.0', NOON - 5, NOON + 1]],
      );
      await store.saveImportState(`${project.id}/run`, '{"a":1}');
      await store.saveImportState(`${project.id}/run`, '{"a":2}');
      assert.equal(await store.importState(`${project.id}/run`), '{"a":2}');
      assert.deepEqual(await store.listImportStates(`${project.id}/`), [[`${project.id}/run`, '{"a":2}']]);
      await assert.rejects(store.saveImportState('x', 'x'.repeat(1_048_577)), { code: 'bad_request' });
      await store.addImportedEvents(
        project.id,
        errorId,
        [{ eventId: hexId('e'), at: NOON, payload: encodePayload(normalisedEvent(hexId('e'))) }],
        NOON,
      );
      await store.deleteProject(project.id);
      assert.deepEqual(await store.findByExternalId(null, 'gone-with-it'), []);
      assert.deepEqual(await store.listImportSources(project.id), []);
      assert.equal(await store.importState(`${project.id}/run`), null);
      await assert.rejects(store.setBase(project.id, errorId, counted(1)), { code: 'not_found' });
    });
  });
}
