import assert from 'node:assert/strict';
import { startApp, type Answer, type RunningApp } from '../../support/app.ts';
import { headersOf } from '../../support/browser-session.ts';
import { givenMember, givenPerson, givenProject, givenToken, type Person } from '../../support/factories.ts';
import { describeOnStores } from '../../support/test-stores.ts';

describeOnStores('users, members and tokens over REST', (kind) => {
  let app: RunningApp;
  let administrator: Person;

  before(async () => {
    app = await startApp(kind);
    administrator = await givenPerson(app.store, true);
  });
  after(() => app.close());

  const as = (person: Person, method: string, path: string, body?: object): Promise<Answer> =>
    app.ask(method, `/api/v4${path}`, { token: person.token, ...(body === undefined ? {} : { body }) });

  describe('users', () => {
    it('have an e-mail address, which an empty one removes', async () => {
      const body = { username: 'mail', email: 'mail@shop.example' };
      const made = (await as(administrator, 'POST', '/users', body)).json();
      assert.equal(made.email, 'mail@shop.example');
      const change = (email: unknown) => as(administrator, 'PUT', `/users/${made.id}`, { email });
      assert.equal((await change('ops@shop.example')).json().email, 'ops@shop.example');
      for (const wrong of ['x', 'a@b@c', 'a b@c', `${'x'.repeat(250)}@example.org`]) {
        assert.equal((await change(wrong)).status, 400, wrong.slice(0, 9));
      }
      assert.equal(
        (await as(administrator, 'PUT', `/users/${made.id}`, { name: 'M' })).json().email,
        'ops@shop.example',
      );
      assert.equal((await change('')).json().email, null);
    });

    it('are created with a generated password that is shown once and must be changed', async () => {
      const made = await as(administrator, 'POST', '/users', { username: 'grace', name: 'Grace H.' });
      assert.equal(made.status, 201);
      const { password, ...user } = made.json();
      assert.deepEqual(
        { ...user, id: 0, created_at: '' },
        {
          id: 0,
          username: 'grace',
          name: 'Grace H.',
          state: 'active',
          is_admin: false,
          two_factor_enabled: false,
          email: null,
          created_at: '',
        },
      );
      const signedIn = await app.ask('POST', '/-/session', { body: { username: 'grace', password } });
      assert.equal(signedIn.json().must_change_password, true);
      const found = await as(administrator, 'GET', '/users?search=GRACE');
      assert.deepEqual(found.json(), [user]);
      assert.deepEqual((await as(administrator, 'GET', '/users?username=Grace')).json(), [user]);
      assert.deepEqual((await as(administrator, 'GET', `/users/${user.id}`)).json(), { ...user, identities: [] });
    });

    it('are refused with the reason', async () => {
      const refused = async (body: object) => {
        const answer = await as(administrator, 'POST', '/users', body);
        return [answer.status, answer.json().message ?? answer.json().error];
      };
      const taken = administrator.user.username.toUpperCase();
      assert.deepEqual(await refused({ username: taken }), [
        409,
        `the username "${taken}" is taken: choose another one`,
      ]);
      assert.deepEqual(await refused({ username: '12' }), [
        400,
        'username is invalid: Use letters, digits, "_", "." and "-", and not digits alone.',
      ]);
      assert.deepEqual(await refused({ username: 'short', password: 'short' }), [
        400,
        'Password is too short (minimum is 8 characters).',
      ]);
      assert.equal(await app.store.userByName('short'), null);
      const { user } = await givenPerson(app.store);
      for (const [password, message] of [
        ['12345678', 'Password is one of the most common ones. Choose another one.'],
        ['password', 'Password is one of the most common ones. Choose another one.'],
        ['PassWord1', 'Password is one of the most common ones. Choose another one.'],
        ['abcdefgh', 'Password is one of the most common ones. Choose another one.'],
        ['abababab', 'Password is one of the most common ones. Choose another one.'],
        ['12121212', 'Password is one of the most common ones. Choose another one.'],
        ['rootroot', 'Password is one of the most common ones. Choose another one.'],
        ['aaaaaaaa', 'Password repeats one character. Choose another one.'],
        ['ẞẞẞẞẞẞẞẞ', 'Password repeats one character. Choose another one.'],
      ] as const) {
        assert.deepEqual(await refused({ username: 'short', password }), [400, message]);
        const changed = await as(administrator, 'PUT', `/users/${user.id}`, { password });
        assert.deepEqual([changed.status, changed.json().message], [400, message]);
      }
      assert.equal(await app.store.userByName('short'), null);
    });

    it('are blocked and unblocked, but not the last administrator and not oneself', async () => {
      const { user } = await givenPerson(app.store);
      const session = await app.deps.webSessions.begin(
        { user, epoch: 0 },
        { userAgent: '', address: null, secondFactor: false },
      );
      assert.equal((await as(administrator, 'POST', `/users/${user.id}/block`)).status, 201);
      assert.equal(await app.deps.webSessions.find(session, null), null);
      assert.equal((await as(administrator, 'GET', `/users/${user.id}`)).json().state, 'blocked');
      assert.equal((await as(administrator, 'POST', `/users/${user.id}/unblock`)).json(), true);
      assert.equal((await app.store.userById(user.id))?.blocked, false);
      const self = administrator.user.id;
      assert.equal((await as(administrator, 'POST', `/users/${self}/block`)).status, 403);
      assert.equal((await as(administrator, 'PUT', `/users/${self}`, { admin: false })).status, 409);
      assert.equal((await as(administrator, 'PUT', '/users/999999', { name: 'x' })).status, 404);
    });

    it('get another name, other rights or another password', async () => {
      const { user } = await givenPerson(app.store);
      const patch = { name: 'Renamed', admin: true, password: 'a new password' };
      const changed = await as(administrator, 'PUT', `/users/${user.id}`, patch);
      assert.deepEqual([changed.json().name, changed.json().is_admin], ['Renamed', true]);
      const signedIn = await app.ask('POST', '/-/session', {
        body: { username: user.username, password: patch.password },
      });
      assert.equal(signedIn.json().must_change_password, true);
      const own = await as(administrator, 'PUT', `/users/${administrator.user.id}`, { password: 'a new password' });
      assert.equal(own.status, 400);
    });
  });

  describe('members', () => {
    it('are added by number or name, changed and removed', async () => {
      const project = await givenProject(app.store);
      const maintainer = await givenMember(app.store, project, 'maintainer');
      const { user } = await givenPerson(app.store);
      const path = `/projects/${project.id}/members`;
      const shown = { id: user.id, username: user.username, name: user.name, state: 'active', access_level: 20 };
      const added = await as(maintainer, 'POST', path, { username: user.username.toUpperCase(), access_level: 20 });
      assert.deepEqual([added.status, added.json()], [201, shown]);
      const again = await as(maintainer, 'POST', path, { user_id: user.id, access_level: 30 });
      assert.deepEqual([again.status, again.json()], [409, { message: 'Member already exists' }]);
      assert.deepEqual((await as(maintainer, 'GET', `${path}/${user.id}`)).json(), shown);
      const changed = await as(maintainer, 'PUT', `${path}/${user.id}`, { access_level: 40 });
      assert.equal(changed.json().access_level, 40);
      assert.equal(await app.store.accessLevel(project.id, user.id), 40);
      assert.equal((await as(maintainer, 'DELETE', `${path}/${user.id}`)).status, 204);
      assert.equal((await as(maintainer, 'DELETE', `${path}/${user.id}`)).status, 404);
      assert.equal((await as(maintainer, 'GET', path)).json().length, 1);
    });

    it('never get, keep or lose a role above the role of the user that changes them', async () => {
      const project = await givenProject(app.store);
      const maintainer = await givenMember(app.store, project, 'maintainer');
      const owner = await givenMember(app.store, project, 'owner');
      const path = `/projects/${project.id}/members`;
      const { user } = await givenPerson(app.store);
      assert.equal((await as(maintainer, 'POST', path, { user_id: user.id, access_level: 50 })).status, 403);
      assert.equal((await as(maintainer, 'PUT', `${path}/${owner.user.id}`, { access_level: 10 })).status, 403);
      assert.equal((await as(maintainer, 'DELETE', `${path}/${owner.user.id}`)).status, 403);
      assert.equal((await as(maintainer, 'PUT', `${path}/${maintainer.user.id}`, { access_level: 50 })).status, 403);
      assert.equal((await as(owner, 'POST', path, { user_id: user.id, access_level: 50 })).status, 201);
      assert.equal((await as(administrator, 'DELETE', `${path}/${owner.user.id}`)).status, 204);
    });

    it('are refused with the reason', async () => {
      const project = await givenProject(app.store);
      const owner = await givenMember(app.store, project, 'owner');
      const refused = async (body: object) => {
        const answer = await as(owner, 'POST', `/projects/${project.id}/members`, body);
        return [answer.status, answer.json().message ?? answer.json().error];
      };
      assert.deepEqual(await refused({ user_id: 1, access_level: 15 }), [
        400,
        'access_level does not have a valid value: use one of 10 | 20 | 30 | 40 | 50',
      ]);
      assert.deepEqual(await refused({ access_level: 20 }), [
        400,
        'user_id, username are missing, exactly one parameter must be provided',
      ]);
      assert.deepEqual(await refused({ username: 'nobody-at-all', access_level: 20 }), [404, '404 Not found']);
    });
  });

  describe('access tokens', () => {
    it('are created, shown once, listed without their text, and revoked', async () => {
      const person = await givenPerson(app.store);
      const body = { name: 'ci', scopes: ['read_api'], expires_at: '2026-03-31' };
      const made = await as(person, 'POST', '/personal_access_tokens', body);
      assert.equal(made.status, 201);
      assert.equal(made.headers.get('Cache-Control'), 'no-store');
      const { token, ...shown } = made.json();
      assert.deepEqual(
        [shown.name, shown.scopes, shown.expires_at, shown.active, shown.user_id],
        ['ci', ['read_api'], '2026-03-31', true, person.user.id],
      );
      assert.equal((await app.get('/api/v4/user', token)).json().id, person.user.id);
      const own = await app.get('/api/v4/personal_access_tokens/self', token);
      assert.deepEqual({ ...own.json(), last_used_at: null }, shown);
      const listed = await as(person, 'GET', '/personal_access_tokens');
      assert.equal(listed.json().length, 2);
      // It was used above; when, another test tells.
      assert.deepEqual({ ...listed.json()[1], last_used_at: null }, shown);
      assert.ok(!listed.text.includes(token));
      assert.equal((await as(person, 'DELETE', `/personal_access_tokens/${shown.id}`)).status, 204);
      app.clock.at += 2000;
      assert.equal((await app.get('/api/v4/user', token)).status, 401);
      assert.equal((await as(person, 'GET', `/personal_access_tokens/${shown.id}`)).json().revoked, true);
    });

    it('are created at the host’s address too, with a description', async () => {
      const person = await givenPerson(app.store);
      const body = { name: 'ci', description: 'for the nightly report', scopes: ['api'], expires_at: '2026-03-31' };
      const made = await as(person, 'POST', '/user/personal_access_tokens', body);
      assert.equal(made.status, 201);
      assert.equal(made.headers.get('Cache-Control'), 'no-store');
      const { token, ...shown } = made.json();
      assert.equal(shown.description, 'for the nightly report');
      assert.equal((await app.get('/api/v4/user', token)).json().id, person.user.id);
      const reader = await givenToken(app.store, person.user, ['read_api']);
      const refused = await app.ask('POST', '/api/v4/user/personal_access_tokens', { token: reader.text, body });
      assert.equal(refused.json().error, 'insufficient_scope');
    });

    it('are created by administrators for other users, as at the host, with a line in the log', async () => {
      const person = await givenPerson(app.store);
      const path = `/users/${person.user.id}/personal_access_tokens`;
      const body = { name: 'ci', scopes: ['read_api'], expires_at: '2999-01-31', description: 'of the pipeline' };
      const before = app.log.length;
      const created = await as(administrator, 'POST', path, body);
      assert.equal(created.status, 201);
      assert.equal(created.headers.get('Cache-Control'), 'no-store');
      const { token, ...shown } = created.json();
      assert.deepEqual(
        [shown.name, shown.scopes, shown.expires_at, shown.description, shown.user_id],
        ['ci', ['read_api'], '2999-01-31', 'of the pipeline', person.user.id],
      );
      assert.equal((await app.get('/api/v4/user', token)).json().id, person.user.id, 'it is a token of that user');
      assert.deepEqual((await as(person, 'GET', `/personal_access_tokens/${shown.id}`)).json().name, 'ci');

      const lines = app.log.slice(before).map((line) => JSON.stringify(line));
      const audited = lines.filter((line) => line.includes('created an access token for a user'));
      assert.equal(audited.length, 1);
      for (const fact of [
        `"by_user_id":${administrator.user.id}`,
        `"user_id":${person.user.id}`,
        `"token_id":${shown.id}`,
      ])
        assert.ok(audited[0]?.includes(fact), fact);
      assert.ok(!lines.some((line) => line.includes(token)), 'the token is in no line');

      assert.equal((await as(person, 'POST', path, body)).status, 403, 'also for oneself');
      const missing = await as(administrator, 'POST', '/users/99999/personal_access_tokens', body);
      assert.deepEqual([missing.status, missing.json()], [404, { message: '404 Not found' }]);
      assert.equal((await as(administrator, 'POST', path, { name: 'ci' })).status, 400);
      assert.equal((await as(administrator, 'POST', path, { ...body, expires_at: '2001-01-31' })).status, 400);
    });

    it('show when they were last used, with one write in ten minutes', async () => {
      const person = await givenPerson(app.store);
      const { id, token, last_used_at } = (
        await as(person, 'POST', '/personal_access_tokens', { name: 'ci', scopes: ['api'] })
      ).json();
      assert.equal(last_used_at, null);
      const lastUse = async () => {
        await app.tokensNoted();
        return (await as(person, 'GET', `/personal_access_tokens/${id}`)).json().last_used_at;
      };
      const first = new Date(app.clock.at).toISOString();
      await app.get('/api/v4/user', token);
      assert.equal(await lastUse(), first);
      app.clock.at += 9 * 60_000;
      await app.get('/api/v4/user', token);
      assert.equal(await lastUse(), first);
      app.clock.at += 60_000;
      await app.get('/api/v4/user', token);
      assert.equal(await lastUse(), new Date(app.clock.at).toISOString());
    });

    it('take their scopes as a list or with commas, and only known ones', async () => {
      const person = await givenPerson(app.store);
      const make = async (body: object) => (await as(person, 'POST', '/personal_access_tokens', body)).json();
      assert.deepEqual((await make({ name: 'a', scopes: 'api, read_api' })).scopes, ['api', 'read_api']);
      assert.match((await make({ name: 'a', scopes: ['sudo'] })).error, /^scopes does not have a valid value/);
      assert.equal((await make({ name: 'a' })).error, 'scopes is missing');
      assert.equal((await make({ scopes: ['api'] })).error, 'name is missing');
      assert.match(
        (await make({ name: 'a', scopes: 'api', expires_at: '2026-02-31' })).error,
        /^expires_at is invalid/,
      );
      assert.match(
        (await make({ name: 'a', scopes: 'api', expires_at: '2026-01-14' })).message,
        /must not be in the past/,
      );
    });

    it('of others are visible to administrators only', async () => {
      const [person, other] = [await givenPerson(app.store), await givenPerson(app.store)];
      const { id } = await givenToken(app.store, other.user);
      for (const method of ['GET', 'DELETE']) {
        assert.equal((await as(person, method, `/personal_access_tokens/${id}`)).status, 404);
      }
      assert.equal((await as(administrator, 'DELETE', `/personal_access_tokens/${id}`)).status, 204);
      const reader = await givenToken(app.store, person.user, ['read_api']);
      const body = { name: 'more', scopes: ['api'] };
      const answer = await app.ask('POST', '/api/v4/personal_access_tokens', { token: reader.text, body });
      assert.equal(answer.json().error, 'insufficient_scope');
    });

    it('remain valid after a change of the password, sessions do not', async () => {
      const { user, token } = await givenPerson(app.store);
      await as(administrator, 'PUT', `/users/${user.id}`, { password: 'first password' });
      const body = { username: user.username, password: 'first password' };
      const headers = headersOf(await app.ask('POST', '/-/session', { body }));
      const change = { current_password: 'first password', password: 'second password' };
      await app.ask('PUT', '/-/session/password', { body: change, headers: { ...headers } });
      assert.equal((await app.get('/api/v4/user', token)).status, 200);
      assert.equal((await app.ask('GET', '/api/v4/user', { headers: { ...headers } })).status, 401);
    });
  });
});
