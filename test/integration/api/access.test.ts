import assert from 'node:assert/strict';
import type { Project } from '../../../src/domain/projects/project.ts';
import { startApp, type RunningApp } from '../../support/app.ts';
import { describeOnStores } from '../../support/test-stores.ts';
import { givenMember, givenPerson, givenProject, givenToken, type Person } from '../../support/factories.ts';

const UNAUTHORISED = { message: '401 Unauthorized' };
const NO_PROJECT = { message: '404 Project Not Found' };

describeOnStores('access over REST', (kind) => {
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

  describe('finds the token', () => {
    it('in every documented place', async () => {
      const { token } = maintainer;
      assert.equal((await app.get(path, token)).status, 200);
      assert.equal((await app.get(`${path}?private_token=${token}`)).status, 200);
      assert.equal((await app.get(`${path}?access_token=${token}`)).status, 200);
      for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
        const answer = await app.ask('GET', path, { headers: { Authorization: `${scheme} ${token}` } });
        assert.equal(answer.status, 200, scheme);
      }
      assert.equal((await app.ask('POST', path, { body: { private_token: token } })).status, 201);
      assert.equal((await app.ask('POST', path, { body: new URLSearchParams({ private_token: token }) })).status, 201);
    });

    it('in a fixed order: the first place decides', async () => {
      const { token } = maintainer;
      const wrongBearer = { Authorization: 'Bearer glpat-wrong' };
      assert.equal((await app.ask('GET', path, { token, headers: wrongBearer })).status, 401);
      assert.equal((await app.get(`${path}?private_token=wrong`, token)).status, 401);
      const rightBearer = { Authorization: `Bearer ${token}` };
      assert.equal((await app.ask('GET', path, { token: 'wrong', headers: rightBearer })).status, 200);
    });

    it('and accepts no other scheme and no list as a token', async () => {
      const basic = { Authorization: `Basic ${Buffer.from(`x:${maintainer.token}`).toString('base64')}` };
      assert.equal((await app.ask('GET', path, { headers: basic })).status, 401);
      assert.equal((await app.get(`${path}?private_token[]=${maintainer.token}`)).status, 401);
    });
  });

  describe('refuses', () => {
    it('requests without a token and with an unknown one in the same way', async () => {
      for (const token of [undefined, 'glpat-unknown', 'x'.repeat(5000)]) {
        const answer = await app.get(path, token);
        assert.equal(answer.status, 401);
        assert.deepEqual(answer.json(), UNAUTHORISED);
        assert.equal(answer.headers.get('WWW-Authenticate'), 'Bearer realm="The API"');
      }
    });

    it('expired and revoked tokens with the reason', async () => {
      const expired = await givenToken(app.store, maintainer.user, ['api'], app.clock.at - 1);
      const revoked = await givenToken(app.store, maintainer.user);
      await app.store.revokeToken(revoked.id);
      for (const [token, description] of [
        [expired.text, 'Token is expired. You can either do re-authorization or token refresh.'],
        [revoked.text, 'Token was revoked. You have to re-authorize from the user.'],
      ] as const) {
        const answer = await app.get(path, token);
        assert.equal(answer.status, 401);
        assert.deepEqual(answer.json(), { error: 'invalid_token', error_description: description });
        assert.equal(
          answer.headers.get('WWW-Authenticate'),
          `Bearer realm="The API", error="invalid_token", error_description="${description}"`,
        );
      }
    });

    it('blocked users, within a second', async () => {
      assert.equal((await app.get(path, maintainer.token)).status, 200);
      await app.store.setUserBlocked(maintainer.user.id, true);
      app.clock.at += 1001;
      assert.deepEqual((await app.get(path, maintainer.token)).json(), UNAUTHORISED);
    });

    it('in the documented order: token, scope, project, role, parameters', async () => {
      const settings = `/api/v4/projects/${project.id}/error_tracking/settings`;
      const nowhere = '/api/v4/projects/999999/error_tracking/settings';
      const developer = await givenMember(app.store, project, 'developer');
      const reader = await givenToken(app.store, developer.user, ['read_api']);
      const put = (to: string, token?: string) => app.ask('PUT', to, token === undefined ? {} : { token });
      assert.equal((await put(nowhere)).status, 401);
      assert.equal((await put(nowhere, reader.text)).json().error, 'insufficient_scope');
      assert.deepEqual((await put(nowhere, developer.token)).json(), NO_PROJECT);
      assert.deepEqual((await put(settings, developer.token)).json(), { message: '403 Forbidden' });
      assert.equal((await put(settings, maintainer.token)).status, 400);
    });
  });

  describe('finds the project', () => {
    const keysOf = (reference: string) => `/api/v4/projects/${reference}/error_tracking/client_keys`;

    it('by number and by encoded path in any case', async () => {
      const encoded = encodeURIComponent(project.path);
      for (const reference of [encoded, encoded.toUpperCase().replaceAll('%2F', '%2f'), encoded.toLowerCase()]) {
        assert.equal((await app.get(keysOf(reference), maintainer.token)).status, 200, reference);
      }
    });

    it('by nothing else', async () => {
      const references = [
        '0',
        '-1',
        '999999',
        '9'.repeat(60),
        project.path.split('/').at(-1) ?? '',
        'no%2Fwhere',
        '%00',
        'a%00%2Fb',
        '..%2F..',
        '%2F',
        '%FF%2F',
        '%E2%98%83%2Fsnow',
        `${'x'.repeat(3000)}%2Fy`,
        '1%3B%20DROP',
        `${project.id}.0`,
        '%20',
      ];
      for (const reference of references) {
        const answer = await app.get(keysOf(reference), maintainer.token);
        assert.equal(answer.status, 404, reference);
        assert.deepEqual(answer.json(), NO_PROJECT, reference);
      }
    });

    it('under a former path: GET is redirected, everything else refused', async () => {
      const former = encodeURIComponent(project.path);
      await app.store.updateProject(project.id, { path: `${project.path}-new` });
      const moved = await app.get(`${keysOf(former)}?per_page=5`, maintainer.token);
      assert.equal(moved.status, 301);
      assert.equal(moved.headers.get('Location'), `https://errors.example.test${path}?per_page=5`);
      const post = await app.ask('POST', keysOf(former), { token: maintainer.token });
      assert.equal(post.status, 405);
      assert.deepEqual(post.json(), { message: 'Non GET methods are not allowed for moved projects' });
      const stranger = await givenPerson(app.store);
      assert.deepEqual((await app.get(keysOf(former), stranger.token)).json(), NO_PROJECT);
    });

    it('404 hides private projects from users without access, 403 is for public ones', async () => {
      const stranger = await givenPerson(app.store);
      const unknown = await app.get(keysOf('999999'), stranger.token);
      const hidden = await app.get(path, stranger.token);
      assert.deepEqual([hidden.status, hidden.text], [unknown.status, unknown.text]);
      await app.store.updateProject(project.id, { visibility: 'public' });
      const open = await app.get(path, stranger.token);
      assert.equal(open.status, 403);
      assert.deepEqual(open.json(), { message: '403 Forbidden' });
      assert.equal((await app.get(path)).status, 401);
    });

    it('sees changes of membership at once', async () => {
      const person = await givenPerson(app.store);
      assert.equal((await app.get(path, person.token)).status, 404);
      await app.store.setMember(project.id, person.user.id, 40);
      assert.equal((await app.get(path, person.token)).status, 200);
      await app.store.setMember(project.id, person.user.id, 30);
      assert.equal((await app.get(path, person.token)).status, 403);
      await app.store.removeMember(project.id, person.user.id);
      assert.equal((await app.get(path, person.token)).status, 404);
    });
  });

  it('never writes a token into the log', async () => {
    app.log.length = 0;
    await app.get(`${path}?private_token=${maintainer.token}`);
    await app.ask('GET', path, { headers: { Authorization: `Bearer ${maintainer.token}` } });
    assert.ok(app.log.length >= 2);
    assert.ok(!JSON.stringify(app.log).includes(maintainer.token));
  });
});
