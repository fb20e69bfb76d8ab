import assert from 'node:assert/strict';
import type { Project } from '../../../src/domain/projects/project.ts';
import { startApp, type RunningApp } from '../../support/app.ts';
import { givenMember, givenProject, type Person } from '../../support/factories.ts';
import { SQLITE } from '../../support/test-stores.ts';

const HOST = 'https://tracker.example';
const TOKEN = 'sntryu_a1b2c3';
const NO_SLUG = 'Project slug is invalid: give the last part of its address in the tracker, such as web-shop';
const SHOP = {
  slug: 'shop',
  name: 'Web Shop',
  organization_slug: 'acme',
  organization_name: 'Acme Inc',
  sentry_project_id: '9007199254740993',
};

describe('saving the link to a tracker', () => {
  let app: RunningApp;
  let project: Project;
  let maintainer: Person;

  before(async () => {
    app = await startApp(SQLITE);
  });
  after(() => app.close());
  beforeEach(async () => {
    app.deps.integratedOffered = true;
    project = await givenProject(app.store);
    maintainer = await givenMember(app.store, project, 'maintainer');
  });

  const save = (attributes: unknown) =>
    app.ask('PATCH', `/${project.path}/-/settings/operations.json`, {
      token: maintainer.token,
      body: { project: { error_tracking_setting_attributes: attributes } },
    });
  const whole = (patch: object = {}) => ({
    enabled: true,
    integrated: false,
    api_host: HOST,
    token: TOKEN,
    project: SHOP,
    ...patch,
  });
  const stored = async () => (await app.store.settings(project.id))!;
  const storedToken = async () => {
    const { sealedToken } = await stored();
    return sealedToken === null ? null : app.trackers.cipher.decrypt(sealedToken, project.id);
  };

  it('stores address, encrypted token and project', async () => {
    const answer = await save(whole());
    assert.deepEqual([answer.status, answer.json()], [200, { status: 'success' }]);
    const { sealedToken, ...settings } = await stored();
    assert.deepEqual(settings, {
      projectId: project.id,
      active: true,
      integrated: false,
      apiUrl: `${HOST}/api/0/projects/acme/shop/`,
      projectName: 'Web Shop',
      organizationName: 'Acme Inc',
      thirdpartyProjectId: '9007199254740993',
      tracker: null,
    });
    assert.match(sealedToken ?? '', /^v1\.[0-9a-f]{12}\./);
    assert.equal(await storedToken(), TOKEN);
  });

  describe('builds the address from what people enter', () => {
    for (const [entered, base] of [
      [`${HOST}/`, HOST],
      [`  ${HOST}//  `, HOST],
      [`${HOST}/api/0/`, HOST],
      [`${HOST}/api/0/projects/other/one/`, HOST],
      [`${HOST}/?project=1#top`, HOST],
      [`${HOST}:9000/errors/`, `${HOST}:9000/errors`],
    ] as const) {
      it(entered, async () => {
        assert.equal((await save(whole({ api_host: entered }))).status, 200);
        assert.equal((await stored()).apiUrl, `${base}/api/0/projects/acme/shop/`);
      });
    }
  });

  describe('refuses with the words of the host', () => {
    const rows: [patch: object, message: string][] = [
      [{ api_host: '' }, 'Api url is a required field'],
      [{ token: '' }, 'Token is a required field'],
      [{ api_host: '', token: '' }, 'Api url is a required field, Token is a required field'],
      [{ project: null }, 'Project is a required field'],
      [{ project: { ...SHOP, slug: '' } }, 'Api url is invalid'],
      [{ project: { ...SHOP, slug: '..' } }, NO_SLUG],
      [{ token: '****' }, 'Token is a required field'],
      [{ token: 'two words' }, 'Token is invalid'],
      [{ api_host: 'ftp://tracker.example' }, 'Api url is blocked: Only allowed schemes are http, https'],
      [{ api_host: 'tracker.example' }, 'Api url is blocked: Only allowed schemes are http, https'],
      [{ api_host: 'https://' }, 'Api url is blocked: Hostname or IP address invalid'],
      [{ api_host: { a: 1 } }, 'Api url is invalid'],
      [{ api_host: ['https://tracker.example'] }, 'Api url is invalid'],
      [{ token: { a: 1 } }, 'Token is invalid'],
      [{ api_host: 'http://10.0.0.1' }, 'Api url is blocked: Requests to the local network are not allowed'],
      [{ api_host: 'http://[::1]' }, 'Api url is blocked: Requests to localhost are not allowed'],
      [{ api_host: 'http://169.254.1.1' }, 'Api url is blocked: Requests to the link local network are not allowed'],
      [{ api_host: 'http://100.64.0.1' }, 'Api url is blocked: Requests to the shared address space are not allowed'],
      [{ api_host: 'https://tracker.example/<script>' }, 'Api url is blocked: HTML/CSS/JS tags are not allowed'],
      [{ api_host: `${HOST}/${'x'.repeat(250)}` }, 'Api url is too long (maximum is 255 characters)'],
      [{ enabled: 'maybe' }, 'enabled is invalid'],
      [{ integrated: 'maybe' }, 'integrated is invalid'],
      [{ project: { ...SHOP, name: 'x'.repeat(256) } }, 'project name is too long (maximum is 255 characters)'],
    ];
    for (const [patch, message] of rows) {
      it(`${JSON.stringify(patch).slice(0, 60)}: ${message}`, async () => {
        const answer = await save(whole(patch));
        assert.equal(answer.status, 400);
        assert.deepEqual(answer.json(), { status: 'error', message });
        assert.equal(await app.store.settings(project.id), null);
      });
    }

    it('an address that is not ASCII', async () => {
      const answer = await save(whole({ api_host: 'https://trackér.example' }));
      assert.match(answer.json().message, /^Api url is blocked: URI must be ascii only/);
    });

    it('a body without the settings', async () => {
      for (const body of [{}, { project: 1 }, { project: { error_tracking_setting_attributes: [] } }]) {
        const path = `/${project.path}/-/settings/operations.json`;
        const answer = await app.ask('PATCH', path, { token: maintainer.token, body });
        assert.deepEqual(answer.json(), {
          status: 'error',
          message: 'project[error_tracking_setting_attributes] is missing',
        });
      }
    });
  });

  describe('the stored token', () => {
    beforeEach(() => save(whole()));

    it('stays behind the mask, also for another project of the same tracker', async () => {
      for (const mask of ['*', '************']) {
        assert.equal((await save(whole({ token: mask }))).status, 200);
        assert.equal((await save(whole({ token: mask, project: { ...SHOP, slug: 'other' } }))).status, 200);
        assert.equal(await storedToken(), TOKEN);
      }
    });

    for (const other of [
      'http://tracker.example',
      'https://tracker.example:4443',
      'https://tracker.example.evil.example',
      'https://tracker.exampl',
      'https://tracker.example/sub',
    ]) {
      it(`never goes to ${other}`, async () => {
        const answer = await save(whole({ token: '****', api_host: other }));
        assert.deepEqual(answer.json(), { status: 'error', message: 'Token is a required field' });
        assert.equal((await stored()).apiUrl, `${HOST}/api/0/projects/acme/shop/`);
        assert.equal((await save(whole({ token: '****', api_host: other, enabled: false }))).status, 200);
        assert.equal(await storedToken(), null);
      });
    }

    it('is not touched by a save of the switches alone, nor while the integrated backend serves', async () => {
      const before = await stored();
      await save({ enabled: false });
      assert.deepEqual(await stored(), { ...before, active: false });
      assert.equal((await save(whole({ integrated: true, api_host: '', token: '', project: null }))).status, 200);
      assert.deepEqual(await stored(), { ...before, integrated: true });
      const path = `/api/v4/projects/${project.id}/error_tracking/settings`;
      assert.equal((await app.get(path, maintainer.token)).json().api_url, null);
      await save({ integrated: false });
      assert.equal((await app.get(path, maintainer.token)).json().api_url, before.apiUrl);
    });
  });

  it('refuses slugs that would lead to another path of the tracker', async () => {
    await save(whole());
    const before = await stored();
    for (const slug of ['../../x', 'a/b', 'a\\b', '..', '.', 'a?b', 'a#b', '%2e%2e', 'a b', 'a\u0000b', 'a\nb']) {
      for (const [member, name] of [
        ['slug', 'Project'],
        ['organization_slug', 'Organization'],
      ] as const) {
        const answer = await save(whole({ project: { ...SHOP, [member]: slug } }));
        assert.equal(answer.status, 400, slug);
        const { message } = answer.json() as { message: string };
        assert.ok(slug.includes('\u0000') || message.startsWith(`${name} slug is invalid`), message);
      }
      const rest = await app.ask('PUT', `/api/v4/projects/${project.id}/error_tracking/settings/thirdparty`, {
        token: maintainer.token,
        body: { project_slug: slug },
      });
      assert.equal(rest.status, 400, slug);
    }
    assert.deepEqual(await stored(), before);
    for (const slug of ['web-shop', 'web_shop', 'Shop.2', 'café', '42']) {
      assert.equal((await save(whole({ project: { ...SHOP, slug } }))).status, 200, slug);
    }
  });

  it('refuses the integrated backend where it is not offered', async () => {
    app.deps.integratedOffered = false;
    const answer = await save({ enabled: true, integrated: true });
    assert.equal(answer.status, 404);
  });

  describe('over REST', () => {
    const put = (body: object | undefined) =>
      app.ask('PUT', `/api/v4/projects/${project.id}/error_tracking/settings/thirdparty`, {
        token: maintainer.token,
        body,
      });
    const link = {
      api_host: HOST,
      token: TOKEN,
      organization_slug: 'acme',
      project_slug: 'shop',
      sentry_project_id: 5,
    };

    it('links, changes the token alone, and keeps what is left out', async () => {
      const answer = await put(link);
      assert.equal(answer.status, 200);
      assert.deepEqual(answer.json(), {
        active: true,
        project_name: 'Shop',
        thirdparty_external_url: `${HOST}/acme/shop/`,
        api_url: `${HOST}/api/0/projects/acme/shop/`,
        integrated: false,
      });
      assert.ok(!answer.text.includes(TOKEN));
      const before = await stored();
      assert.equal(before.thirdpartyProjectId, '5');
      assert.equal((await put({ token: 'sntryu_new' })).status, 200);
      assert.equal(await storedToken(), 'sntryu_new');
      assert.deepEqual({ ...(await stored()), sealedToken: null }, { ...before, sealedToken: null });
      assert.equal((await put({ active: false })).json().active, false);
      assert.equal(await storedToken(), 'sntryu_new');
    });

    it('keeps the linked project while the address is of the same tracker', async () => {
      const named = { ...link, organization_name: 'Acme Inc', project_name: 'Web Shop' };
      assert.equal((await put(named)).status, 200);
      const before = await stored();
      assert.equal((await put({ thirdparty_project_id: '12' })).status, 200);
      assert.deepEqual(await stored(), { ...before, thirdpartyProjectId: '12' });
      assert.equal((await put({ api_host: `${HOST}/`, token: 'sntryu_new' })).status, 200);
      assert.deepEqual(
        { ...(await stored()), sealedToken: null },
        { ...before, thirdpartyProjectId: '12', sealedToken: null },
      );
      assert.equal(await storedToken(), 'sntryu_new');
    });

    it('keeps nothing of the linked project for another one', async () => {
      await put({ ...link, organization_name: 'Acme Inc', project_name: 'Web Shop' });
      assert.equal((await put({ project_slug: 'till' })).status, 200);
      const { apiUrl, projectName, organizationName, thirdpartyProjectId } = await stored();
      assert.equal(apiUrl, `${HOST}/api/0/projects/acme/till/`);
      assert.deepEqual([projectName, organizationName, thirdpartyProjectId], [null, 'Acme Inc', null]);
      const moved = await put({ api_host: 'https://elsewhere.example', token: TOKEN });
      assert.deepEqual([moved.status, moved.json()], [400, { message: 'Project is a required field' }]);
    });

    it('names no project where none is chosen', async () => {
      const answer = await put({ api_host: HOST, token: TOKEN, active: false });
      assert.equal(answer.status, 200, answer.text);
      assert.equal(answer.json().project_name, null);
    });

    it('changes nothing without a parameter, and names what may be given', async () => {
      await app.store.saveSettings(project.id, { active: false, integrated: true });
      const before = await stored();
      for (const body of [undefined, {}, { unknown: 1 }]) {
        const answer = await put(body);
        assert.equal(answer.status, 400);
        assert.deepEqual(answer.json(), { message: 'Api url is a required field, Token is a required field' });
        assert.deepEqual(await stored(), before);
      }
      await save(whole({ enabled: false }));
      await app.store.saveSettings(project.id, { integrated: true });
      const complete = await stored();
      const answer = await put({});
      assert.equal(answer.status, 400);
      assert.match(answer.json().error, /^active, api_host, token, .* are missing, at least one parameter must be/);
      assert.deepEqual(await stored(), complete);
    });

    it('has the same rules', async () => {
      assert.deepEqual((await put({ api_host: HOST, token: TOKEN })).json(), {
        message: 'Project is a required field',
      });
      assert.deepEqual((await put({})).json(), { message: 'Api url is a required field, Token is a required field' });
      await put(link);
      const moved = await put({ ...link, token: '*', api_host: 'https://elsewhere.example' });
      assert.deepEqual([moved.status, moved.json()], [400, { message: 'Token is a required field' }]);
    });
  });

  it('logs no token, whatever happens', async () => {
    await save(whole());
    await save(whole({ enabled: 'maybe' }));
    const connect = `/${project.path}/-/error_tracking/projects.json`;
    const secret = 'sntryu_never_logged';
    await app.get(`${connect}?api_host=http://127.0.0.1:1025&token=${secret}`, maintainer.token);
    await app.ask('POST', connect, {
      token: maintainer.token,
      body: { api_host: 'http://127.0.0.1:1025', token: secret },
    });
    const headers = { 'X-Thirdparty-Token': secret };
    const answer = await app.ask('GET', `${connect}?api_host=http://127.0.0.1:1025`, {
      token: maintainer.token,
      headers,
    });
    assert.equal(answer.json().message, 'Connection refused');
    const text = JSON.stringify(app.log);
    assert.ok(app.log.length > 3);
    assert.ok(!text.includes(secret) && !text.includes(TOKEN));
    assert.ok(!(await app.deps.metrics.registry.metrics()).includes(secret));
  });
});
