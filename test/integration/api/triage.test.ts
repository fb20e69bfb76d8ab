import assert from 'node:assert/strict';
import type { Project } from '../../../src/domain/projects/project.ts';
import { startApp, type RunningApp } from '../../support/app.ts';
import { givenEvents, givenMember, givenTrackedProject, type Person } from '../../support/factories.ts';
import { describeOnStores } from '../../support/test-stores.ts';

const HOUR = 3600_000;

describeOnStores('states and triage over REST', (kind) => {
  let app: RunningApp;
  let project: Project;
  let developer: Person;
  let reporter: Person;
  let base: string;
  let id: string;

  before(async () => {
    app = await startApp(kind);
  });
  after(() => app.close());
  beforeEach(async () => {
    project = await givenTrackedProject(app.store);
    developer = await givenMember(app.store, project, 'developer');
    reporter = await givenMember(app.store, project, 'reporter');
    base = `/api/v4/projects/${project.id}/error_tracking/errors`;
    await givenEvents(app.store, project, [{ at: app.clock.at - HOUR, group: 'one' }]);
    [{ id }] = (await app.get(base, developer.token)).json() as [{ id: string }];
  });

  const ask = (method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, body?: object, { token } = developer) =>
    app.ask(method, `${base}/${id}${path}`, { token, ...(body === undefined ? {} : { body }) });
  const put = async (body: object) => {
    const answer = await ask('PUT', '', body);
    assert.equal(answer.status, 200, answer.text);
    return answer.json();
  };
  const refused = async (body: object, message: RegExp) => {
    const answer = await ask('PUT', '', body);
    assert.equal(answer.status, 400, answer.text);
    assert.match(answer.json().message ?? answer.json().error, message);
  };

  it('resolves in a release, the next one, or by a commit', async () => {
    const details = async (status_details: object) =>
      (await put({ status: 'resolved', status_details })).status_details;
    assert.deepEqual(await details({ inRelease: '1.5' }), { inRelease: '1.5' });
    assert.deepEqual(await details({ inRelease: 'latest' }), { inRelease: 'app@1.0' });
    assert.deepEqual(await details({ inNextRelease: true }), { inNextRelease: true, afterRelease: 'app@1.0' });
    const inCommit = { commit: 'f00', repository: 'shop' };
    assert.deepEqual(await details({ inCommit }), { inCommit });
    const other = await put({ status: 'resolved', statusDetails: { inRelease: '1.6' } });
    assert.deepEqual(other.status_details, { inRelease: '1.6' });
    const [listed] = (await app.get(`${base}?status=resolved`, developer.token)).json();
    assert.deepEqual(listed.status_details, { inRelease: '1.6' });
    assert.deepEqual((await put({ status: 'unresolved' })).status_details, {});
  });

  it('resolves in the release that names a commit, where one does', async () => {
    const at = app.clock.at - HOUR;
    const releases = ['shop@2.0.0+f00dbabe', 'shop@2.0.1+beefcafe'];
    await givenEvents(
      app.store,
      project,
      releases.map((release, n) => ({ at: at + n, event: { release }, group: `of ${release}` })),
    );
    const inCommit = { commit: 'f00dbabe0123456789abcdef0123456789abcdef', repository: 'group/shop' };
    const { status_details } = await put({ status: 'resolved', status_details: { inCommit } });
    assert.deepEqual(status_details, { inRelease: releases[0], inCommit });
    const [entry] = (await ask('GET', '/activity', undefined, reporter)).json();
    assert.deepEqual([entry.kind, entry.status_details], ['resolved', status_details]);
    // Given together, the release is the one that was asked for.
    const both = { inCommit, inRelease: '9.9' };
    assert.deepEqual((await put({ status: 'resolved', status_details: both })).status_details, both);
    const unknown = { inCommit: { commit: '0123456789', repository: null } };
    assert.deepEqual((await put({ status: 'resolved', status_details: unknown })).status_details, unknown);
    // A later release is looked for by lower case.
    const mixed = { inCommit: { commit: 'AbCdef0123', repository: null } };
    const stored = { inCommit: { commit: 'abcdef0123', repository: null } };
    assert.deepEqual((await put({ status: 'resolved', status_details: mixed })).status_details, stored);
    const short = (await put({ status: 'resolved', status_details: { inCommit: 'AbCdef0123' } })).status_details;
    assert.deepEqual(short, stored);
    const bulk = await app.ask('POST', `${base}/bulk`, {
      token: developer.token,
      body: { ids: [id], action: 'status', status: 'resolved', status_details: { inCommit } },
    });
    assert.equal(bulk.status, 200, bulk.text);
    const now = (await ask('GET', '', undefined, reporter)).json();
    assert.deepEqual(now.status_details, { inRelease: releases[0], inCommit });
  });

  it('ignores until a time, a number of events or of users', async () => {
    const until = new Date(app.clock.at + HOUR).toISOString();
    const given = { ignoreUntil: until, ignoreCount: 100, ignoreUserCount: 5 };
    assert.deepEqual((await put({ status: 'ignored', status_details: given })).status_details, given);
    const { status_details } = await put({ status: 'ignored', status_details: { ignoreDuration: 60 } });
    assert.deepEqual(status_details, { ignoreUntil: until });
    await app.store.endMutes(app.clock.at + HOUR);
    const activity = (await ask('GET', '/activity', undefined, reporter)).json();
    assert.deepEqual(
      activity.map((entry: { kind: string; reason: string | null; user: { id: number } | null }) => [
        entry.kind,
        entry.reason,
        entry.user?.id ?? null,
      ]),
      [
        ['unmuted', 'until', null],
        ['ignored', null, developer.user.id],
        ['ignored', null, developer.user.id],
      ],
    );
    assert.equal((await ask('GET', '')).json().status, 'unresolved');
  });

  it('refuses details that are wrong or do not belong to the status', async () => {
    const resolved = (status_details: unknown) => ({ status: 'resolved', status_details });
    const ignored = (status_details: unknown) => ({ status: 'ignored', status_details });
    await refused(resolved({ ignoreCount: 1 }), /ignoreCount does not belong to resolved/);
    await refused({ status: 'unresolved', status_details: { inRelease: '1' } }, /does not belong to unresolved/);
    await refused(resolved({ inRelease: '1', inNextRelease: true }), /give one of them/);
    await refused(resolved({ inNextRelease: 'yes' }), /inNextRelease is invalid/);
    await refused(resolved({ inRelease: 'x'.repeat(201) }), /inRelease is invalid/);
    await refused(resolved({ inRelease: 7 }), /inRelease is invalid/);
    await refused(resolved({ inCommit: { commit: '' } }), /inCommit.commit is invalid/);
    await refused(resolved([1]), /status_details is invalid/);
    await refused(ignored({ ignoreCount: 0 }), /ignoreCount is invalid/);
    await refused(ignored({ ignoreCount: 1.5 }), /ignoreCount is invalid/);
    await refused(ignored({ ignoreUserCount: -1 }), /ignoreUserCount is invalid/);
    await refused(ignored({ ignoreUntil: '2001-01-01T00:00:00Z' }), /a time in the future/);
    await refused(ignored({ ignoreUntil: 'soon' }), /a time in the future/);
    await refused(ignored({ ignoreCount: 5, ignoreWindow: 10 }), /ignoreWindow does not belong/);
    assert.equal((await ask('GET', '')).json().status, 'unresolved');
  });

  it('assigns an error to a member', async () => {
    const assign = (user_id: unknown) => ask('PUT', '/assignee', { user_id });
    const answer = await assign(reporter.user.id);
    assert.equal(answer.status, 200, answer.text);
    const { username, name } = reporter.user;
    assert.deepEqual(answer.json().assignee, { id: reporter.user.id, username, name });
    assert.equal((await assign(999_999)).status, 400);
    assert.equal((await assign('x')).status, 400);
    assert.equal((await ask('PUT', '/assignee', {})).status, 400);
    assert.equal((await assign(null)).json().assignee, null);
    assert.equal((await ask('PUT', '/assignee', { user_id: null }, reporter)).status, 403);
  });

  it('keeps notes of people, who may delete their own, and maintainers those of others', async () => {
    const other = await givenMember(app.store, project, 'developer');
    const maintainer = await givenMember(app.store, project, 'maintainer');
    const added = await ask('POST', '/notes', { text: '<script>alert(1)</script>' });
    assert.equal(added.status, 201, added.text);
    const note = added.json();
    assert.deepEqual([note.text, note.imported], ['<script>alert(1)</script>', false]);
    assert.equal((await ask('POST', '/notes', { text: 'two' }, other)).status, 201);
    assert.equal((await ask('POST', '/notes', { text: 'no' }, reporter)).status, 403);
    for (const text of ['', '  ', 7, 'x'.repeat(10_001), 'a\0b']) {
      assert.equal((await ask('POST', '/notes', { text })).status, 400, String(text).slice(0, 9));
    }
    const page = await ask('GET', '/notes?per_page=1', undefined, reporter);
    assert.deepEqual([page.json(), page.headers.get('x-total')], [[note], '2']);
    assert.equal((await ask('DELETE', `/notes/${note.id}`, undefined, other)).status, 403);
    assert.equal((await ask('DELETE', `/notes/imported:comment:1`, undefined, maintainer)).status, 403);
    assert.equal((await ask('DELETE', `/notes/${note.id}`)).status, 204);
    assert.equal((await ask('DELETE', `/notes/${note.id}`)).status, 404);
    const [left, ...more] = (await ask('GET', '/notes')).json() as { id: string }[];
    assert.equal(more.length, 0);
    assert.equal((await ask('DELETE', `/notes/${left?.id ?? ''}`)).status, 403);
    assert.equal((await ask('DELETE', `/notes/${left?.id ?? ''}`, undefined, maintainer)).status, 204);
    assert.deepEqual((await ask('GET', '/notes')).json(), []);
    const [removed] = (await ask('GET', '/activity')).json() as { kind: string; user: { id: number } }[];
    assert.deepEqual([removed?.kind, removed?.user.id], ['note_removed', maintainer.user.id]);
  });

  it('answers 404 for unknown errors', async () => {
    for (const path of ['notes', 'activity']) {
      assert.equal((await app.get(`${base}/99999/${path}`, developer.token)).status, 404, path);
    }
    const body = { user_id: null };
    const answer = await app.ask('PUT', `${base}/99999/assignee`, { token: developer.token, body });
    assert.equal(answer.status, 404);
  });
});
