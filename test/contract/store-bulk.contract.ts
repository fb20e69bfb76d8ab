import assert from 'node:assert/strict';
import type { ErrorSelection } from '../../src/domain/search/error-query.ts';
import { isAppErrorWith } from '../support/app-error-code.ts';
import {
  errorOf,
  EVERYTHING,
  HOUR,
  listAll,
  makeEvent,
  makeProject,
  NOON,
  TestJournal,
} from '../support/store-data.ts';
import type { StoreHarness } from '../support/store-harness.ts';

const NOTHING_SET: ErrorSelection = {
  ...{ status: 'all', search: null, environment: null, release: null, level: null },
};

/** Changes of many errors at once, and what of them is taken back. */
export function bulkContract(harness: () => StoreHarness): void {
  async function setUp() {
    const { store } = harness();
    const project = await makeProject(store);
    const journal = new TestJournal(store);
    const user = await store.createUser({
      ...{ username: `bulk${project.id}`, name: 'Bulk', admin: false, email: null, passwordHash: 'x' },
    });
    await store.setMember(project.id, user.id, 30);
    const begin = async (group: string) => {
      await journal.apply([makeEvent(project, group, { group, at: NOON - HOUR })]);
      return (await errorOf(store, project, group)).id;
    };
    return { store, project, user, begin };
  }

  it('name all that match, by number', async () => {
    const { store, project, begin } = await setUp();
    const ids = [];
    for (const group of ['a', 'b', 'c', 'd']) ids.push(await begin(group));
    const [a, b, c, d] = ids as [string, string, string, string];
    await store.mergeErrors(project.id, [b, c]);
    await store.setErrorStatus(project.id, d, 'ignored', NOON, { details: { ignoreCount: 5 } });
    const named = async (selection: Partial<ErrorSelection>, after = 0, limit = 10) =>
      (await store.matchingErrors(project.id, { ...NOTHING_SET, ...selection }, after, limit, NOON)).map(
        ({ errorId }) => errorId,
      );
    assert.deepEqual(await named({}), [a, b, d]);
    assert.deepEqual(await named({}, 0, 2), [a, b]);
    assert.deepEqual(await named({}, Number(b)), [d]);
    assert.deepEqual(await named({ status: 'unresolved', forReview: true }), [a, b]);
    assert.deepEqual(await store.matchingErrors(project.id, { ...NOTHING_SET, status: 'ignored' }, 0, 10, NOON), [
      { errorId: d, status: 'ignored', details: { ignoreCount: 5 }, assigneeId: null, forReview: false },
    ]);
  });

  it('assign many to a member, and say what was before', async () => {
    const { store, project, user, begin } = await setUp();
    const [a, b, c] = [await begin('a'), await begin('b'), await begin('c')];
    await store.mergeErrors(project.id, [b, c]);
    await assert.rejects(store.setAssignees(project.id, [a], 999_999, user.id, NOON), isAppErrorWith('bad_request'));
    const before = { status: 'unresolved', details: null, skipped: false } as const;
    assert.deepEqual(await store.setAssignees(project.id, [a, c, '999999'], user.id, user.id, NOON), [
      { errorId: a, ...before, assigneeId: null, forReview: true },
      { errorId: b, ...before, assigneeId: null, forReview: true },
    ]);
    assert.deepEqual(await store.setAssignees(project.id, [b], null, user.id, NOON), [
      { errorId: b, ...before, assigneeId: user.id, forReview: false },
    ]);
    const assignees = (await listAll(store, project)).map(({ id, assignee }) => [id, assignee?.id ?? null]);
    assert.deepEqual(
      new Map(assignees as [string, number | null][]),
      new Map([
        [b, null],
        [a, user.id],
      ]),
    );
  });

  it('set the status of many, and say what it was', async () => {
    const { store, project, user, begin } = await setUp();
    const ids = [];
    for (const group of ['a', 'b', 'c', 'd']) ids.push(await begin(group));
    const [a, b, c, d] = ids as [string, string, string, string];
    await store.mergeErrors(project.id, [b, c]);
    await store.setErrorStatus(project.id, d, 'resolved', NOON);
    await store.setAssignee(project.id, a, user.id, user.id, NOON);
    const log = async (id: string) => (await store.listActivity(project.id, id))?.length;
    const before = await log(d);
    const none = { details: null, set: null, counted: null, skipped: false } as const;
    assert.deepEqual(
      await store.setErrorStatuses(project.id, [a, c, b, d, '999999'], 'resolved', NOON, { userId: user.id }),
      [
        { errorId: a, status: 'unresolved', ...none, assigneeId: user.id, forReview: false },
        { errorId: b, status: 'unresolved', ...none, assigneeId: null, forReview: true },
        { errorId: d, status: 'resolved', ...none, assigneeId: null, forReview: false },
      ],
    );
    assert.equal(await log(d), before, 'what is so already is no activity');
    assert.equal((await store.errorById(project.id, a, NOON))?.marks?.forReview, false);
    assert.deepEqual(
      (await listAll(store, project, { ...EVERYTHING, status: 'resolved' })).map(({ id }) => id).sort(),
      [a, b, d].sort(),
    );
    const entries = (await store.listActivity(project.id, b)) ?? [];
    assert.deepEqual(
      entries.filter(({ kind }) => kind === 'resolved').map((entry) => entry.user?.id),
      [user.id],
    );
    await store.unmergeErrors(project.id, b, null);
    assert.equal((await store.errorById(project.id, c, NOON))?.status, 'resolved');
    assert.deepEqual(await store.unknownErrors(project.id, [a, '999999', c, 'x']), ['999999', 'x']);
  });

  it('leave what is no longer as an earlier action set it, in all members', async () => {
    const { store, project, user, begin } = await setUp();
    const [a, b, c] = [await begin('a'), await begin('b'), await begin('c')];
    await store.mergeErrors(project.id, [b, c]);
    const count = { details: { ignoreCount: 5 } } as const;
    await store.setErrorStatuses(project.id, [a, b], 'ignored', NOON, { ...count, userId: user.id });
    await store.setErrorStatus(project.id, a, 'ignored', NOON + 1, { details: { ignoreCount: 6 } });
    const from = { status: 'ignored', details: { ignoreCount: 5 } } as const;
    const restored = await store.setErrorStatuses(project.id, [a, c], 'unresolved', NOON + 2, { from });
    const outcome = (rows: typeof restored) => rows.map(({ errorId, skipped, details }) => [errorId, skipped, details]);
    assert.deepEqual(outcome(restored), [
      [a, true, { ignoreCount: 6 }],
      [b, false, { ignoreCount: 5 }],
    ]);
    const statusOnly = { from: { status: 'ignored' } } as const;
    const loose = await store.setErrorStatuses(project.id, [a, b], 'resolved', NOON + 3, statusOnly);
    assert.deepEqual(outcome(loose), [
      [a, false, { ignoreCount: 6 }],
      [b, true, null],
    ]);
    const assigned = await store.setAssignees(project.id, [a, b], user.id, user.id, NOON + 4, null);
    assert.deepEqual(
      assigned.map(({ skipped }) => skipped),
      [false, false],
    );
    const freed = await store.setAssignees(project.id, [a, b], null, user.id, NOON + 5, null);
    assert.deepEqual(
      freed.map(({ skipped, assigneeId }) => [skipped, assigneeId]),
      [
        [true, user.id],
        [true, user.id],
      ],
    );
    await store.unmergeErrors(project.id, b, null);
    for (const id of [b, c]) {
      const { status, assignee } = (await store.errorById(project.id, id, NOON))!;
      assert.deepEqual([status, assignee?.id], ['unresolved', user.id]);
    }
  });

  it('leave all members of an error alike when another request changes it at the same time', async () => {
    const { store, project, begin } = await setUp();
    const from = { status: 'ignored', details: null } as const;
    for (let round = 0; round < 4; round += 1) {
      const [root, member] = [await begin(`root ${round}`), await begin(`member ${round}`)];
      await store.mergeErrors(project.id, [root, member]);
      await store.setErrorStatuses(project.id, [root], 'ignored', NOON);
      const [[restored]] = await Promise.all([
        store.setErrorStatuses(project.id, [root], 'unresolved', NOON + 1, { from }),
        store.setErrorStatus(project.id, root, 'resolved', NOON + 2),
      ]);
      await store.unmergeErrors(project.id, root, null);
      const statusOf = async (id: string) => (await store.errorById(project.id, id, NOON + 3))?.status;
      assert.deepEqual([await statusOf(root), await statusOf(member)], ['resolved', 'resolved'], `round ${round}`);
      assert.equal(typeof restored?.skipped, 'boolean');
    }
  });
}
