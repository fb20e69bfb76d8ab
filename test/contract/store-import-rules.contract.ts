import assert from 'node:assert/strict';
import {
  aliasFor,
  counted,
  detailOf,
  importIssue,
  makeIssue,
  makeSource,
  putImported,
} from '../support/import-data.ts';
import { setUpImport } from '../support/import-set-up.ts';
import { KEEP, pruneAll } from '../support/prune-all.ts';
import {
  DAY,
  errorOf,
  hexId,
  HOUR,
  listAll,
  makeEvent,
  makeProject,
  NOON,
  TestJournal,
} from '../support/store-data.ts';
import type { StoreHarness } from '../support/store-harness.ts';

export function importRulesContract(harness: () => StoreHarness): void {
  describe('rules of imported errors', () => {
    it('show the greater of own users and those of the tracker', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const source = await makeSource(store, project);
      const errorId = await importIssue(store, project, makeIssue(source, '1'), 10, ['a']);
      const count = async () => (await detailOf(store, project, errorId)).userCount;
      assert.equal(await count(), 0);
      await store.setBase(project.id, errorId, counted(10, { users: 2, at: NOON + 1 }));
      assert.equal(await count(), 2);
      const journal = new TestJournal(store);
      const event = (name: string, user: string) => makeEvent(project, name, { group: 'a', user });
      await journal.apply([event('1', 'u'), event('2', 'v')]);
      assert.equal(await count(), 2);
      await journal.apply([event('3', 'w')]);
      assert.equal(await count(), 3);
      await store.setBase(project.id, errorId, counted(10, { users: 4, at: NOON + 2 }));
      assert.equal(await count(), 4);
      const sorted = await listAll(store, project, { sort: 'users' });
      assert.deepEqual(
        sorted.map(({ id, userCount }) => [id, userCount]),
        [[errorId, 4]],
      );
    });

    it('are found by an id that more than a hundred merged ones have', async () => {
      const { store, project, source } = await setUpImport(harness());
      const externalIds = [{ kind: 'issue', value: `many-${project.id}` }] as const;
      const put = async (id: number) =>
        (await putImported(store, project.id, makeIssue(source, String(id), { externalIds }), NOON)).errorId;
      const ids: string[] = [];
      for (let id = 1; id <= 103; id += 1) ids.push(await put(id));
      const [root, ...others] = ids;
      const alone = others.splice(-2);
      for (let from = 0; from < others.length; from += 50)
        await store.mergeErrors(project.id, [root ?? '', ...others.slice(from, from + 50)]);
      const found = await store.findByExternalId(project.id, externalIds[0].value);
      assert.deepEqual(
        found.map(({ errorId }) => errorId),
        [root, ...alone],
      );
    });

    it('keep the culprit, level and platform that a further pass does not tell', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const source = await makeSource(store, project);
      const unknown = { culprit: null, level: null, platform: null } as const;
      const errorId = await importIssue(store, project, makeIssue(source, '1', unknown), 1, ['a']);
      const shown = async () => {
        const { culprit, level, platform } = await detailOf(store, project, errorId);
        return [culprit, level, platform];
      };
      const found = async (search: string) => (await listAll(store, project, { search })).length;
      assert.deepEqual(await shown(), [null, 'error', 'other']);
      const told = { culprit: 'app.cart in add', level: 'warning', platform: 'python' } as const;
      await store.putImportedError(project.id, makeIssue(source, '1', told), NOON);
      for (const lastSeen of [NOON - 500, NOON - 400]) {
        await store.putImportedError(project.id, makeIssue(source, '1', { ...unknown, lastSeen }), NOON);
        assert.deepEqual([...(await shown()), await found('app.cart')], ['app.cart in add', 'warning', 'python', 1]);
      }
      // An own event tells them too, until the tracker names newer ones.
      await new TestJournal(store).apply([makeEvent(project, 'own', { group: 'a', receivedAt: NOON + HOUR })]);
      const own = await shown();
      await store.putImportedError(project.id, makeIssue(source, '1', { ...unknown, lastSeen: NOON + DAY }), NOON);
      assert.deepEqual(await shown(), own);
      await store.putImportedError(project.id, makeIssue(source, '1', { ...told, lastSeen: NOON + DAY }), NOON);
      assert.deepEqual(await shown(), ['app.cart in add', 'warning', 'python']);
    });

    it('keep their former numbers, of which no gateway gives one to a new error', async () => {
      const { store, other } = harness();
      const project = await makeProject(store);
      await makeSource(store, project);
      const gateways = [store, await other()].map((each, index) => {
        const journal = new TestJournal(each, `gateway ${index}`);
        const newError = async (group: string): Promise<number> => {
          const name = `${group} of ${index}`;
          await journal.apply([makeEvent(project, name, { group: name })]);
          return Number((await errorOf(store, project, name)).id);
        };
        return newError;
      });
      // A gateway of a shared store takes numbers in blocks, of which it now has the rest.
      const first = [];
      for (const newError of gateways) first.push(await newError('first'));
      // The first number ends in the middle of a block, the second one behind all blocks.
      for (const former of [Math.min(...first) + 20, Math.max(...first) + 1000]) {
        await store.reserveErrorNumbers(former);
        for (const newError of gateways) {
          const number = await newError(`after ${former}`);
          assert.ok(number > former, `${number} is the number of a former issue`);
        }
      }
    });

    it('are reopened by events that happened after the resolution there, not by late copies', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const source = await makeSource(store, project);
      const status = { status: 'resolved' as const, changedAt: NOON - 100, details: '{"inRelease":"1.0"}' };
      const issue = makeIssue(source, '1', { status });
      const errorId = await importIssue(store, project, issue, 10, ['a']);
      const shown = async () => (await detailOf(store, project, errorId)).status;
      assert.equal(await shown(), 'resolved');
      assert.equal((await store.importedOrigin(project.id, errorId))?.statusDetails, '{"inRelease":"1.0"}');
      const journal = new TestJournal(store);
      await journal.apply([makeEvent(project, 'old', { group: 'a', at: NOON - 200, receivedAt: NOON + HOUR })]);
      assert.equal(await shown(), 'resolved');
      await journal.apply([
        makeEvent(project, 'new', { group: 'a', at: NOON - 50, receivedAt: NOON + HOUR, release: '1.1' }),
      ]);
      assert.equal(await shown(), 'unresolved');
      // A further pass with the same status leaves it reopened.
      await store.putImportedError(project.id, issue, NOON + 1);
      assert.equal(await shown(), 'unresolved');
      await store.setErrorStatus(project.id, errorId, 'resolved', NOON + 2 * HOUR);
      const event = makeEvent(project, 'later', { group: 'a', at: NOON - 500, receivedAt: NOON + 3 * HOUR });
      await journal.apply([event]);
      assert.equal(await shown(), 'resolved', 'a late copy');
      await journal.apply([makeEvent(project, 'again', { group: 'a', at: NOON + 3 * HOUR })]);
      assert.equal(await shown(), 'unresolved');
    });

    it('keep a status that was changed here after that of the tracker', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const source = await makeSource(store, project);
      const at = (changedAt: number, status: 'ignored' | 'resolved') =>
        makeIssue(source, '1', { status: { status, changedAt, details: null } });
      const errorId = await importIssue(store, project, at(NOON - 1000, 'ignored'), 10);
      await store.setErrorStatus(project.id, errorId, 'unresolved', NOON);
      await store.putImportedError(project.id, at(NOON - 500, 'resolved'), NOON + 1);
      assert.equal((await detailOf(store, project, errorId)).status, 'unresolved');
      await store.putImportedError(project.id, at(NOON + 500, 'resolved'), NOON + 2);
      assert.equal((await detailOf(store, project, errorId)).status, 'resolved');
    });

    it('subtract events known there once, in any order of mark and digest', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const source = await makeSource(store, project);
      const errorId = await importIssue(store, project, makeIssue(source, '1'), 10, ['a']);
      const event = (name: string) => makeEvent(project, name, { group: 'a' });
      const [one, two, three] = [event('1'), event('2'), event('3')];
      await store.markKnownThere(project.id, [one.eventId, hexId('never sent')], NOON);
      const journal = new TestJournal(store);
      await journal.apply([one, two, three]);
      const known = () => store.knownThere(project.id, errorId, NOON);
      assert.equal(await known(), 1);
      await store.markKnownThere(project.id, [one.eventId, two.eventId], NOON);
      await store.markKnownThere(project.id, [two.eventId], NOON);
      assert.equal(await known(), 2);
      const total = async () => (await detailOf(store, project, errorId)).count;
      assert.equal(await total(), 13);
      const base = (count: number, knownThere: number, at: number) =>
        store.setBase(project.id, errorId, counted(count, { knownThere, at }));
      assert.equal(await base(12, 1, NOON + 1), 'moved');
      assert.equal(await base(12, 2, NOON + 1), 'unchanged');
      assert.equal(await total(), 13);
      assert.equal(await base(11, 2, NOON + 2), 'fewer');
      assert.equal(await base(12, 2, NOON + 3), 'unchanged');
      assert.equal(await base(14, 2, NOON + 4), 'set');
      assert.equal(await total(), 15);
      // Removal of the events, of their keys and of the marks changes nothing.
      const late = NOON + 90 * DAY;
      await pruneAll(store, { ...KEEP, receivedBefore: late, keysReceivedBefore: late });
      assert.equal(await known(), 2);
      assert.equal(await total(), 15);
      await store.markKnownThere(project.id, [one.eventId], late + 1);
      assert.equal(await known(), 2);
    });

    it('subtract events that were forwarded before anything was imported', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const events = ['1', '2', '3'].map((name) => makeEvent(project, name, { group: 'own' }));
      const [early, late] = [events[0]!, events[1]!];
      const journal = new TestJournal(store);
      // Forwarded from the journal: the first one is marked before its digest.
      await store.markKnownThere(project.id, [early.eventId], NOON);
      await journal.apply(events);
      await store.markKnownThere(project.id, [late.eventId], NOON);
      const source = await makeSource(store, project);
      const errorId = await importIssue(store, project, makeIssue(source, '1'), 10, ['own']);
      await store.mergeErrors(project.id, [(await errorOf(store, project, 'own')).id, errorId]);
      assert.equal(await store.knownThere(project.id, errorId, NOON), 2);
    });

    it('count own events that are not known in the tracker, of merged errors as well', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const source = await makeSource(store, project);
      assert.equal(await store.unknownThere(project.id), 0);
      const errorId = await importIssue(store, project, makeIssue(source, '1'), 10, ['a']);
      assert.equal(await store.unknownThere(project.id), 0);
      const event = (name: string, group: string) => makeEvent(project, name, { group });
      const [one, two] = [event('one', 'a'), event('two', 'a')];
      await new TestJournal(store).apply([one, two, event('own', 'own')]);
      assert.equal(await store.unknownThere(project.id), 2);
      await store.markKnownThere(project.id, [one.eventId], NOON);
      assert.equal(await store.unknownThere(project.id), 1);
      await store.mergeErrors(project.id, [(await errorOf(store, project, 'own')).id, errorId]);
      assert.equal(await store.unknownThere(project.id), 2);
      await store.setBothReceiveUntil(source.id, Date.now() + DAY);
      assert.equal(await store.unknownThere(project.id), 0);
    });

    it('know all events received until the named time', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const source = await makeSource(store, project);
      const errorId = await importIssue(store, project, makeIssue(source, '1'), 10, ['a']);
      const until = Date.now() + DAY;
      const event = (name: string, receivedAt: number) => makeEvent(project, name, { group: 'a', receivedAt });
      const before = event('before', until - 3000);
      const journal = new TestJournal(store);
      await journal.apply([before]);
      await store.setBothReceiveUntil(source.id, until);
      assert.equal((await store.listImportSources(project.id))[0]?.bothReceiveUntil, until);
      assert.equal(await store.knownThere(project.id, errorId, until - 2000), 1);
      await journal.apply([event('during', until - 1000), event('after', until + 1000)]);
      assert.equal(await store.knownThere(project.id, errorId, until + 2000), 2);
      await store.markKnownThere(project.id, [before.eventId], until + 2000);
      assert.equal(await store.knownThere(project.id, errorId, until + 2000), 2);
      assert.equal((await store.importedOrigin(project.id, errorId))?.atLeast, true);
    });

    it('own their aliases: errors of their own, other issues and ended ones keep theirs', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const source = await makeSource(store, project);
      const journal = new TestJournal(store);
      await journal.apply([makeEvent(project, 'own', { group: 'own' })]);
      const own = await errorOf(store, project, 'own');
      const first = await importIssue(store, project, makeIssue(source, '1'), 10, ['a']);
      const second = await importIssue(store, project, makeIssue(source, '2'), 10);
      const add = (errorId: string, ...groups: string[]) =>
        store.addAliases(
          project.id,
          errorId,
          groups.map((group) => aliasFor(project, group)),
          NOON,
        );
      assert.deepEqual(await add(second, 'a', 'own', 'b'), [
        { kind: 'taken', errorId: first },
        { kind: 'own_error', errorId: own.id },
        { kind: 'added' },
      ]);
      assert.deepEqual(await store.unmergedAliases(project.id), [{ errorId: second, ownErrorId: own.id }]);
      await store.mergeErrors(project.id, [second, own.id]);
      assert.deepEqual(await store.unmergedAliases(project.id), []);
      assert.deepEqual(await add(second, 'own'), [{ kind: 'kept' }]);
      await store.unmergeErrors(project.id, own.id, null);
      assert.deepEqual(await add(second, 'own'), [{ kind: 'ended' }]);
      assert.deepEqual(await store.unmergedAliases(project.id), []);
      const { groupHash } = aliasFor(project, 'a');
      await journal.apply([makeEvent(project, 'a1', { group: 'a' })]);
      assert.equal(await store.endAlias(project.id, groupHash), true);
      assert.equal(await store.endAlias(project.id, groupHash), false);
      await journal.apply([makeEvent(project, 'a2', { group: 'a' })]);
      assert.equal((await detailOf(store, project, first)).count, 11);
      const counts = (await listAll(store, project)).map(({ id, count }) => [id === first, count]);
      assert.ok(counts.some(([isFirst, count]) => isFirst === false && count === 1));
    });
  });
}
