import assert from 'node:assert/strict';
import type { StatusChange } from '../../src/domain/errors/error-state.ts';
import type { Project } from '../../src/domain/projects/project.ts';
import type { ErrorStatus } from '../../src/domain/errors/error-status.ts';
import { DAY, errorOf, HOUR, listAll, makeEvent, makeProject, NOON, TestJournal } from '../support/store-data.ts';
import { KEEP, pruneAll } from '../support/prune-all.ts';
import type { StoreHarness } from '../support/store-harness.ts';

/** Conditions of a status: each ends it once, whatever is replayed. docs/adr/0015 has the rules. */
export function statesContract(harness: () => StoreHarness): void {
  async function setUp(path?: string) {
    const { store } = harness();
    const project: Project = await makeProject(store, path);
    const journal = new TestJournal(store);
    let serial = 0;
    const happen = async (group: string, at: number, more: Parameters<typeof makeEvent>[2] = {}) => {
      serial += 1;
      const events = [makeEvent(project, `${group} ${serial}`, { group, at, ...more })];
      await journal.apply(events);
      assert.equal((await journal.replay(events)).kind, 'already_applied');
    };
    const set = async (id: string, status: ErrorStatus, change?: StatusChange, now = NOON) =>
      assert.equal(await store.setErrorStatus(project.id, id, status, now, change), true);
    const shown = async (id: string) => {
      const error = await store.errorById(project.id, id, NOON);
      assert.ok(error !== null);
      return error;
    };
    const status = async (id: string) => (await shown(id)).status;
    // Merging is recorded by the clock of the store.
    const kinds = async (id: string) =>
      (await store.listActivity(project.id, id))?.map(({ kind }) => kind).filter((kind) => kind !== 'merged');
    const newError = async (group: string, at = NOON - HOUR, more = {}) => {
      await happen(group, at, more);
      return (await errorOf(store, project, group)).id;
    };
    return { store, project, journal, happen, set, shown, status, kinds, newError };
  }

  describe('a resolved error', () => {
    it('is not reopened by late copies of old events, and records what reopened it', async () => {
      const { store, project, happen, set, status, newError } = await setUp();
      const id = await newError('a');
      await set(id, 'resolved');
      await happen('a', NOON - 2 * HOUR, { receivedAt: NOON + HOUR });
      await happen('a', NOON - 1001, { receivedAt: NOON + HOUR });
      assert.equal(await status(id), 'resolved');
      await happen('a', NOON + 1, { receivedAt: NOON + HOUR, release: '2.0' });
      assert.equal(await status(id), 'unresolved');
      const [last, first] = (await store.listActivity(project.id, id)) ?? [];
      assert.deepEqual([last?.kind, last?.details.release, first?.kind], ['regressed', '2.0', 'resolved']);
    });

    it('in a release stays so for events of this and older releases, and of none', async () => {
      const { happen, set, shown, status, kinds, newError } = await setUp();
      const id = await newError('a', NOON - HOUR, { release: 'shop@1.9.0' });
      await set(id, 'resolved', { details: { inRelease: 'shop@1.10.0' } });
      assert.deepEqual((await shown(id)).statusDetails, { inRelease: 'shop@1.10.0' });
      for (const release of ['shop@1.10.0', 'shop@1.9.9', 'shop@1.10.0-rc.2', null]) {
        await happen('a', NOON + HOUR, { release });
        assert.equal(await status(id), 'resolved', String(release));
      }
      // A newer release, but an old event of it.
      await happen('a', NOON - HOUR, { release: 'shop@1.11.0', receivedAt: NOON + HOUR });
      assert.equal(await status(id), 'resolved');
      await happen('a', NOON + HOUR, { release: 'shop@1.11.0' });
      assert.equal(await status(id), 'unresolved');
      assert.equal((await shown(id)).statusDetails, null);
      assert.deepEqual(await kinds(id), ['regressed', 'resolved']);
    });

    it('orders releases that are no versions by the time they were first seen', async () => {
      const { happen, set, status, newError } = await setUp();
      await happen('other', NOON - 3 * HOUR, { release: 'beech' });
      await happen('other', NOON - 2 * HOUR, { release: 'alder' });
      const id = await newError('a', NOON - HOUR, { release: 'alder' });
      await set(id, 'resolved', { details: { inRelease: 'alder' } });
      await happen('a', NOON + 1, { release: 'beech' });
      assert.equal(await status(id), 'resolved');
      await happen('a', NOON + 2, { release: 'aspen' });
      assert.equal(await status(id), 'unresolved');
    });

    it('in the next release is reopened by a release that came after the newest one', async () => {
      const { happen, set, shown, status, newError } = await setUp();
      const id = await newError('a', NOON - HOUR, { release: '1.10' });
      await happen('b', NOON - HOUR + 1, { release: '1.9' });
      await set(id, 'resolved', { details: { inNextRelease: true } });
      assert.deepEqual((await shown(id)).statusDetails, { inNextRelease: true, afterRelease: '1.10' });
      await happen('a', NOON + 1, { release: '1.10' });
      assert.equal(await status(id), 'resolved');
      await happen('a', NOON + 1, { release: '1.11' });
      assert.equal(await status(id), 'unresolved');
    });

    it('in the next release is reopened by a later one also when retention removed the newest one of then', async () => {
      const { store, happen, set, status, newError } = await setUp();
      const id = await newError('a', NOON - HOUR, { release: 'c0ffee' });
      await set(id, 'resolved', { details: { inNextRelease: true } });
      await pruneAll(store, { ...KEEP, sessions: { startedBefore: NOON, seenBefore: NOON } });
      await happen('a', NOON + 1, { release: 'bada55' });
      assert.equal(await status(id), 'unresolved');
    });

    it('in a release that the store does not have is reopened by one first seen after it, a month later', async () => {
      const { store, happen, set, status, newError } = await setUp();
      const month = 30 * 24 * HOUR;
      await happen('other', NOON - 2 * HOUR, { release: 'alder' });
      const id = await newError('a', NOON - HOUR, { release: 'beech' });
      await set(id, 'resolved', { details: { inRelease: 'beech' } });
      await pruneAll(store, { ...KEEP, sessions: { startedBefore: NOON, seenBefore: NOON } });
      await happen('other', NOON - HOUR, { release: 'alder' });
      // Until then it may be a release that is still to come.
      await happen('a', NOON + month, { release: 'cedar' });
      assert.equal(await status(id), 'resolved');
      await happen('a', NOON + month + HOUR, { release: 'alder' });
      assert.equal(await status(id), 'resolved');
      await happen('a', NOON + month + 2 * HOUR, { release: 'cedar' });
      assert.equal(await status(id), 'unresolved');
    });

    it('takes the newest release by its name, and refuses it where there is none', async () => {
      const { store, project, set, shown, newError } = await setUp();
      const id = await newError('a', NOON - HOUR);
      const latest = { details: { inRelease: 'latest' } };
      await assert.rejects(store.setErrorStatus(project.id, id, 'resolved', NOON, latest), { code: 'bad_request' });
      const other = await newError('b', NOON - HOUR, { release: '3.1' });
      await set(other, 'resolved', latest);
      assert.deepEqual((await shown(other)).statusDetails, { inRelease: '3.1' });
    });

    it('with a commit is reopened by any later event', async () => {
      const { happen, set, status, newError } = await setUp();
      const id = await newError('a');
      await set(id, 'resolved', { details: { inCommit: { commit: 'abc', repository: 'shop' } } });
      await happen('a', NOON + 1);
      assert.equal(await status(id), 'unresolved');
    });
  });

  describe('an ignored error', () => {
    it('is unresolved after so many more events, once', async () => {
      const { store, project, happen, set, shown, status, newError } = await setUp();
      const id = await newError('a');
      await set(id, 'ignored', { details: { ignoreCount: 2 } });
      await happen('a', NOON + 1);
      assert.equal(await status(id), 'ignored');
      await happen('a', NOON + 2);
      assert.equal(await status(id), 'unresolved');
      assert.equal((await shown(id)).statusDetails, null);
      const [entry, before] = (await store.listActivity(project.id, id)) ?? [];
      assert.deepEqual([entry?.kind, entry?.details], ['unmuted', { reason: 'events', status: { ignoreCount: 2 } }]);
      assert.deepEqual([before?.kind, before?.details], ['ignored', { status: { ignoreCount: 2 } }]);
      await set(id, 'ignored');
      for (let at = 3; at < 8; at += 1) await happen('a', NOON + at);
      assert.equal(await status(id), 'ignored');
    });

    it('counts a batch of several events as what it is, and begins to count when it is ignored', async () => {
      const { project, journal, set, status, newError } = await setUp();
      const id = await newError('a');
      const events = (name: string) => [1, 2, 3].map((each) => makeEvent(project, `${name} ${each}`, { group: 'a' }));
      await journal.apply(events('before'));
      await set(id, 'ignored', { details: { ignoreCount: 4 } });
      await journal.apply(events('one'));
      assert.equal(await status(id), 'ignored');
      await journal.apply(events('one'));
      assert.equal(await status(id), 'ignored');
      await journal.apply(events('two'));
      assert.equal(await status(id), 'unresolved');
    });

    it('is unresolved after so many more users', async () => {
      const { store, project, happen, set, status, newError } = await setUp();
      const id = await newError('a', NOON - HOUR, { user: 'ada' });
      await set(id, 'ignored', { details: { ignoreUserCount: 2 } });
      for (const user of ['ada', 'ada', 'bob', 'bob', null]) await happen('a', NOON, { user });
      assert.equal(await status(id), 'ignored');
      await happen('a', NOON, { user: 'eve' });
      assert.equal(await status(id), 'unresolved');
      assert.equal((await store.listActivity(project.id, id))?.[0]?.details.reason, 'users');
    });

    it('is unresolved after its time, once, also when several look at the same time', async () => {
      const { store, project, set, status, kinds, newError } = await setUp();
      const [id, other] = [await newError('a'), await newError('b')];
      await set(id, 'ignored', { details: { ignoreUntil: NOON + DAY, ignoreCount: 100 } });
      await set(other, 'ignored', { details: { ignoreUntil: NOON + 2 * DAY } });
      await store.endMutes(NOON + DAY - 1);
      assert.equal(await status(id), 'ignored');
      await Promise.all([store.endMutes(NOON + DAY), store.endMutes(NOON + DAY)]);
      assert.deepEqual([await status(id), await status(other)], ['unresolved', 'ignored']);
      assert.deepEqual(await kinds(id), ['unmuted', 'ignored']);
      const [entry] = (await store.listActivity(project.id, id)) ?? [];
      assert.deepEqual([entry?.details.reason, entry?.at], ['until', NOON + DAY]);
      await set(other, 'unresolved');
      await store.endMutes(NOON + 3 * DAY);
      assert.deepEqual(await kinds(other), ['unresolved', 'ignored']);
    });
  });

  describe('a merged error with a condition', () => {
    it('counts the events of all members since it was ignored, also of later ones', async () => {
      const { store, project, happen, set, status, kinds, newError } = await setUp();
      const [a, b, c] = [await newError('a'), await newError('b'), await newError('c')];
      await store.mergeErrors(project.id, [a, b]);
      await set(a, 'ignored', { details: { ignoreCount: 3 } });
      await happen('c', NOON);
      await happen('c', NOON);
      await store.mergeErrors(project.id, [a, c]);
      await happen('a', NOON + 1);
      await happen('b', NOON + 1);
      await store.rollUpMerged();
      assert.equal(await status(a), 'ignored');
      await happen('c', NOON + 2);
      await store.rollUpMerged();
      await store.rollUpMerged();
      assert.equal(await status(a), 'unresolved');
      assert.deepEqual(await kinds(a), ['unmuted', 'ignored']);
    });

    it('counts the events of a member also when its own status ends meanwhile', async () => {
      const { store, project, happen, set, status, newError } = await setUp();
      const [a, b, c] = [await newError('a'), await newError('b'), await newError('c')];
      await set(a, 'ignored', { details: { ignoreCount: 4 } });
      await set(b, 'resolved');
      await set(c, 'ignored', { details: { ignoreUntil: NOON + HOUR } });
      await store.mergeErrors(project.id, [a, b, c]);
      await happen('b', NOON + 1);
      await happen('c', NOON + 1);
      await store.rollUpMerged();
      await store.endMutes(NOON + HOUR);
      await happen('c', NOON + 2);
      await store.rollUpMerged();
      assert.equal(await status(a), 'ignored');
      await happen('b', NOON + 2);
      await store.rollUpMerged();
      assert.equal(await status(a), 'unresolved');
    });

    it('counts the events of a member from its merge on, also of one that had such a condition above it', async () => {
      const { store, project, happen, set, status, newError } = await setUp();
      const [a, b, c] = [await newError('a'), await newError('b'), await newError('c')];
      const twice = { details: { ignoreCount: 2 } };
      await set(a, 'ignored', twice);
      await store.mergeErrors(project.id, [b, c]);
      await set(b, 'ignored', twice);
      await happen('c', NOON + 1);
      await store.mergeErrors(project.id, [a, b]);
      await happen('c', NOON + 2);
      await store.rollUpMerged();
      assert.equal(await status(a), 'ignored');
      await happen('c', NOON + 3);
      await store.rollUpMerged();
      assert.equal(await status(a), 'unresolved');
    });

    it('is reopened by a newer release of any member, and by nothing older', async () => {
      const { store, project, happen, set, status, kinds, newError } = await setUp();
      const [a, b] = [await newError('a'), await newError('b')];
      await set(a, 'resolved', { details: { inRelease: '2.0.0' } });
      await store.mergeErrors(project.id, [a, b]);
      await happen('b', NOON + 1, { release: '2.0.0' });
      await store.rollUpMerged();
      assert.equal(await status(a), 'resolved');
      await happen('b', NOON + 2, { release: '2.0.1' });
      await store.rollUpMerged();
      assert.equal(await status(a), 'unresolved');
      assert.deepEqual(await kinds(a), ['regressed', 'resolved']);
    });

    it('ends by its time for all members, recorded once', async () => {
      const { store, project, set, status, kinds, newError } = await setUp();
      const [a, b] = [await newError('a'), await newError('b')];
      await store.mergeErrors(project.id, [a, b]);
      await set(b, 'ignored', { details: { ignoreUntil: NOON + HOUR } });
      await store.endMutes(NOON + HOUR);
      assert.equal(await status(a), 'unresolved');
      assert.deepEqual(await kinds(a), ['unmuted', 'ignored']);
      await store.unmergeErrors(project.id, a, null);
      assert.equal(await status(b), 'unresolved');
    });
  });

  it('lists conditions with the errors', async () => {
    const { store, project, set, newError } = await setUp();
    const id = await newError('a');
    await set(id, 'ignored', { details: { ignoreUntil: NOON + DAY } });
    const [listed] = await listAll(store, project);
    assert.deepEqual(listed?.statusDetails, { ignoreUntil: NOON + DAY });
  });
}
