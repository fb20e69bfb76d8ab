import assert from 'node:assert/strict';
import type { ErrorMarks } from '../../src/domain/errors/error-marks.ts';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import type { Project } from '../../src/domain/projects/project.ts';
import { MAX_GROUP } from '../../src/storage/merge/group.ts';
import type { StoreHarness } from '../support/store-harness.ts';
import { DAY, EVERYTHING, listAll, makeEvent, makeProject, NOON, TestJournal } from '../support/store-data.ts';
import { idsOf, mergeFixture } from './merge-fixture.ts';

/** Returns marks without a review, which ends with a status that is set. */
const looked = (marks: ErrorMarks | null): ErrorMarks | null =>
  marks === null ? null : { ...marks, forReview: false };

export function mergeChangesContract(harness: () => StoreHarness): void {
  describe('merging: changes by users and events', () => {
    let store: Store;
    let project: Project;
    let journal: TestJournal;
    let a: string;
    let b: string;
    let c: string;

    beforeEach(async () => {
      ({ store } = harness());
      ({ project, journal, a, b, c } = await mergeFixture(store));
    });

    const detail = async (id: string) => {
      const error = await store.errorById(project.id, id, NOON);
      assert.ok(error !== null, id);
      return error;
    };
    const listed = async (query: Parameters<typeof listAll>[2] = {}) =>
      (await listAll(store, project, query)).map(({ id }) => id);

    it('reopens the error when any member happens again, but not for events received before', async () => {
      await store.mergeErrors(project.id, [a, b]);
      await store.setErrorStatus(project.id, a, 'resolved', NOON);
      await journal.apply([makeEvent(project, 'late', { group: 'bravo', receivedAt: NOON - 1 })]);
      await store.rollUpMerged();
      assert.deepEqual(await listed({ status: 'resolved' }), [a]);
      await journal.apply([makeEvent(project, 'again', { group: 'bravo', receivedAt: NOON + 1 })]);
      await store.rollUpMerged();
      assert.deepEqual(await listed({ status: 'resolved' }), []);
      assert.equal((await detail(a)).status, 'unresolved');
    });

    it('keeps the status of the least number, unless a member happened after it was resolved', async () => {
      await store.setErrorStatus(project.id, a, 'ignored', NOON);
      await store.mergeErrors(project.id, [a, b]);
      assert.equal((await detail(a)).status, 'ignored');
      const [d, e, f] = await (async () => {
        await journal.apply([
          makeEvent(project, 'd', { group: 'd', receivedAt: NOON }),
          makeEvent(project, 'e', { group: 'e', receivedAt: NOON - 1 }),
          makeEvent(project, 'f', { group: 'f', receivedAt: NOON + 2 }),
        ]);
        return (await idsOf(store, project, 'd', 'e', 'f')) as [string, string, string];
      })();
      await store.setErrorStatus(project.id, d, 'resolved', NOON + 1);
      await store.mergeErrors(project.id, [d, e]);
      assert.equal((await detail(d)).status, 'resolved');
      await store.mergeErrors(project.id, [d, f]);
      assert.equal((await detail(d)).status, 'unresolved');
    });

    it('separates the members with their former values', async () => {
      const before = await listAll(store, project);
      await store.setErrorStatus(project.id, c, 'ignored', NOON);
      await store.mergeErrors(project.id, [a, b, c]);
      assert.deepEqual(await listed(), [a]);
      const separated = await store.unmergeErrors(project.id, a, null);
      assert.deepEqual(separated, {
        errorId: a,
        separated: [
          { id: b, title: 'ValueError: bad value in bravo', count: 3 },
          { id: c, title: 'ValueError: bad value in zulu', count: 1 },
        ],
      });
      const after = await listAll(store, project);
      assert.deepEqual(
        after,
        before.map((error) => (error.id === c ? { ...error, status: 'ignored', marks: looked(error.marks) } : error)),
      );
      assert.deepEqual([(await detail(b)).mergedInto, (await detail(a)).merged], [null, []]);
      assert.deepEqual(await store.unmergeErrors(project.id, a, null), { errorId: a, separated: [] });
    });

    it('separates only the named members, or the one that is asked about', async () => {
      await journal.apply([makeEvent(project, 'd', { group: 'd' })]);
      const [d = ''] = await idsOf(store, project, 'd');
      await store.mergeErrors(project.id, [a, b, c, d]);
      assert.deepEqual(
        (await store.unmergeErrors(project.id, a, [c]))?.separated.map(({ id }) => id),
        [c],
      );
      assert.deepEqual(
        (await detail(a)).merged?.map(({ id }) => id),
        [b, d],
      );
      assert.deepEqual(
        (await store.unmergeErrors(project.id, b, null))?.separated.map(({ id }) => id),
        [b],
      );
      assert.deepEqual((await store.unmergeErrors(project.id, a, [b, c, b]))?.separated, []);
      assert.equal((await detail(a)).count, 3);
      await assert.rejects(store.unmergeErrors(project.id, a, [a, d]), { code: 'bad_request' });
      assert.equal(await store.unmergeErrors(project.id, a, [d, '999999']), null);
      assert.deepEqual(
        (await detail(a)).merged?.map(({ id }) => id),
        [d],
      );
    });

    it('sets a status for all members', async () => {
      await store.mergeErrors(project.id, [a, b]);
      await store.setErrorStatus(project.id, a, 'resolved', NOON);
      await store.unmergeErrors(project.id, a, null);
      assert.deepEqual((await listed({ status: 'resolved' })).sort(), [a, b].sort());
    });

    it('moves whole groups, whichever number is named', async () => {
      await journal.apply([makeEvent(project, 'd', { group: 'd' })]);
      const [d = ''] = await idsOf(store, project, 'd');
      await store.mergeErrors(project.id, [c, d]);
      assert.equal(await store.mergeErrors(project.id, [b, d]), b);
      assert.equal(await store.mergeErrors(project.id, [a, c]), a);
      assert.deepEqual(
        (await detail(a)).merged?.map(({ id }) => id),
        [b, c, d],
      );
      assert.deepEqual([(await detail(a)).count, (await detail(d)).id], [7, a]);
      assert.equal(await store.mergeErrors(project.id, [d, c, b]), a, 'they are one already');
      assert.deepEqual(await listed(), [a]);
      assert.equal(await store.rollUpMerged(), 0);
    });

    it('answers not_found for ids of no error, and for those of another project', async () => {
      const other = await makeProject(store);
      await new TestJournal(store, 'other').apply([makeEvent(other, 'x', { group: 'x' })]);
      const [x = ''] = await idsOf(store, other, 'x');
      for (const id of [x, '999999', '0', 'f'.repeat(32)]) {
        assert.equal(await store.mergeErrors(project.id, [a, id]), null, id);
        assert.equal(await store.unmergeErrors(project.id, id, null), null, id);
        assert.equal(await store.unmergeErrors(project.id, a, [id]), null, id);
      }
      assert.deepEqual(await listed({ sort: 'frequency' }), [b, a, c]);
      await assert.rejects(store.mergeErrors(project.id, [a]), { code: 'bad_request' });
      await assert.rejects(store.mergeErrors(project.id, [a, a]), { code: 'bad_request' });
    });

    it('makes no cycle of two errors that merge into each other at once', async () => {
      const second = await harness().other();
      for (let round = 0; round < 5; round += 1) {
        const answers = await Promise.all([
          store.mergeErrors(project.id, [a, b]),
          second.mergeErrors(project.id, [b, a]),
          store.mergeErrors(project.id, [c, b]),
          second.mergeErrors(project.id, [a, c]),
        ]);
        await store.rollUpMerged();
        await second.rollUpMerged();
        assert.ok(answers.every((id) => id === a || id === b));
        assert.deepEqual(await listed(), [a]);
        assert.deepEqual([(await detail(a)).count, (await detail(a)).userCount], [6, 3]);
        assert.deepEqual(
          (await detail(c)).merged?.map(({ id }) => id),
          [b, c],
        );
        await store.unmergeErrors(project.id, a, null);
        assert.deepEqual((await listed()).length, 3);
      }
    });

    it('has a limit', async () => {
      const groups = Array.from({ length: MAX_GROUP }, (_, index) => `g${index}`);
      await journal.apply(groups.map((group) => makeEvent(project, group, { group })));
      const all = await store.listErrors(project.id, { ...EVERYTHING, search: 'in g', limit: 100 }, NOON);
      const rest = await store.listErrors(
        project.id,
        { ...EVERYTHING, search: 'in g', limit: 100, cursor: all.next },
        NOON,
      );
      const ids = [...all.items, ...rest.items].map(({ id }) => id);
      assert.equal(ids.length, MAX_GROUP);
      await assert.rejects(store.mergeErrors(project.id, [a, ...ids]), { code: 'bad_request' });
      assert.notEqual(await store.mergeErrors(project.id, ids), null);
      await assert.rejects(store.mergeErrors(project.id, [a, ids[0]!]), { code: 'bad_request' });
      assert.equal((await listed()).length, 4);
    });

    it('survives pruning, and is removed with the project', async () => {
      await store.mergeErrors(project.id, [a, b]);
      const limits = { receivedBefore: NOON + DAY, maxEventsPerError: 2, keysReceivedBefore: NOON + DAY };
      while (!(await store.prune({ ...limits, hoursBefore: 0, outcomesBefore: 0 })).done);
      assert.equal(await store.rollUpMerged(), 0);
      assert.deepEqual([(await detail(a)).count, (await detail(a)).userCount], [5, 3]);
      assert.deepEqual((await store.listEvents(project.id, a, 10, null))?.items, []);
      assert.equal(await store.latestEvent(project.id, b), null);
      await store.deleteProject(project.id);
      assert.equal(await store.rollUpMerged(), 0);
      assert.equal(await store.errorById(project.id, a, NOON), null);
      assert.deepEqual(await listed(), []);
    });
  });
}
