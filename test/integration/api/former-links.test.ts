import assert from 'node:assert/strict';
import { ACCESS_LEVELS } from '../../../src/domain/projects/account.ts';
import type { Project } from '../../../src/domain/projects/project.ts';
import { type RunningApp, startApp } from '../../support/app.ts';
import { givenMember, givenPerson, givenTrackedProject } from '../../support/factories.ts';
import { importIssue, makeIssue, makeSource } from '../../support/import-data.ts';
import { makeEvent, NOON, TestJournal } from '../../support/store-data.ts';
import { describeOnStores } from '../../support/test-stores.ts';

const EVENT = '0123456789abcdef0123456789abcdef';
const UUID = '01234567-89ab-cdef-0123-456789abcdef';
const BUGSINK_ISSUE = '0f1e2d3c-0000-4000-8000-000000000000';

describeOnStores('addresses of former trackers', (kind) => {
  let app: RunningApp;
  let project: Project;
  let token: string;
  let errorId: string;

  before(async () => {
    app = await startApp(kind);
    project = await givenTrackedProject(app.store);
    ({ token } = await givenMember(app.store, project, 'reporter'));
    const source = await makeSource(app.store, project);
    const issue = makeIssue(source, '700001');
    errorId = await importIssue(
      app.store,
      project,
      {
        ...issue,
        externalIds: [
          ...issue.externalIds,
          { kind: 'share_id', value: '0a1b2c3d4e' },
          { kind: 'issue', value: BUGSINK_ISSUE },
        ],
      },
      5,
      ['a'],
    );
    await new TestJournal(app.store).apply([makeEvent(project, 'e', { group: 'a', eventId: EVENT })]);
  });
  after(() => app.close());

  const open = (path: string, as: string | null = token): Promise<Response> =>
    fetch(app.url + path, {
      redirect: 'manual',
      headers: { Accept: 'text/html', ...(as === null ? {} : { 'PRIVATE-TOKEN': as }) },
    });
  const details = () => `/${project.path}/-/error_tracking/${errorId}/details`;

  it('lead to the error, in every form of the four trackers', async () => {
    for (const path of [
      '/organizations/acme/issues/700001/',
      '/organizations/acme/issues/700001',
      '/organizations/acme/issues/700001/?project=5&query=is%3Aunresolved',
      '/organizations/acme/issues/700001/activity/',
      '/organizations/acme/issues/700001/events/latest/',
      '/organizations/acme/issues/?query=SHOP-700001',
      '/organizations/acme/issues/?query=shop-700001&project=5',
      '/organizations/acme/issues/SHOP-700001/',
      '/acme/shop/issues/700001/',
      '/acme/shop/issues/700001',
      '/acme/issues/700001',
      '/issues/700001/',
      '/issues/700001',
      '/share/issue/0a1b2c3d4e/',
      `/issues/issue/${BUGSINK_ISSUE}/event/last/`,
      `/issues/issue/${BUGSINK_ISSUE}/`,
      '/sentry/organizations/acme/issues/700001/',
    ]) {
      const { status, headers } = await open(path);
      // A sub-path that the source does not have is taken for another organization.
      if (path.startsWith('/sentry/')) assert.notEqual(status, 302, path);
      else assert.deepEqual([status, headers.get('location')], [302, details()], path);
    }
  });

  it('lead to the named event where it is stored', async () => {
    for (const path of [
      `/organizations/acme/issues/700001/events/${EVENT}/`,
      `/acme/issues/700001/events/${UUID}`,
      `/issues/issue/${BUGSINK_ISSUE}/event/${UUID}/`,
      `/organizations/acme/projects/shop/events/${EVENT}/`,
      `/acme/shop/events/${EVENT}/`,
    ]) {
      assert.equal((await open(path)).headers.get('location'), `${details()}?event=${EVENT}`, path);
    }
    const unknown = 'f'.repeat(32);
    const known = await open(`/organizations/acme/issues/700001/events/${unknown}/`);
    assert.equal(known.headers.get('location'), details());
    assert.notEqual((await open(`/acme/shop/events/${unknown}/`)).status, 302);
  });

  it('get the page where there is no session, no error, no access or another organization', async () => {
    const { token: stranger } = await givenPerson(app.store);
    for (const [path, as] of [
      ['/organizations/acme/issues/700001/', null],
      ['/organizations/acme/issues/700001', null],
      ['/organizations/acme/issues/700001/', stranger],
      ['/organizations/acme/issues/700001/', 'no-token'],
      ['/organizations/other/issues/700001/', token],
      ['/acme/issues/1234567', token],
    ] as const) {
      const { status, headers } = await open(path, as);
      assert.deepEqual([headers.get('location'), headers.get('content-type')?.split(';')[0]], [null, 'text/html']);
      // 503 where the pages are not built.
      assert.ok(status === 200 || status === 503, `${path} ${status}`);
    }
  });

  it('of lists lead to the list of the project', async () => {
    const list = `/${project.path}/-/error_tracking`;
    const [source] = await app.store.listImportSources(project.id);
    const id = source?.externalProjectId ?? '';
    assert.notEqual(id, '');
    for (const path of [
      '/organizations/acme/issues/',
      `/organizations/acme/issues/?project=${id}&query=is%3Aunresolved`,
      `/acme/issues?project=${id}`,
      '/organizations/acme/projects/shop/',
      '/acme/shop/',
      '/acme/shop/issues/',
    ]) {
      const { status, headers } = await open(path);
      assert.deepEqual([status, headers.get('location')], [302, list], path);
    }
    for (const path of [
      '/organizations/acme/issues/?project=999',
      `/organizations/acme/issues/?project=${id}&project=999`,
      '/organizations/other/issues/',
      '/acme/desk/',
      '/',
    ]) {
      assert.equal((await open(path)).headers.get('location'), null, path);
    }
    const { externalUrl } = app.deps;
    app.deps.externalUrl = () => 'https://errors.example.test/below';
    assert.equal((await open('/acme/shop/issues/')).headers.get('location'), `/below${list}`);
    app.deps.externalUrl = externalUrl;
    const { token: stranger } = await givenPerson(app.store);
    assert.equal((await open('/acme/shop/', stranger)).headers.get('location'), null);
    assert.equal((await open('/acme/shop/', null)).headers.get('location'), null);
  });

  it('of lists of several projects lead to the list of projects', async () => {
    const both = await givenPerson(app.store);
    const one = await givenPerson(app.store);
    const made = [await givenTrackedProject(app.store), await givenTrackedProject(app.store)] as const;
    for (const { id, name } of made) {
      await app.store.addImportSource(
        {
          ...{ projectId: id, kind: 'glitchtip', url: 'https://several.example', organization: 'several' },
          ...{ project: `at-${name}`, externalProjectId: null },
        },
        NOON,
      );
      await app.store.setMember(id, both.user.id, ACCESS_LEVELS.reporter);
    }
    await app.store.setMember(made[0].id, one.user.id, ACCESS_LEVELS.reporter);
    for (const path of [
      '/several/issues',
      '/several/issues/?query=is%3Aunresolved',
      '/organizations/several/issues/',
    ]) {
      const { status, headers } = await open(path, both.token);
      assert.deepEqual([status, headers.get('location')], [302, '/'], path);
    }
    const { externalUrl } = app.deps;
    app.deps.externalUrl = () => 'https://errors.example.test/below';
    assert.equal((await open('/several/issues', both.token)).headers.get('location'), '/below/');
    app.deps.externalUrl = externalUrl;
    // The page leads through the sign-in, and asks again.
    assert.equal((await open('/several/issues', null)).headers.get('location'), null);
    const { token: stranger } = await givenPerson(app.store);
    assert.equal((await open('/several/issues', stranger)).headers.get('location'), null);
    const ofOne = (await open('/several/issues', one.token)).headers.get('location');
    assert.equal(ofOne, `/${made[0].path}/-/error_tracking`);
  });

  it('stay answers for programs, and for writing', async () => {
    const asJson = await fetch(`${app.url}/organizations/acme/issues/700001/`, { headers: { 'PRIVATE-TOKEN': token } });
    assert.equal(asJson.status, 404);
    const post = await fetch(`${app.url}/issues/700001/`, { method: 'POST', headers: { Accept: 'text/html' } });
    assert.equal(post.status, 404);
  });

  it('tell sources apart by sub-path, organization, project and host', async () => {
    const { token: admin } = await givenPerson(app.store, true);
    const made: string[] = [];
    for (const [url, organization, slug] of [
      ['https://one.example/tracker', 'acme', 'desk'],
      ['https://two.example', 'acme', 'till'],
      ['https://two.example', 'umbrella', 'shop'],
    ] as const) {
      const other = await givenTrackedProject(app.store);
      const source = await app.store.addImportSource(
        { projectId: other.id, kind: 'glitchtip', url, organization, project: slug, externalProjectId: null },
        NOON,
      );
      made.push(await importIssue(app.store, other, makeIssue(source, '800001'), 1));
    }
    const ids = async (path: string) => {
      const answer = await app.get(`/api/v4/error_tracking/former_links?path=${encodeURIComponent(path)}`, admin);
      return (answer.json() as { error_id: string }[]).map(({ error_id: id }) => id).sort();
    };
    const [desk, till, umbrella] = made;
    assert.deepEqual(await ids('/acme/issues/800001'), [desk, till].sort());
    assert.deepEqual(await ids('/tracker/acme/issues/800001'), [desk]);
    assert.deepEqual(await ids('https://two.example/acme/issues/800001'), [till]);
    assert.deepEqual(await ids('/organizations/acme/projects/x/issues/800001/'), [desk, till].sort());
    assert.deepEqual(await ids('/acme/till/issues/800001/'), [till]);
    assert.deepEqual(await ids('/umbrella/issues/800001'), [umbrella]);
    assert.deepEqual(await ids('800001'), [...made].sort());
  });
});
