import assert from 'node:assert/strict';
import type { Project } from '../../../src/domain/projects/project.ts';
import { startApp, type RunningApp } from '../../support/app.ts';
import { givenBuildTool, makeBundle, minifiedPair, sha1, toolWith, type BuildTool } from '../../support/build-tools.ts';
import { givenMember } from '../../support/factories.ts';
import { describeOnStores } from '../../support/test-stores.ts';

const RELEASE = 'web@1.0.0';
const bundleOf = (n: number) => makeBundle(minifiedPair(`85350b67-0000-4000-8000-00000000000${n}`));

describeOnStores('builds of a project that was moved', (kind) => {
  let app: RunningApp;
  let web: Project;
  let tool: BuildTool;

  beforeEach(async () => {
    app = await startApp(kind);
    web = await create('shop/web');
    tool = await givenBuildTool(app, [web]);
  });
  afterEach(() => app.close());

  const create = (path: string) => app.store.createProject({ path, name: path, visibility: 'private' });
  const move = (path: string) => app.store.updateProject(web.id, { path });

  /** Asks what tools ask in a build, by the names that they have. */
  async function build(given: BuildTool, organization: string, project: string, n: number): Promise<void> {
    const ask = async (method: string, path: string, body?: unknown) => {
      const answer = await given.ask(method, path, body);
      assert.ok(answer.status < 300, `${method} ${path} ${answer.text}`);
      return answer;
    };
    const releases = `organizations/${organization}/releases`;
    assert.equal((await ask('GET', `organizations/${organization}/`)).json().slug, organization);
    await ask('POST', `projects/${organization}/${project}/releases/`, { version: RELEASE });
    await ask('POST', `${releases}/`, { version: RELEASE, projects: [project] });
    await ask('GET', `organizations/${organization}/repos/`);
    await ask('GET', `${releases}/${RELEASE}/previous-with-commits/`);
    await ask('GET', `organizations/${organization}/chunk-upload/`);
    const uploaded = await given.upload(organization, bundleOf(n), { projects: [project], version: RELEASE });
    assert.equal(uploaded.json().state, 'ok', uploaded.text);
    await ask('PUT', `${releases}/${RELEASE}/`, { dateReleased: '2026-01-15T12:00:00Z' });
    await ask('POST', `${releases}/${RELEASE}/deploys/`, { environment: 'production' });
    const mapping = Buffer.from(`com.example.Shop${n} -> a.b:\n`);
    const hash = sha1(mapping);
    assert.equal((await given.send(organization, [mapping])).status, 200);
    const files = { [hash]: { name: `proguard/6a1c0b3e-7f7d-4d2a-9d53-00000000000${n}.txt`, chunks: [hash] } };
    const taken = await ask('POST', `projects/${organization}/${project}/files/difs/assemble/`, files);
    assert.equal(taken.json()[hash].state, 'ok', taken.text);
  }

  it('go on with the names that the project had, and with those that it has', async () => {
    await move('store/web');
    await build(tool, 'shop', 'web', 1);
    await build(tool, 'store', 'web', 2);
    await move('store/front/site');
    await build(tool, 'shop', 'web', 3);
    await build(tool, 'store', 'web', 4);
    await build(tool, 'shop', 'front-site', 5);
    assert.equal((await app.store.listBundles(web.id)).length, 10);
    assert.equal((await app.store.deploysOfRelease(web.id, RELEASE)).length, 5);
  });

  it('go on with a token for several projects, of which one was moved', async () => {
    const other = await create('shop/app');
    const both = await givenBuildTool(app, [web, other]);
    await move('store/web');
    await build(both, 'shop', 'web', 1);
    await build(both, 'shop', 'app', 2);
    assert.equal((await app.store.listBundles(other.id)).length, 2);
  });

  it('go on with a token of a user, until another project is in the group', async () => {
    const { token, user } = await givenMember(app.store, web, 'developer');
    await move('store/web');
    await build(toolWith(app, token), 'shop', 'web', 1);
    const other = await create('shop/web');
    await app.store.setMember(other.id, user.id, 30);
    await build(toolWith(app, token), 'shop', 'web', 2);
    assert.equal((await app.store.listBundles(other.id)).length, 2, 'the project of that path');
    assert.equal((await app.store.listBundles(web.id)).length, 2);
  });

  it('learn nothing of the group that the project left, and are told what to do when its path is taken', async () => {
    const bundle = bundleOf(9);
    const stays = await create('shop/app');
    const staying = await givenBuildTool(app, [stays]);
    assert.equal((await staying.send('shop', [bundle])).status, 200);
    await move('store/web');
    const body = { checksum: sha1(bundle), chunks: [sha1(bundle)], projects: ['web'] };
    const answer = (await tool.ask('POST', 'organizations/shop/artifactbundle/assemble/', body)).json();
    assert.deepEqual(answer.missingChunks, [sha1(bundle)]);
    assert.equal((await tool.ask('GET', 'projects/shop/app/')).status, 404);
    await create('shop/web');
    const refused = await tool.ask('GET', 'organizations/shop/chunk-upload/');
    assert.equal(refused.status, 404);
    assert.match(refused.json().detail, /^There is no organization "shop" .+ make a new token\.$/);
  });
});
