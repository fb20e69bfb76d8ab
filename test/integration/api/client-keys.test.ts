import assert from 'node:assert/strict';
import type { Project } from '../../../src/domain/projects/project.ts';
import { startApp, type RunningApp } from '../../support/app.ts';
import { describeOnStores } from '../../support/test-stores.ts';
import { givenMember, givenProject, givenToken, type Person } from '../../support/factories.ts';

const NOT_FOUND = { message: '404 Not found' };

describeOnStores('client keys over REST', (kind) => {
  let app: RunningApp;
  let project: Project;
  let maintainer: Person;
  let path: string;

  before(async () => {
    app = await startApp(kind);
  });
  after(() => app.close());
  beforeEach(async () => {
    project = await givenProject(app.store);
    maintainer = await givenMember(app.store, project, 'maintainer');
    path = `/api/v4/projects/${project.id}/error_tracking/client_keys`;
  });

  const create = async () => (await app.ask('POST', path, { token: maintainer.token })).json();

  it('creates a key with 201 and ignores the body', async () => {
    const answer = await app.ask('POST', path, {
      token: maintainer.token,
      body: { public_key: 'mine', active: false },
    });
    assert.equal(answer.status, 201);
    const key = answer.json();
    assert.deepEqual(Object.keys(key), ['id', 'active', 'public_key', 'thirdparty_dsn']);
    assert.equal(key.active, true);
    assert.match(key.public_key, /^glet_[0-9a-f]{32}$/);
    assert.equal(
      key.thirdparty_dsn,
      `https://${key.public_key}@errors.example.test/errortracking/api/v1/projects/${project.id}`,
    );
  });

  it('builds DSNs on the external address with its sub-path', async () => {
    const plain = app.deps.externalUrl;
    app.deps.externalUrl = () => 'http://tracker.test:8443/err/gate';
    const key = await create();
    app.deps.externalUrl = plain;
    assert.equal(
      key.thirdparty_dsn,
      `http://${key.public_key}@tracker.test:8443/err/gate/errortracking/api/v1/projects/${project.id}`,
    );
  });

  it('works without settings', async () => {
    assert.equal(await app.store.settings(project.id), null);
    assert.equal(typeof (await create()).id, 'number');
  });

  it('rotates: a new key, both in the list by id, the old one deleted', async () => {
    const old = await create();
    const fresh = await create();
    assert.deepEqual((await app.get(path, maintainer.token)).json(), [old, fresh]);
    const deleted = await app.ask('DELETE', `${path}/${old.id}`, { token: maintainer.token });
    assert.equal(deleted.status, 200);
    assert.deepEqual(deleted.json(), old);
    assert.deepEqual((await app.get(path, maintainer.token)).json(), [fresh]);
  });

  it('lists inactive keys too', async () => {
    const key = await create();
    await app.store.setKeyActive(project.id, key.id, false);
    assert.deepEqual((await app.get(path, maintainer.token)).json(), [{ ...key, active: false }]);
  });

  it('answers 404 for unknown keys', async () => {
    const elsewhere = await app.store.createKey((await givenProject(app.store)).id, 'glet_elsewhere');
    for (const id of [999999, elsewhere.id, 'abc', '0', '-1', '1.5', '9'.repeat(40), '%00', '..%2F1', '1%20']) {
      const answer = await app.ask('DELETE', `${path}/${id}`, { token: maintainer.token });
      assert.equal(answer.status, 404, String(id));
      assert.deepEqual(answer.json(), NOT_FOUND);
    }
    assert.equal((await app.store.keyById(elsewhere.projectId, elsewhere.id))?.id, elsewhere.id);
  });

  it('shows nothing to a read_api token', async () => {
    const { text: token } = await givenToken(app.store, maintainer.user, ['read_api']);
    assert.equal((await app.get(path, token)).status, 403);
    assert.equal((await app.get(path, token)).json().error, 'insufficient_scope');
  });

  describe('pages', () => {
    const base = () => `https://errors.example.test${path}`;
    const link = (page: number, rel: string, perPage: number) =>
      `<${base()}?id=${project.id}&page=${page}&per_page=${perPage}>; rel="${rel}"`;

    it('describe an empty list', async () => {
      const { headers } = await app.get(path, maintainer.token);
      assert.equal(headers.get('X-Total'), '0');
      assert.equal(headers.get('X-Total-Pages'), '1');
      assert.equal(headers.get('X-Next-Page'), '');
      assert.equal(headers.get('X-Prev-Page'), '');
      assert.equal(headers.get('Link'), [link(1, 'first', 20), link(1, 'last', 20)].join(', '));
    });

    it('are cut and linked', async () => {
      const keys = [await create(), await create(), await create(), await create(), await create()];
      const answer = await app.get(`${path}?page=2&per_page=2`, maintainer.token);
      assert.deepEqual(answer.json(), keys.slice(2, 4));
      const expected = {
        'X-Per-Page': '2',
        'X-Page': '2',
        'X-Next-Page': '3',
        'X-Prev-Page': '1',
        'X-Total': '5',
        'X-Total-Pages': '3',
        Link: [link(1, 'prev', 2), link(3, 'next', 2), link(1, 'first', 2), link(3, 'last', 2)].join(', '),
      };
      for (const [name, value] of Object.entries(expected)) assert.equal(answer.headers.get(name), value, name);
    });

    it('keep other parameters in their links, but no token', async () => {
      const query = `private_token=${maintainer.token}&z=1&a=b`;
      const { headers } = await app.get(`${path}?${query}`);
      assert.ok(
        headers.get('Link')?.startsWith(`<${base()}?a=b&id=${project.id}&page=1&per_page=20&z=1>; rel="first"`),
      );
      assert.ok(!headers.get('Link')?.includes(maintainer.token));
    });

    it('have at most 100 entries, and use the default for invalid values', async () => {
      await create();
      for (const [query, perPage, page] of [
        ['per_page=1000', '100', '1'],
        ['per_page=abc&page=x', '20', '1'],
        ['per_page=0&page=0', '20', '1'],
        ['per_page=-5&page=-5', '20', '1'],
        ['page=7', '20', '7'],
        [`page=${'9'.repeat(30)}`, '20', '1'],
      ] as const) {
        const answer = await app.get(`${path}?${query}`, maintainer.token);
        assert.equal(answer.status, 200);
        assert.equal(answer.headers.get('X-Per-Page'), perPage, query);
        assert.equal(answer.headers.get('X-Page'), page, query);
        assert.equal(answer.json().length, page === '1' ? 1 : 0);
      }
    });
  });
});
