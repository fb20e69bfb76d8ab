import assert from 'node:assert/strict';
import type { DigestedEvent } from '../../src/domain/ingest/digest.ts';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import type { Project } from '../../src/domain/projects/project.ts';
import { aliasFor, importIssue, makeIssue, makeSource } from '../support/import-data.ts';
import { listAll, makeEvent, makeProject, NOON, TestJournal } from '../support/store-data.ts';
import type { StoreHarness } from '../support/store-harness.ts';

/** Events that were mapped to original places, and errors of events that came before their maps. */
export function mappedErrorsContract(harness: () => StoreHarness): void {
  let made = 0;

  /** Event of a build as it was sent: before its map, or where there is none. */
  function sent(project: Project, build: string): DigestedEvent {
    made += 1;
    return makeEvent(project, `sent ${made}`, { group: `sent by ${build}`, at: NOON + made });
  }

  /** The same event after its map has come. */
  function mapped(project: Project, build: string, original = 'original'): DigestedEvent {
    made += 1;
    const [{ groupHash: first }, { groupHash: former }] = [sent(project, build), sent(project, `${build} formerly`)];
    const sentGroupHashes = [
      { groupHash: first, groupingVersion: 1 },
      { groupHash: former, groupingVersion: 1 },
    ];
    const spec = { group: original, groupingVersion: 2, sentGroupHashes, at: NOON + made, user: `user ${made % 2}` };
    return makeEvent(project, `mapped ${made}`, spec);
  }

  async function setUp() {
    const { store } = harness();
    const project = await makeProject(store);
    const journal = new TestJournal(store);
    /** Applies each event in a batch of its own. */
    const send = async (...events: readonly DigestedEvent[]) => {
      for (const event of events) await journal.apply([event]);
    };
    const counts = async (from: Store = store) =>
      (await listAll(from, project)).map(({ count }) => count).sort((a, b) => a - b);
    return { store, project, journal, send, counts };
  }

  async function only(store: Store, project: Project) {
    const [found, ...more] = await listAll(store, project);
    assert.ok(found !== undefined && more.length === 0);
    return found;
  }

  describe('errors of mapped events', () => {
    it('are those of events before the map, for all builds that come later', async () => {
      const { store, project, send, counts } = await setUp();
      await send(sent(project, '1'));
      const before = await only(store, project);
      await send(mapped(project, '1'), mapped(project, '2'), mapped(project, '3'));
      const other = await harness().other();
      await new TestJournal(other).apply([mapped(project, '2'), mapped(project, '4'), sent(project, '1')]);
      assert.deepEqual(await counts(other), [7]);
      const after = await only(store, project);
      assert.deepEqual([after.id, after.userCount], [before.id, 2]);
      // What is sent without a map, and is the same without one, is found as well.
      await send(makeEvent(project, 'source', { group: 'original', groupingVersion: 2 }));
      assert.deepEqual(await counts(), [8]);
    });

    it('of one batch follow an error that the batch begins', async () => {
      const { project, journal, counts } = await setUp();
      const events = [sent(project, '1'), mapped(project, '1'), mapped(project, '2'), mapped(project, '1')];
      const result = await journal.apply(events);
      assert.deepEqual(result, { kind: 'applied', stored: 4, duplicates: 0, newErrors: 1 });
      await journal.apply([mapped(project, '3'), mapped(project, '2')]);
      assert.deepEqual(await counts(), [6]);
    });

    it('are counted once when a batch is applied again, and when its events come again', async () => {
      const { store, project, send, journal, counts } = await setUp();
      await send(sent(project, '1'));
      const batch = [mapped(project, '1'), mapped(project, '2')];
      await journal.apply(batch);
      assert.equal((await journal.replay(batch)).kind, 'already_applied');
      const again = await new TestJournal(store, 'again').apply(batch);
      assert.deepEqual(again, { kind: 'applied', stored: 0, duplicates: 2, newErrors: 0 });
      // Read again without the maps, as on a gateway that does not see them yet.
      const unmapped = batch.map(({ eventId }) => ({ ...sent(project, '1'), eventId }));
      const retaken = await new TestJournal(store, 'retaken').apply(unmapped);
      assert.deepEqual(retaken, { kind: 'applied', stored: 0, duplicates: 2, newErrors: 0 });
      assert.deepEqual(await counts(), [3]);
    });

    it('follow the first of two errors that builds began before their maps, whichever is older', async () => {
      for (const [first, second] of [
        ['1', '2'],
        ['2', '1'],
      ] as const) {
        const { store, project, send, counts } = await setUp();
        await send(sent(project, '1'), sent(project, '2'));
        assert.deepEqual(await counts(), [1, 1]);
        await send(mapped(project, first), mapped(project, second), mapped(project, '3'), mapped(project, first));
        assert.deepEqual(await counts(), [1, 5]);
        const errors = await listAll(store, project);
        const root = await store.mergeErrors(project.id, errors.map(({ id }) => id)); // prettier-ignore
        await store.rollUpMerged();
        assert.equal((await only(store, project)).id, root);
        // Separated, they go on as before: no event moves.
        await store.unmergeErrors(project.id, root ?? '', null);
        await send(mapped(project, '4'), mapped(project, second), sent(project, second));
        assert.deepEqual(await counts(), [2, 7]);
      }
    });

    it('stay one error where mapped events began it, also when an older one was sent', async () => {
      const { project, send, counts } = await setUp();
      await send(sent(project, '1'), mapped(project, '2'), mapped(project, '1'), mapped(project, '3'));
      assert.deepEqual(await counts(), [1, 3]);
    });

    it('keep apart what has other original places', async () => {
      const { project, send, counts } = await setUp();
      await send(sent(project, '1'), mapped(project, '1'), mapped(project, '2', 'another'));
      assert.deepEqual(await counts(), [1, 2]);
      // All faults of build 1 were sent alike: the first of them alone goes on with what was sent.
      await send(mapped(project, '1', 'another'), mapped(project, '1', 'a third'), mapped(project, '5', 'a third'));
      assert.deepEqual(await counts(), [2, 2, 2]);
      await send(mapped(project, '1'), sent(project, '1'));
      assert.deepEqual(await counts(), [2, 2, 4]);
    });

    it('go on with what was sent by the first fault alone, in one batch and on another gateway', async () => {
      const { project, journal, counts } = await setUp();
      const events = [sent(project, '1'), mapped(project, '1'), mapped(project, '1', 'another'), mapped(project, '1')];
      const result = await journal.apply([...events, mapped(project, '2', 'another')]);
      assert.deepEqual(result, { kind: 'applied', stored: 5, duplicates: 0, newErrors: 2 });
      assert.deepEqual(await counts(), [2, 3]);
      const other = await harness().other();
      const later = [mapped(project, '1', 'a third'), mapped(project, '3'), mapped(project, '1', 'another')];
      await new TestJournal(other).apply(later);
      assert.deepEqual(await counts(other), [1, 3, 4]);
    });

    it('of several faults on gateways at the same time leave what was sent to one of them', async () => {
      const { store, project, send, counts } = await setUp();
      await send(sent(project, '1'));
      const other = await harness().other();
      await Promise.all([
        new TestJournal(store).apply([mapped(project, '1'), mapped(project, '1')]),
        new TestJournal(other).apply([mapped(project, '1', 'another'), mapped(project, '1', 'another')]),
      ]);
      await send(mapped(project, '2'), mapped(project, '2', 'another'));
      assert.deepEqual(await counts(), [3, 4]);
    });

    it('of another fault go on with what is sent once the error was deleted', async () => {
      const { store, project, send, counts } = await setUp();
      await send(sent(project, '1'), mapped(project, '1'));
      await store.deleteErrors(project.id, [(await only(store, project)).id], false, null, NOON);
      await send(sent(project, '1'), mapped(project, '1', 'another'), mapped(project, '1'));
      assert.deepEqual(await counts(), [1, 2]);
    });

    it('are not split by gateways that begin at the same time', async () => {
      const { store, project, send, counts } = await setUp();
      await send(sent(project, '1'), sent(project, '2'));
      const other = await harness().other();
      const [first, second] = [new TestJournal(store), new TestJournal(other)];
      await Promise.all([
        first.apply([mapped(project, '1'), mapped(project, '1')]),
        second.apply([mapped(project, '2'), mapped(project, '2')]),
      ]);
      await send(mapped(project, '1'), mapped(project, '2'), mapped(project, '3'), mapped(project, '4'));
      const all = await counts();
      assert.equal(all.reduce((sum, count) => sum + count, 0), 10); // prettier-ignore
      assert.equal(all.length, 2);
      const [before] = all;
      await send(mapped(project, '1'), mapped(project, '2'), mapped(project, '5'));
      assert.deepEqual(await counts(), [before, 13 - (before ?? 0)]);
    });

    it('begin a new one after it was deleted', async () => {
      const { store, project, send, counts } = await setUp();
      await send(sent(project, '1'), mapped(project, '1'), mapped(project, '2'));
      await store.deleteErrors(project.id, [(await only(store, project)).id], false, null, NOON);
      await send(mapped(project, '2'), mapped(project, '3'), sent(project, '1'), mapped(project, '1'));
      assert.deepEqual(await counts(), [1, 3]);
    });

    it('are dropped with it, of any build, until they are taken again', async () => {
      const { store, project, send, journal, counts } = await setUp();
      await send(sent(project, '1'), mapped(project, '1'), mapped(project, '2'));
      await store.deleteErrors(project.id, [(await only(store, project)).id], true, null, NOON);
      const later = [mapped(project, '2'), mapped(project, '3'), sent(project, '1')];
      assert.deepEqual(await journal.apply(later), { kind: 'applied', stored: 0, duplicates: 0, newErrors: 0 });
      const [dropped] = await store.discardedGroups(project.id);
      await store.restoreDiscarded(project.id, dropped?.id ?? 0);
      await send(mapped(project, '2'), mapped(project, '3'));
      assert.deepEqual(await counts(), [2]);
    });

    it('are dropped where the error was dropped before the first of them, and other faults are not', async () => {
      const { store, project, send, journal, counts } = await setUp();
      await send(sent(project, '1'));
      await store.deleteErrors(project.id, [(await only(store, project)).id], true, null, NOON);
      const first = await journal.apply([mapped(project, '1'), mapped(project, '1', 'another'), mapped(project, '1')]);
      assert.deepEqual(first, { kind: 'applied', stored: 1, duplicates: 0, newErrors: 1 });
      const other = await harness().other();
      const later = [mapped(project, '1', 'a third'), mapped(project, '1'), sent(project, '1')];
      const second = await new TestJournal(other).apply(later);
      assert.deepEqual(second, { kind: 'applied', stored: 1, duplicates: 0, newErrors: 1 });
      await send(mapped(project, '1', 'another'));
      assert.deepEqual(await counts(), [1, 2]);
    });

    it('of other faults are dropped with their own error alone', async () => {
      const { store, project, send, journal, counts } = await setUp();
      await send(sent(project, '1'), mapped(project, '1'));
      await store.deleteErrors(project.id, [(await only(store, project)).id], true, null, NOON);
      await send(mapped(project, '1', 'another'), mapped(project, '3', 'another'), mapped(project, '1'));
      assert.deepEqual(await counts(), [2]);
      await store.deleteErrors(project.id, [(await only(store, project)).id], true, null, NOON);
      const later = [mapped(project, '1', 'another'), mapped(project, '1', 'a third'), mapped(project, '4')];
      assert.deepEqual(await journal.apply(later), { kind: 'applied', stored: 1, duplicates: 0, newErrors: 1 });
    });

    it('are shown in the error into which theirs was merged', async () => {
      const { store, project, send, counts } = await setUp();
      await send(makeEvent(project, 'old', { group: 'unlike' }), sent(project, '1'), mapped(project, '1'));
      const ids = (await listAll(store, project)).map(({ id }) => id);
      const root = await store.mergeErrors(project.id, ids);
      await send(mapped(project, '2'));
      await store.rollUpMerged();
      assert.deepEqual(await counts(), [4]);
      await store.unmergeErrors(project.id, root ?? '', null);
      await send(mapped(project, '3'));
      assert.deepEqual(await counts(), [1, 4]);
    });

    it('may be imported ones, with their grouping version', async () => {
      const { store, project, send, counts } = await setUp();
      const source = await makeSource(store, project);
      await importIssue(store, project, makeIssue(source, '1'), 10, ['sent by 1']);
      await send(mapped(project, '1'), mapped(project, '2'), sent(project, '1'));
      assert.deepEqual(await counts(), [13]);
    });

    it('are merged with an issue that is imported later, and taken for its own', async () => {
      const { store, project, send, counts } = await setUp();
      await send(sent(project, '1'), mapped(project, '1'));
      const own = await only(store, project);
      const source = await makeSource(store, project);
      const errorId = await importIssue(store, project, makeIssue(source, '1'), 10);
      const alias = aliasFor(project, 'original', { groupingVersion: 2 });
      const found = await store.addAliases(project.id, errorId, [alias], NOON);
      assert.deepEqual(found, [{ kind: 'own_error', errorId: own.id }]);
      assert.deepEqual(await store.unmergedAliases(project.id), []);
      await store.mergeErrors(project.id, [errorId, own.id]);
      assert.deepEqual(await store.addAliases(project.id, errorId, [alias], NOON), [{ kind: 'kept' }]);
      await send(mapped(project, '2'));
      await store.rollUpMerged();
      assert.deepEqual(await counts(), [13]);
    });

    it('go on with an imported error by those alone of which an export says so', async () => {
      const { store, project, send, counts } = await setUp();
      const errorId = await importIssue(store, project, makeIssue(await makeSource(store, project), '1'), 10);
      const [{ groupHash }, { groupHash: mappedHash }] = [sent(project, '1'), mapped(project, '1')];
      await store.addContinuations(project.id, [{ groupHash, mappedHash }]);
      await store.addAliases(project.id, errorId, [aliasFor(project, 'sent by 1')], NOON);
      await send(mapped(project, '1', 'another'), mapped(project, '1'), mapped(project, '2'));
      assert.deepEqual(await counts(), [1, 12]);
      // What is known stays.
      await store.addContinuations(project.id, [{ groupHash, mappedHash: mapped(project, '1', 'a third').groupHash }]);
      await send(mapped(project, '1', 'a third'), mapped(project, '1'));
      assert.deepEqual(await counts(), [1, 1, 13]);
    });

    it('belong to their project alone, and go with it', async () => {
      const { store, project, send, counts } = await setUp();
      const other = await makeProject(store);
      await send(sent(project, '1'), mapped(project, '1'));
      const elsewhere = new TestJournal(store);
      await elsewhere.apply([mapped(other, '1'), mapped(other, '2')]);
      assert.deepEqual((await listAll(store, other)).map(({ count }) => count), [2]); // prettier-ignore
      assert.equal(await store.deleteProject(project.id), true);
      const result = await elsewhere.apply([mapped(project, '2'), mapped(other, '1')]);
      assert.deepEqual(result, { kind: 'applied', stored: 1, duplicates: 0, newErrors: 0 });
      assert.deepEqual(await counts(), []);
    });
  });
}
