import assert from 'node:assert/strict';
import { MAX_VIEW_NAME, MAX_VIEW_QUERY } from '../../../src/domain/search/saved-view.ts';
import type { Project } from '../../../src/domain/projects/project.ts';
import { startApp, type RunningApp } from '../../support/app.ts';
import { givenMember, givenPerson, givenProject, givenTrackedProject, type Person } from '../../support/factories.ts';
import { describeOnStores } from '../../support/test-stores.ts';

describeOnStores('saved views and favourites over REST', (kind) => {
  let app: RunningApp;
  let project: Project;
  let ada: Person;
  let views: string;

  before(async () => {
    app = await startApp(kind);
  });
  after(() => app.close());
  beforeEach(async () => {
    project = await givenTrackedProject(app.store);
    ada = await givenMember(app.store, project, 'reporter');
    views = `/api/v4/projects/${project.id}/error_tracking/views`;
  });

  const save = (body: unknown, { token } = ada) => app.ask('POST', views, { token, body });

  it('are saved, replaced by their name, listed by name and deleted', async () => {
    const first = await save({ name: ' Fatal ones ', query: 'status=all&search=level%3Afatal', is_default: true });
    assert.equal(first.status, 201, first.text);
    const { id, ...shown } = first.json();
    assert.deepEqual(shown, { name: 'Fatal ones', query: 'status=all&search=level%3Afatal', is_default: true });
    const second = (await save({ name: 'All', query: '' })).json();
    assert.equal(second.is_default, false);
    assert.deepEqual((await app.get(views, ada.token)).json(), [second, first.json()]);
    const replaced = (await save({ name: 'Fatal ones', query: 'search=x' })).json();
    assert.deepEqual(replaced, { id, name: 'Fatal ones', query: 'search=x', is_default: false });
    assert.equal((await app.ask('DELETE', `${views}/${id}`, { token: ada.token })).status, 204);
    assert.equal((await app.ask('DELETE', `${views}/${id}`, { token: ada.token })).status, 404);
    assert.deepEqual((await app.get(views, ada.token)).json(), [second]);
  });

  it('are those of one person', async () => {
    const { id } = (await save({ name: 'Mine', query: '' })).json();
    const bob = await givenMember(app.store, project, 'maintainer');
    assert.deepEqual((await app.get(views, bob.token)).json(), []);
    assert.equal((await app.ask('DELETE', `${views}/${id}`, { token: bob.token })).status, 404);
    for (const wrong of ['0', 'x', '99999999999999999999']) {
      assert.equal((await app.ask('DELETE', `${views}/${wrong}`, { token: ada.token })).status, 404);
    }
  });

  it('refuse names and queries that cannot be one', async () => {
    const long = (length: number) => 'x'.repeat(length);
    assert.equal((await save({ name: long(MAX_VIEW_NAME), query: long(MAX_VIEW_QUERY) })).status, 201);
    for (const [body, message] of [
      [{ query: '' }, /name is missing/],
      [{ name: 'x' }, /query is missing/],
      [{ name: '  ', query: '' }, /name is empty/],
      [{ name: 'a\nb', query: '' }, /name is invalid/],
      [{ name: '\ud800', query: '' }, /name is invalid/],
      [{ name: long(MAX_VIEW_NAME + 1), query: '' }, /name/],
      [{ name: 'x', query: long(MAX_VIEW_QUERY + 1) }, /query/],
      [{ name: 'x', query: '?status=all' }, /query is invalid/],
      [{ name: 'x', query: 'search=a b' }, /query is invalid/],
      [{ name: 7, query: '' }, /name/],
      [{ name: 'x', query: '', is_default: 'maybe' }, /is_default/],
    ] as const) {
      const answer = await save(body);
      assert.equal(answer.status, 400, JSON.stringify(body));
      assert.match(answer.json().error, message);
    }
  });

  it('mark projects as favourites, which the overview shows', async () => {
    const other = await givenTrackedProject(app.store);
    await app.store.setMember(other.id, ada.user.id, 10);
    const mark = (method: 'PUT' | 'DELETE', id: number | string, { token } = ada) =>
      app.ask(method, `/api/v4/user/favourites/${id}`, { token });
    for (let times = 0; times < 2; times += 1) assert.equal((await mark('PUT', other.id)).status, 204);
    assert.equal((await mark('PUT', encodeURIComponent(project.path))).status, 204);
    const list = async () => (await app.get('/api/v4/user/favourites', ada.token)).json();
    assert.deepEqual(await list(), [project.id, other.id]);
    for (let times = 0; times < 2; times += 1) assert.equal((await mark('DELETE', project.id)).status, 204);
    assert.deepEqual(await list(), [other.id]);
    const shown = (await app.get('/api/v4/error_tracking/projects', ada.token)).json();
    assert.deepEqual(
      shown.map(({ project: { id }, favourite }: any) => [id, favourite]), // eslint-disable-line @typescript-eslint/no-explicit-any
      [
        [project.id, false],
        [other.id, true],
      ],
    );
    const hidden = await givenProject(app.store);
    const open = await givenProject(app.store, { visibility: 'public' });
    assert.equal((await mark('PUT', hidden.id)).status, 404);
    assert.equal((await mark('PUT', open.id)).status, 403);
    assert.equal((await mark('PUT', hidden.id, await givenPerson(app.store, true))).status, 204);
  });
});
