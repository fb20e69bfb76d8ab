import assert from 'node:assert/strict';
import type { Project } from '../../../src/domain/projects/project.ts';
import { startApp, type RunningApp } from '../../support/app.ts';
import { bulkActions } from '../../support/bulk-actions.ts';
import { givenEvents, givenMember, givenTrackedProject, type Person } from '../../support/factories.ts';
import { describeOnStores } from '../../support/test-stores.ts';

const HOUR = 3_600_000;

const IN_NEXT = { status_details: { inNextRelease: true } };
const IN_LATEST = { status_details: { inRelease: 'latest' } };
const NEXT = { inNextRelease: true, afterRelease: 'app@1.0' };

describeOnStores('taking back bulk actions over REST', (kind) => {
  let app: RunningApp;
  let project: Project;
  let developer: Person;
  let maintainer: Person;
  let base: string;

  before(async () => {
    app = await startApp(kind);
  });
  after(() => app.close());
  beforeEach(async () => {
    project = await givenTrackedProject(app.store);
    developer = await givenMember(app.store, project, 'developer');
    maintainer = await givenMember(app.store, project, 'maintainer');
    base = `/api/v4/projects/${project.id}/error_tracking`;
  });

  const { seed, done, listed, idsOf, states } = bulkActions(() => ({ app, project, developer, base }));

  it('takes back only what is still as the action set it', async () => {
    await seed(4);
    const ids = (await idsOf('e0', 'e1', 'e2', 'e3')).sort((a, b) => Number(a) - Number(b));
    const [first = '', second = '', third = '', gone = ''] = ids;
    const put = (body: object) => app.ask('PUT', `${base}/errors/${first}`, { token: maintainer.token, body });
    const resolved = await done({ ids, action: 'status', status: 'resolved' });
    await put({ status: 'ignored' });
    await done({ ids: [gone], action: 'delete' }, maintainer);
    await app.ask('POST', `${base}/errors/${second}/merge`, { token: maintainer.token, body: { ids: [third] } });
    const undone = await done({ action: 'restore', restore: resolved.previous });
    assert.deepEqual(
      [undone.changed, undone.skipped, undone.gone, undone.unchanged, undone.failed],
      [1, [first], [gone], 1, []],
    );
    const stateOf = async (id: string) => (await listed()).find((error) => error.id === id);
    assert.equal((await stateOf(first))?.status, 'ignored');
    assert.equal((await stateOf(second))?.status, 'unresolved');
    assert.ok(
      (await listed('for_review=true')).every(({ id }) => id !== first),
      'nor asks it for a review',
    );

    const assigned = await done({ ids: [first, second], action: 'assignee', user_id: developer.user.id });
    assert.deepEqual(assigned.previous[0].now, { assignee: developer.user.id });
    await done({ ids: [first], action: 'assignee', user_id: maintainer.user.id }, maintainer);
    const unassigned = await done({ action: 'restore', restore: assigned.previous });
    assert.deepEqual([unassigned.changed, unassigned.skipped, unassigned.unchanged], [1, [first], 0]);
    assert.equal((await stateOf(first))?.assignee?.id, maintainer.user.id);
    assert.equal((await stateOf(second))?.assignee, null);

    // Requests of former pages have no `now`.
    const former = assigned.previous.map(({ now: _now, ...state }: { now: object }) => state);
    const all = await done({ action: 'restore', restore: former });
    assert.deepEqual([all.skipped, (await stateOf(first))?.assignee], [[], null]);
  });

  it('compares the details of the status too, when it takes back', async () => {
    await seed(3);
    const ids = (await idsOf('e0', 'e1', 'e2')).sort((a, b) => Number(a) - Number(b));
    const [first = '', second = '', third = ''] = ids;
    const put = (id: string, body: object) => app.ask('PUT', `${base}/errors/${id}`, { token: maintainer.token, body });
    const details = async () => (await states()) as Record<string, [string, object, number | null]>;
    const ignored = await done({ ids, action: 'status', status: 'ignored', status_details: { ignoreDuration: 60 } });
    await put(second, { status: 'ignored', status_details: { ignoreCount: 5 } });
    await put(third, { status: 'ignored' });
    const undone = await done({ action: 'restore', restore: ignored.previous });
    assert.deepEqual([undone.changed, undone.skipped.sort()], [1, [second, third]]);
    assert.deepEqual(await details(), {
      e0: ['unresolved', {}, null],
      e1: ['ignored', { ignoreCount: 5 }, null],
      e2: ['ignored', {}, null],
    });

    const next = await done({ ids: [first, third], action: 'status', status: 'resolved', ...IN_NEXT });
    assert.deepEqual(next.previous[0].now, { status: 'resolved', status_details: NEXT });
    const latest = await done({ ids: [first], action: 'status', status: 'resolved', ...IN_LATEST });
    const skipped = await done({ action: 'restore', restore: next.previous });
    assert.deepEqual([skipped.changed, skipped.skipped], [1, [first]]);
    assert.deepEqual((await details()).e0, ['resolved', { inRelease: 'app@1.0' }, null]);
    await givenEvents(app.store, project, [
      { at: app.clock.at, group: 'new', title: 'new', event: { release: 'app@2.0' } },
    ]);
    await done({ action: 'restore', restore: latest.previous });
    assert.deepEqual((await details()).e0, ['resolved', NEXT, null], 'in the release after the one of then');
  });

  it('takes a condition back with what had counted for it', async () => {
    await seed(3);
    const [single = '', root = '', member = ''] = (await idsOf('e0', 'e1', 'e2')).sort((a, b) => Number(a) - Number(b));
    await app.ask('POST', `${base}/errors/${root}/merge`, { token: developer.token, body: { ids: [member] } });
    let at = app.clock.at;
    const happens = (...groups: string[]) =>
      givenEvents(
        app.store,
        project,
        groups.map((group) => ({ at: (at += 1), group, title: group })),
      );
    const stateOf = async (id: string) => (await app.get(`${base}/errors/${id}`, developer.token)).json().status;
    const ids = [single, root];
    await done({ ids, action: 'status', status: 'ignored', status_details: { ignoreCount: 5 } });
    await happens('g0', 'g0', 'g1', 'g2');
    for (const change of [
      { status: 'resolved' },
      { status: 'unresolved' },
      { status: 'ignored' },
      { status: 'ignored', status_details: { ignoreCount: 5 } },
    ]) {
      const result = await done({ ids, action: 'status', ...change });
      assert.deepEqual(
        result.previous.map(({ counted }: { counted: object }) => counted),
        [ids.map(() => ({ events: 2, users: 0 }))],
      );
      const undone = await done({ action: 'restore', restore: result.previous });
      assert.equal(undone.changed, 2, JSON.stringify(change));
    }
    // Events between an action and its undo count too.
    const reopened = await done({ ids, action: 'status', status: 'unresolved' });
    await happens('g0', 'g2');
    await done({ action: 'restore', restore: reopened.previous });
    for (const status of ['ignored', 'unresolved']) {
      await happens('g0', 'g1');
      await app.store.rollUpMerged();
      assert.deepEqual([await stateOf(single), await stateOf(root)], [status, status]);
    }
  });

  it('brings all marks back', async () => {
    await seed(2);
    const ids = await idsOf('e0', 'e1');
    await done({ ids: ids.slice(0, 1), action: 'status', status: 'resolved' });
    await givenEvents(app.store, project, [{ at: app.clock.at + HOUR, group: 'g0', title: 'e0' }]);
    await givenEvents(app.store, project, [{ at: app.clock.at + HOUR, group: 'g1', title: 'e1' }]);
    const marks = async () => {
      const of = async (id: string) => (await app.get(`${base}/errors/${id}`, developer.token)).json().marks;
      return Promise.all(ids.map(of));
    };
    const before = await marks();
    assert.equal(before.filter(({ regressed }) => regressed !== null).length, 1);
    assert.ok(before.every(({ for_review: asks }) => asks));
    for (const change of [
      { action: 'status', status: 'resolved' },
      { action: 'status', status: 'ignored', status_details: { ignoreCount: 9 } },
      { action: 'assignee', user_id: developer.user.id },
      { action: 'reviewed', reviewed: true },
    ]) {
      const result = await done({ ids, ...change });
      assert.notDeepEqual(await marks(), before, JSON.stringify(change));
      await done({ action: 'restore', restore: result.previous });
      assert.deepEqual(await marks(), before, JSON.stringify(change));
    }
  });

  it('shows a merge of three as one activity', async () => {
    await seed(3);
    const [root = '', ...others] = (await idsOf('e0', 'e1', 'e2')).sort((a, b) => Number(a) - Number(b));
    await app.ask('POST', `${base}/errors/${root}/merge`, { token: developer.token, body: { ids: others } });
    const activity = (await app.get(`${base}/errors/${root}/activity`, developer.token)).json();
    const merges = activity.filter(({ kind }: { kind: string }) => kind === 'merged');
    assert.deepEqual(
      merges.map((entry: { error_ids: string[] }) => entry.error_ids),
      [others],
    );
  });
});
