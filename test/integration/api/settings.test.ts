import assert from 'node:assert/strict';
import type { Project } from '../../../src/domain/projects/project.ts';
import { startApp, type RunningApp } from '../../support/app.ts';
import { describeOnStores } from '../../support/test-stores.ts';
import { givenMember, givenProject, givenToken, type Person } from '../../support/factories.ts';

const API_URL = 'https://tracker.example/api/0/projects/acme/my-proj/';
const FRESH = { active: true, project_name: null, thirdparty_external_url: null, api_url: null, integrated: true };
const LINKED = {
  active: true,
  project_name: 'My Proj',
  thirdparty_external_url: 'https://tracker.example/acme/my-proj/',
  api_url: API_URL,
  integrated: false,
};

describeOnStores('settings over REST', (kind) => {
  let app: RunningApp;
  let project: Project;
  let maintainer: Person;
  let path: string;

  before(async () => {
    app = await startApp(kind);
  });
  after(() => app.close());
  beforeEach(async () => {
    app.deps.integratedOffered = true;
    project = await givenProject(app.store);
    maintainer = await givenMember(app.store, project, 'maintainer');
    path = `/api/v4/projects/${project.id}/error_tracking/settings`;
  });

  const put = (body: unknown, query = '') => app.ask('PUT', path + query, { token: maintainer.token, body });
  const patch = (body: unknown, query = '') => app.ask('PATCH', path + query, { token: maintainer.token, body });
  const get = () => app.get(path, maintainer.token);

  it('answers 404 before they are saved', async () => {
    const notYet = { message: '404 Error Tracking Setting Not Found' };
    for (const answer of [await get(), await patch({ active: true })]) {
      assert.equal(answer.status, 404);
      assert.deepEqual(answer.json(), notYet);
    }
    assert.equal(await app.store.settings(project.id), null);
  });

  it('creates them with PUT, and the first key with them', async () => {
    const created = await put({ active: true, integrated: true });
    assert.equal(created.status, 200);
    assert.deepEqual(created.json(), FRESH);
    assert.deepEqual(Object.keys(created.json()), Object.keys(FRESH));
    assert.deepEqual((await get()).json(), FRESH);
    const keys = await app.store.listKeys(project.id);
    assert.equal(keys.length, 1);
    assert.match(keys[0]?.publicKey ?? '', /^glet_[0-9a-f]{32}$/);
  });

  it('creates no other key while there is an active one', async () => {
    await put({ active: true, integrated: true });
    await put({ active: true, integrated: true });
    await patch({ active: true, integrated: true });
    assert.equal((await app.store.listKeys(project.id)).length, 1);
  });

  it('creates no key while inactive or not integrated', async () => {
    await put({ active: false, integrated: true });
    await put({ active: false, integrated: false });
    assert.deepEqual(await app.store.listKeys(project.id), []);
    await patch({ active: true, integrated: true });
    assert.equal((await app.store.listKeys(project.id)).length, 1);
  });

  it('switches off and on with PATCH and leaves integrated alone unless it is given', async () => {
    await put({ active: true, integrated: true });
    assert.deepEqual((await patch({ active: false })).json(), { ...FRESH, active: false });
    assert.deepEqual((await patch({ active: true, integrated: '' })).json(), FRESH);
  });

  it('takes parameters from the query, a form, a multipart form and JSON; the body wins', async () => {
    const token = maintainer.token;
    assert.deepEqual((await app.ask('PUT', `${path}?active=yes&integrated=1`, { token })).json(), FRESH);
    const form = new URLSearchParams({ active: 'off', integrated: 'T' });
    assert.deepEqual((await app.ask('PUT', path, { token, body: form })).json(), { ...FRESH, active: false });
    const multipart = new FormData();
    multipart.set('active', 'On');
    multipart.set('integrated', 'y');
    multipart.set('file', new Blob(['x'.repeat(1000)]), 'x.txt');
    assert.deepEqual((await app.ask('PUT', path, { token, body: multipart })).json(), FRESH);
    const mixed = await put({ active: false }, '?active=true&integrated=true&unknown=1');
    assert.deepEqual(mixed.json(), { ...FRESH, active: false });
  });

  describe('refuses parameters with the host’s messages', () => {
    const rows: [method: 'PUT' | 'PATCH', body: object, error: string][] = [
      ['PUT', { integrated: true }, 'active is missing, active is empty'],
      ['PATCH', {}, 'active is missing, active is empty'],
      ['PUT', { active: '', integrated: true }, 'active is empty'],
      ['PATCH', { active: null }, 'active is empty'],
      ['PUT', { active: 'maybe', integrated: true }, 'active is invalid'],
      ['PATCH', { active: 2 }, 'active is invalid'],
      ['PATCH', { active: 'tRuE' }, 'active is invalid'],
      ['PATCH', { active: [true] }, 'active is invalid'],
      ['PATCH', { active: { a: 1 } }, 'active is invalid'],
      ['PUT', { active: true }, 'integrated is missing'],
      ['PUT', { active: true, integrated: '' }, 'integrated is empty'],
      ['PUT', { active: true, integrated: 'maybe' }, 'integrated is invalid'],
      ['PATCH', { active: true, integrated: 'maybe' }, 'integrated is invalid'],
      ['PUT', {}, 'active is missing, active is empty, integrated is missing'],
      ['PUT', { active: 'x', integrated: 'y!' }, 'active is invalid, integrated is invalid'],
    ];
    for (const [method, body, error] of rows) {
      it(`${method} ${JSON.stringify(body)}`, async () => {
        const answer = await app.ask(method, path, { token: maintainer.token, body });
        assert.equal(answer.status, 400);
        assert.deepEqual(answer.json(), { error });
      });
    }

    it('lists in query and form', async () => {
      const token = maintainer.token;
      const inQuery = await app.ask('PATCH', `${path}?active[]=true`, { token });
      assert.deepEqual(inQuery.json(), { error: 'active is invalid' });
      const form = new URLSearchParams([['active[]', 'true']]);
      const inForm = await app.ask('PATCH', path, { token, body: form });
      assert.deepEqual(inForm.json(), { error: 'active is invalid' });
    });
  });

  describe('every boolean word', () => {
    const truths = ['1', 'on', 'On', 'ON', 't', 'T', 'true', 'True', 'TRUE', 'y', 'Y', 'yes', 'Yes', 'YES', 1, true];
    const lies = ['0', 'off', 'Off', 'OFF', 'f', 'F', 'false', 'False', 'FALSE', 'n', 'N', 'no', 'No', 'NO', 0, false];
    for (const [words, expected] of [
      [truths, true],
      [lies, false],
    ] as const) {
      it(`for ${expected}`, async () => {
        for (const active of words) {
          const answer = await put({ active, integrated: true });
          assert.equal(answer.json().active, expected, String(active));
        }
      });
    }
  });

  describe('the rules of an external tracker', () => {
    it('refuses to activate without address and token, and saves nothing', async () => {
      const answer = await put({ active: true, integrated: false });
      assert.equal(answer.status, 400);
      assert.deepEqual(answer.json(), { message: 'Api url is a required field, Token is a required field' });
      assert.equal(await app.store.settings(project.id), null);
    });

    it('accepts the same while inactive', async () => {
      const answer = await put({ active: false, integrated: false });
      assert.deepEqual(answer.json(), { ...FRESH, active: false, integrated: false });
      assert.equal((await patch({ active: true })).status, 400);
      assert.equal((await patch({ active: true, integrated: true })).status, 200);
    });

    it('hides the third-party fields while integrated, and restores them afterwards', async () => {
      await app.store.saveSettings(project.id, {
        active: true,
        integrated: false,
        apiUrl: API_URL,
        sealedToken: 'encrypted',
      });
      assert.deepEqual((await get()).json(), LINKED);
      assert.deepEqual((await put({ active: true, integrated: true })).json(), FRESH);
      assert.deepEqual((await get()).json(), FRESH);
      assert.deepEqual((await patch({ active: true, integrated: false })).json(), LINKED);
    });

    it('shows a stored name rather than the slug', async () => {
      await app.store.saveSettings(project.id, { integrated: false, apiUrl: API_URL, projectName: 'Ours' });
      assert.equal((await get()).json().project_name, 'Ours');
    });
  });

  describe('where the integrated backend is not offered', () => {
    it('refuses PUT after the parameters were checked', async () => {
      app.deps.integratedOffered = false;
      assert.deepEqual((await put({ active: true })).json(), { error: 'integrated is missing' });
      const answer = await put({ active: true, integrated: true });
      assert.equal(answer.status, 404);
      assert.deepEqual(answer.json(), { message: '404 Not Found' });
      assert.equal((await put({ active: false, integrated: false })).status, 404);
    });

    it('reads integrated as false and refuses to PATCH it to true', async () => {
      await put({ active: true, integrated: true });
      app.deps.integratedOffered = false;
      assert.deepEqual((await get()).json(), { ...FRESH, integrated: false });
      const answer = await patch({ active: true, integrated: true });
      assert.equal(answer.status, 404);
      assert.deepEqual(answer.json(), { message: '404 Not Found' });
      assert.deepEqual((await patch({ active: false })).json(), { ...FRESH, active: false, integrated: false });
    });
  });

  it('lets a read_api token read but not write', async () => {
    await put({ active: true, integrated: true });
    const { text: token } = await givenToken(app.store, maintainer.user, ['read_api']);
    assert.equal((await app.get(path, token)).status, 200);
    for (const method of ['PUT', 'PATCH']) {
      const answer = await app.ask(method, path, { token, body: { active: true, integrated: true } });
      assert.equal(answer.status, 403);
      assert.deepEqual(answer.json(), {
        error: 'insufficient_scope',
        error_description: 'The request requires higher privileges than provided by the access token.',
        scope: 'api read_api',
      });
    }
  });

  it('works while the Monitor feature is off', async () => {
    await app.store.updateProject(project.id, { monitorEnabled: false });
    assert.equal((await put({ active: true, integrated: true })).status, 200);
    assert.equal((await get()).status, 200);
  });
});
