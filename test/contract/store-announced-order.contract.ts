import assert from 'node:assert/strict';
import { errorOf, HOUR, makeEvent, makeProject, NOON, TestJournal } from '../support/store-data.ts';
import type { StatusDetails } from '../../src/domain/errors/error-state.ts';
import type { StoreHarness } from '../support/store-harness.ts';

/** Order of releases that builds announced, by which resolved errors are reopened. docs/adr/0015 has the rules. */
export function announcedOrderContract(harness: () => StoreHarness): void {
  async function setUp() {
    const { store } = harness();
    const project = await makeProject(store);
    const journal = new TestJournal(store);
    let serial = 0;
    const happen = async (group: string, at: number, { release }: { release: string }) => {
      serial += 1;
      const events = [makeEvent(project, `${group} ${serial}`, { group, at, release })];
      await journal.apply(events);
      assert.equal((await journal.replay(events)).kind, 'already_applied');
    };
    const resolve = async (id: string, details: StatusDetails, now = NOON) =>
      assert.equal(await store.setErrorStatus(project.id, id, 'resolved', now, { details }), true);
    const shown = async (id: string) => {
      const error = await store.errorById(project.id, id, NOON);
      assert.ok(error !== null);
      return error;
    };
    const status = async (id: string) => (await shown(id)).status;
    const newError = async (group: string, at: number, of: { release: string }) => {
      await happen(group, at, of);
      return (await errorOf(store, project, group)).id;
    };
    return { store, project, happen, resolve, shown, status, newError };
  }

  it('orders releases that are no versions by the times that builds told, where they told them', async () => {
    const { store, project, happen, resolve, status, newError } = await setUp();
    const id = await newError('a', NOON - HOUR, { release: 'alder' });
    await store.saveBuildRelease(project.id, 'beech', {}, NOON - 2 * HOUR);
    await resolve(id, { inRelease: 'alder' });
    await happen('a', NOON + 1, { release: 'beech' });
    assert.equal(await status(id), 'resolved', 'it was announced before the other one was seen');
    await store.saveBuildRelease(project.id, 'beech', { releasedAt: NOON + HOUR }, NOON + HOUR);
    await happen('a', NOON + 2 * HOUR, { release: 'beech' });
    assert.equal(await status(id), 'unresolved', 'it was finished after it');
    await resolve(id, { inRelease: 'cedar' }, NOON + 3 * HOUR);
    await store.saveBuildRelease(project.id, 'cedar', {}, NOON + 4 * HOUR);
    await happen('a', NOON + 5 * HOUR, { release: 'beech' });
    assert.equal(await status(id), 'resolved');
    await happen('a', NOON + 6 * HOUR, { release: 'aspen' });
    assert.equal(await status(id), 'unresolved');
  });

  it('orders the neighbours of a release by these times', async () => {
    const { store, project, newError } = await setUp();
    for (const [index, release] of ['alder', 'beech', 'cedar'].entries()) {
      await newError(release, NOON - HOUR + index, { release });
    }
    const around = async (release: string) => {
      const found = await store.releaseByName(project.id, release, null, NOON);
      return [found?.previous, found?.next];
    };
    assert.deepEqual(await around('beech'), ['alder', 'cedar']);
    await store.saveBuildRelease(project.id, 'alder', { releasedAt: NOON }, NOON - 2 * HOUR);
    assert.deepEqual([await around('beech'), await around('alder')], [[null, 'cedar'], ['cedar', null]]); // prettier-ignore
    await store.saveBuildRelease(project.id, 'cedar', {}, NOON - 3 * HOUR);
    assert.deepEqual([await around('cedar'), await around('beech')], [[null, 'beech'], ['cedar', 'alder']]); // prettier-ignore
  });

  it('in the next release waits for one after a release that a build announced, also without events', async () => {
    const { store, project, happen, resolve, shown, status, newError } = await setUp();
    const id = await newError('a', NOON - HOUR, { release: 'c0ffee' });
    await store.saveBuildRelease(project.id, 'bada55', { releasedAt: NOON - 60_000 }, NOON - 2 * HOUR);
    await resolve(id, { inNextRelease: true });
    assert.deepEqual((await shown(id)).statusDetails, { inNextRelease: true, afterRelease: 'bada55' });
    await happen('a', NOON + 1, { release: 'bada55' });
    assert.equal(await status(id), 'resolved');
    await happen('a', NOON + 2, { release: 'facade' });
    assert.equal(await status(id), 'unresolved');
  });

  it('has the newest release by version also among those that builds announced', async () => {
    const { store, project, happen, resolve, shown, newError } = await setUp();
    await store.saveBuildRelease(project.id, '1.11', {}, NOON - 2 * HOUR);
    const id = await newError('a', NOON - HOUR, { release: '1.10' });
    await resolve(id, { inRelease: 'latest' });
    assert.deepEqual((await shown(id)).statusDetails, { inRelease: '1.11' });
    await happen('b', NOON - HOUR + 1, { release: '1.12' });
    const other = await newError('c', NOON - HOUR, { release: '1.9' });
    await resolve(other, { inNextRelease: true });
    assert.deepEqual((await shown(other)).statusDetails, { inNextRelease: true, afterRelease: '1.12' });
  });

  it('finds the releases that contain a commit, or were built of it, the first one by these times first', async () => {
    const { store } = harness();
    const [{ id }, other] = [await makeProject(store), await makeProject(store)];
    const put = async (release: string, ...names: string[]) => {
      const rest = { repository: null, authorName: null, authorEmail: null, message: null, at: null, files: [] };
      await store.putCommits(
        id,
        release,
        names.map((commit) => ({ ...rest, commit })),
      );
    };
    const whole = 'F00DBABE0123456789F00DBABE0123456789F00D';
    const ref = { repository: 'acme/shop', commit: whole.toLowerCase(), previousCommit: null };
    await store.saveBuildRelease(id, 'late', {}, 3000);
    await store.saveBuildRelease(id, 'built', { refs: [ref] }, 2000);
    await store.saveBuildRelease(id, 'early', { releasedAt: 2500 }, 1000);
    await put('late', 'c0ffee1', whole);
    await put('early', whole.slice(0, 9), 'f00dbab1');
    await put('of events', whole);
    const found = (commit: string) => store.releasesWithCommit(id, commit);
    assert.deepEqual(await found(whole), ['built', 'early', 'late', 'of events']);
    assert.deepEqual(await found(` ${whole.slice(0, 7)} `), ['built', 'early', 'late', 'of events']);
    assert.deepEqual(await found('f00dbab1'), ['early']);
    for (const none of ['f00dba', 'f00dbab2', 'feature/cart', '']) assert.deepEqual(await found(none), [], none);
    assert.deepEqual(await store.releasesWithCommit(other.id, whole), []);
    await put('late', 'c0ffee1');
    await store.removeBuildRelease(id, 'built');
    assert.deepEqual(await found(whole), ['early', 'of events']);
  });
}
