import assert from 'node:assert/strict';
import type { DigestedEvent } from '../../src/domain/ingest/digest.ts';
import { MAX_DISCARDED } from '../../src/domain/ports/stores/list-store.ts';
import type { Project } from '../../src/domain/projects/project.ts';
import { isAppErrorWith } from '../support/app-error-code.ts';
import { collectAll } from '../support/facts.ts';
import { importIssue, makeIssue, makeSource } from '../support/import-data.ts';
import type { StoreHarness } from '../support/store-harness.ts';
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

/** Errors that are deleted, alone or for good. */
export function deletionContract(harness: () => StoreHarness): void {
  async function setUp() {
    const { store } = harness();
    const project = await makeProject(store);
    const journal = new TestJournal(store);
    const user = await store.createUser({
      ...{ username: `deletes${project.id}`, name: 'D', admin: false, email: null, passwordHash: 'x' },
    });
    await store.setMember(project.id, user.id, 40);
    const events = (group: string, names: readonly string[], of: Project = project): DigestedEvent[] =>
      names.map((name, index) =>
        makeEvent(of, `${group} ${name}`, { group, at: NOON - index * HOUR, user: `u${index}`, tags: [['k', 'v']] }),
      );
    const idOf = async (group: string) => (await errorOf(store, project, group)).id;
    const groups = async () => (await listAll(store, project)).map(({ message }) => message?.split(' ').at(-1)).sort();
    const outcomes = async () => {
      const rows = await store.listOutcomes(project.id, NOON - DAY, NOON + DAY);
      const sums: Record<string, number> = {};
      for (const { outcome, reason, quantity } of rows) {
        const name = reason === '' ? outcome : `${outcome} ${reason}`;
        sums[name] = (sums[name] ?? 0) + quantity;
      }
      return sums;
    };
    const remove = (ids: readonly string[], discard = false) =>
      store.deleteErrors(project.id, ids, discard, user.id, NOON);
    return { store, project, journal, user, events, idOf, groups, outcomes, remove };
  }

  const NAMES = Array.from({ length: 12 }, (_, index) => String(index));

  describe('deleting errors', () => {
    it('removes them with what belongs to them, and nothing of others', async () => {
      const { store, project, journal, user, events, idOf, groups, remove } = await setUp();
      // All of them share blocks of bodies.
      await journal.apply([...events('a', NAMES), ...events('b', NAMES), ...events('c', NAMES)]);
      const [a, b, c] = [await idOf('a'), await idOf('b'), await idOf('c')];
      await store.addNote(project.id, a, user.id, 'a note', NOON);
      await store.addLinkedIssue(project.id, a, { url: 'https://git.test/1', title: 'One' }, user.id, NOON);
      await store.mergeErrors(project.id, [a, b]);
      const before = await store.errorById(project.id, c, NOON);
      const other = await makeProject(store);
      assert.equal(await store.deleteErrors(other.id, [a, c], false, user.id, NOON), 0, 'within the project only');
      assert.equal(await remove([b, a, '999999']), 1, 'a merged error once, with its members');
      assert.deepEqual(await groups(), ['c']);
      assert.deepEqual(await store.errorById(project.id, c, NOON), before);
      for (const id of [a, b]) {
        assert.equal(await store.errorById(project.id, id, NOON), null);
        assert.equal(await store.listEvents(project.id, id, 10, null), null);
        assert.equal(await store.listNotes(project.id, id), null);
        assert.equal(await store.listActivity(project.id, id), null);
        assert.deepEqual(await store.factsOfError(project.id, id), []);
      }
      for (const name of NAMES) {
        const eventId = hexId(`${project.id} c ${name}`);
        assert.equal((await store.event(project.id, c, eventId))?.event.message, `c ${name}`);
      }
      assert.deepEqual(await listAll(store, project, { search: hexId(`${project.id} a 0`) }), []);
    });

    it('knows the events that are gone, and begins a new error with further ones', async () => {
      const { store, project, journal, events, idOf, groups, outcomes, remove } = await setUp();
      const stored = events('a', NAMES);
      await journal.apply(stored);
      const first = await idOf('a');
      await remove([first]);
      assert.equal((await journal.replay(stored)).kind, 'already_applied');
      await new TestJournal(store, 'copy').apply(stored);
      assert.deepEqual(await groups(), []);
      assert.deepEqual(await outcomes(), { accepted: 12, 'filtered duplicate': 12 });
      await journal.apply(events('a', ['later']));
      const again = await errorOf(store, project, 'a');
      assert.notEqual(again.id, first);
      assert.equal(again.count, 1);
      assert.equal(again.userCount, 1);
      await collectAll(store);
      const kinds = (await store.factsOfError(project.id, again.id)).map(({ kind }) => kind);
      assert.deepEqual(kinds, ['new'], 'it is new again');
    });

    it('for good drops and counts what comes later, once, also under former rules, until it is taken again', async () => {
      const { store, project, journal, user, events, idOf, groups, outcomes, remove } = await setUp();
      await journal.apply([...events('a', NAMES), ...events('b', ['0']), ...events('c', ['0'])]);
      const root = await store.mergeErrors(project.id, [await idOf('a'), await idOf('b')]);
      const merged = await store.errorById(project.id, root ?? '', NOON);
      assert.ok(merged !== null);
      const { title, type } = merged;
      assert.equal(await remove([merged.id], true), 1);
      const [found, ...more] = await store.discardedGroups(project.id);
      assert.deepEqual({ ...found, id: 0 }, { id: 0, title, type, at: NOON, userId: user.id });
      assert.deepEqual(more, []);

      const later = [...events('a', ['x', 'y']), ...events('b', ['x']), ...events('c', ['x'])];
      assert.deepEqual(await journal.apply(later), { kind: 'applied', stored: 1, duplicates: 0, newErrors: 0 });
      assert.equal((await journal.replay(later)).kind, 'already_applied');
      assert.deepEqual(await groups(), ['c']);
      const counted = { accepted: 15, 'filtered discarded_error': 3 };
      assert.deepEqual(await outcomes(), counted);
      const regrouped = events('a', ['z']).map((event) => ({
        ...event,
        groupHash: hexId(`${project.id} newer rules`),
        groupingVersion: 2,
        formerGroupHashes: [{ groupHash: event.groupHash, groupingVersion: 1 }],
      }));
      await journal.apply(regrouped);
      assert.deepEqual(await outcomes(), { ...counted, 'filtered discarded_error': 4 });

      const other = await makeProject(store);
      await journal.apply(events('a', ['0'], other));
      assert.equal((await listAll(store, other)).length, 1, 'another project has groups of its own');
      assert.equal(await store.restoreDiscarded(other.id, found?.id ?? 0), false);
      assert.equal(await store.restoreDiscarded(project.id, found?.id ?? 0), true);
      assert.equal(await store.restoreDiscarded(project.id, found?.id ?? 0), false);
      assert.deepEqual(await store.discardedGroups(project.id), []);
      await journal.apply(events('a', ['after']));
      assert.deepEqual(await groups(), ['a', 'c']);
    });

    it('keeps imported errors that are dropped away when an import runs again, until they are taken again', async () => {
      const { store, project, remove } = await setUp();
      const source = await makeSource(store, project);
      const issue = makeIssue(source, '1');
      const dropped = await importIssue(store, project, issue, 10, ['a']);
      const deleted = await importIssue(store, project, makeIssue(source, '2'), 10);
      assert.equal(await remove([dropped], true), 1);
      assert.equal(await remove([deleted]), 1);
      assert.equal(await store.putImportedError(project.id, issue, NOON + 1), null);
      assert.deepEqual(await listAll(store, project), []);
      assert.equal((await store.putImportedError(project.id, makeIssue(source, '2'), NOON + 1))?.created, true);
      const [group] = await store.discardedGroups(project.id);
      assert.equal(await store.restoreDiscarded(project.id, group?.id ?? 0), true);
      assert.equal((await store.putImportedError(project.id, issue, NOON + 2))?.created, true);
    });

    it('for good is refused beyond a number of them, before anything is deleted', async function () {
      if (!harness().largeSizes) this.skip();
      const { store, project, journal, idOf, remove } = await setUp();
      const groups = Array.from({ length: MAX_DISCARDED + 1 }, (_, index) => `g${index}`);
      await journal.apply(groups.map((group) => makeEvent(project, group, { group })));
      const ids = await store
        .matchingErrors(
          project.id,
          { status: 'all', search: null, environment: null, release: null, level: null },
          ...[0, 1000, NOON],
        )
        .then((all) => all.map(({ errorId }) => errorId));
      for (let from = 0; from < MAX_DISCARDED - 100; from += 100) await remove(ids.slice(from, from + 100), true);
      await remove(ids.slice(-100).slice(0, 99), true);
      const last = ids.at(-1) ?? '';
      const another = await idOf(`g${MAX_DISCARDED}`);
      await assert.rejects(remove([last, another], true), isAppErrorWith('conflict'));
      assert.notEqual(await store.errorById(project.id, last, NOON), null);
      assert.equal(await remove([last], true), 1);
      await assert.rejects(remove([another], true), isAppErrorWith('conflict'));
      assert.equal(await remove([another]), 1);
    });
  });
}
