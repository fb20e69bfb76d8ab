import assert from 'node:assert/strict';
import type { Project } from '../../../src/domain/projects/project.ts';
import { routes } from '../../../src/gateway/routes.ts';
import { startApp, type RunningApp } from '../../support/app.ts';
import { givenBuildTool, makeBundle, minifiedPair, sha1, toolWith, type BuildTool } from '../../support/build-tools.ts';
import { givenMember, givenToken } from '../../support/factories.ts';
import { SQLITE } from '../../support/test-stores.ts';

const toolRoutes = routes.filter(({ surface }) => surface === 'tools');

describe('access of build tools', () => {
  let app: RunningApp;
  let shop: Project;
  let web: Project;
  let foreign: Project;
  let tool: BuildTool;

  before(async () => {
    app = await startApp(SQLITE);
    const create = (path: string) => app.store.createProject({ path, name: path, visibility: 'private' });
    [shop, web, foreign] = [await create('demo/shop'), await create('demo/front/web'), await create('other/app')];
    tool = await givenBuildTool(app, [shop]);
  });
  after(() => app.close());

  const pathOf = (path: string, project = 'shop', organization = 'demo') =>
    path
      .replace('/api/0/', '')
      .replace(':organization', organization)
      .replace(':project', project)
      .replace(':version', 'shop@1.0.0');

  it('every route has an action, and refuses requests without a token with a detail', async () => {
    assert.ok(toolRoutes.length > 25);
    for (const { method, path, action } of toolRoutes) {
      assert.equal(action, 'use_build_tools');
      const answer = await app.ask(method, `/api/0/${pathOf(path)}`);
      assert.equal(answer.status, 401, path);
      assert.match(answer.json().detail, /token/);
    }
  });

  it('every route refuses tokens that only read', async () => {
    const { user } = await givenMember(app.store, shop, 'owner');
    const reading = toolWith(app, (await givenToken(app.store, user, ['read_api'])).text);
    for (const { method, path } of toolRoutes) {
      const answer = await reading.ask(method, pathOf(path));
      assert.equal(answer.status, 403, path);
      assert.match(answer.json().detail, /scope/);
    }
  });

  it('hides projects that the token is not for, whatever its owner may do', async () => {
    const { user } = await givenMember(app.store, shop, 'owner');
    await app.store.setMember(foreign.id, user.id, 50);
    for (const { method, path } of toolRoutes.filter((route) => route.path.includes(':project'))) {
      for (const [project, organization] of [
        ['front-web', 'demo'],
        ['app', 'other'],
        ['nothing', 'demo'],
      ] as const) {
        const answer = await tool.ask(method, pathOf(path, project, organization));
        assert.equal(answer.status, 404, `${method} ${path} ${project}`);
        assert.equal(typeof answer.json().detail, 'string');
      }
    }
    for (const { method, path } of toolRoutes.filter((route) => route.path.includes(':organization'))) {
      assert.equal((await tool.ask(method, pathOf(path, 'app', 'other'))).status, 404, path);
    }
    assert.deepEqual(
      (await tool.ask('GET', 'organizations/')).json().map(({ slug }: { slug: string }) => slug),
      ['demo'],
    );
    const projects = (await tool.ask('GET', 'projects/')).json();
    assert.deepEqual(
      projects.map(({ slug }: { slug: string }) => slug),
      ['shop'],
    );
  });

  it('refuses an upload to another project, by slug and by id', async () => {
    const body = { checksum: '0'.repeat(40), chunks: ['0'.repeat(40)] };
    const path = 'organizations/demo/artifactbundle/assemble/';
    for (const name of ['front-web', String(web.id), web.id, foreign.id]) {
      const answer = await tool.ask('POST', path, { ...body, projects: [name] });
      assert.equal(answer.status, 400, String(name));
      assert.match(answer.json().detail, /There is no project/);
    }
    assert.equal((await tool.ask('POST', path, { ...body, projects: ['shop'] })).json().state, 'not_found');
  });

  it('does not accept the token anywhere else', async () => {
    for (const path of [
      '/api/v4/projects',
      `/api/v4/projects/${shop.id}`,
      '/api/v4/user',
      '/api/v4/personal_access_tokens',
    ]) {
      assert.equal((await app.get(path, tool.token)).status, 403, path);
    }
  });

  it('does not accept a role below developer', async () => {
    const { token } = await givenMember(app.store, shop, 'reporter');
    const reporter = toolWith(app, token);
    assert.equal((await reporter.ask('GET', 'organizations/demo/chunk-upload/')).status, 404);
    const { token: allowed } = await givenMember(app.store, shop, 'developer');
    assert.equal((await toolWith(app, allowed).ask('GET', 'organizations/demo/chunk-upload/')).status, 200);
  });

  it('tells no organization which chunks another one has', async () => {
    const bundle = makeBundle(minifiedPair('85350b67-0000-4000-8000-00000000000a'));
    assert.equal((await tool.send('demo', [bundle])).status, 200);
    const other = await givenBuildTool(app, [foreign]);
    const body = { checksum: sha1(bundle), chunks: [sha1(bundle)], projects: ['app'] };
    const answer = (await other.ask('POST', 'organizations/other/artifactbundle/assemble/', body)).json();
    assert.deepEqual(answer, { state: 'not_found', missingChunks: [sha1(bundle)], detail: null });
  });

  it('ends with the revocation of the token', async () => {
    const { user } = await givenMember(app.store, shop, 'maintainer');
    const { text } = await givenToken(app.store, user);
    const path = `/api/v4/projects/${shop.id}/access_tokens`;
    const made = await app.ask('POST', path, { token: text, body: { name: 'ci', scopes: ['ci'] } });
    assert.equal(made.status, 201);
    const { token, id } = made.json();
    const [head, facts, secret, ...more] = token.split('_');
    assert.deepEqual([head, more], ['sntrys', []]);
    assert.match(secret, /^[A-Za-z0-9+/]{43}$/);
    const { org, url } = JSON.parse(Buffer.from(facts, 'base64').toString());
    assert.deepEqual([org, url], ['demo', 'https://errors.example.test']);
    const mine = toolWith(app, token);
    assert.equal((await mine.ask('GET', 'organizations/demo/')).status, 200);
    await app.tokensNoted();
    const listed = (await app.get(path, text)).json();
    const found = listed.find((one: { id: number }) => one.id === id);
    assert.ok(found.last_used_at !== null && found.token === undefined);
    assert.equal((await app.ask('DELETE', `${path}/${id}`, { token: text })).status, 204);
    app.clock.at += 2000;
    assert.equal((await mine.ask('GET', 'organizations/demo/')).status, 401);
  });
});
