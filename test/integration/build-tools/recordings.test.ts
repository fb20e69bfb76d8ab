import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import type { Project } from '../../../src/domain/projects/project.ts';
import { startApp, type RunningApp } from '../../support/app.ts';
import { formOf, givenBuildTool, recordings, type BuildTool, type RecordedRequest } from '../../support/build-tools.ts';
import { makeLinks } from '../../support/link-data.ts';
import { describeOnStores } from '../../support/test-stores.ts';

/** Requests that are answered with 404 on purpose, which tools accept. */
const ABSENT = /\/(environments|keys)\/$/;

/** What unchanged tools really sent, answered as they need it. */
describeOnStores('recorded requests of build tools', (kind) => {
  let app: RunningApp;
  let tool: BuildTool;
  let project: Project;

  before(async () => {
    app = await startApp(kind);
    project = await app.store.createProject({ path: 'demo/shop', name: 'shop', visibility: 'private' });
    await app.store.setProjectLinks(project.id, makeLinks());
    tool = await givenBuildTool(app, [project]);
  });
  after(() => app.close());

  async function replay({ method, path, query = '', body, part }: RecordedRequest) {
    const headers: Record<string, string> = { authorization: `Bearer ${tool.token}` };
    if (part === undefined) return app.ask(method, path + query, { headers, ...(body === undefined ? {} : { body }) });
    const content = Buffer.from(part.content, 'base64');
    const sent = part.name === 'file_gzip' ? gzipSync(content) : content;
    const form = formOf([{ ...part, content: sent }]);
    return app.ask(method, path, { headers: { ...headers, 'content-type': form.contentType }, body: form.body });
  }

  for (const [name, requests] of recordings()) {
    it(`${name}: every request is answered, and its maps are found by debug id`, async () => {
      for (const { id } of await app.store.listBundles(project.id)) await app.store.removeBundle(project.id, id);
      const states: string[] = [];
      for (const request of requests) {
        const answer = await replay(request);
        const label = `${request.method} ${request.path}: ${answer.text}`;
        if (ABSENT.test(request.path)) assert.equal(answer.status, 404, label);
        else if (request.answer.status === 201) assert.ok([201, 208].includes(answer.status), label);
        else assert.equal(answer.status, request.answer.status, label);
        if (request.path.endsWith('artifactbundle/assemble/')) states.push(answer.json().state);
      }
      // Chunks of an earlier recording may be there.
      assert.equal(states.at(-1), 'ok');
      const bundles = await app.store.listBundles(project.id);
      const [bundle, ...more] = bundles.filter(({ kind: each }) => each === 'sourcemaps');
      assert.deepEqual(more, []);
      const sendsMapping = requests.some(({ path }) => /\/files\/(difs|dsyms)\//.test(path));
      assert.equal(bundles.filter(({ kind: each }) => each === 'proguard').length, sendsMapping ? 1 : 0);
      assert.equal(bundle?.release, 'shop@1.0.0');
      assert.ok(bundle.debugIds.length > 0, 'has debug ids');
      for (const debugId of bundle.debugIds) {
        const [map] = await app.store.mapsByDebugId(project.id, debugId);
        assert.equal(map?.problem, null);
        assert.ok((await app.store.readFile(map.file!))!.length > 0);
      }
    });
  }

  it('leave commits, dates and deploys', async () => {
    const release = await app.store.buildRelease(project.id, 'shop@1.0.0');
    assert.ok((release?.releasedAt ?? null) !== null && (release?.startedAt ?? null) !== null);
    assert.match(release?.refs[0]?.commit ?? '', /^[0-9a-f]{40}$/);
    const commits = await app.store.commitsOfRelease(project.id, 'shop@1.0.0');
    assert.ok(commits.length > 0 && commits[0]!.files.length > 0);
    const deploys = await app.store.deploysOfRelease(project.id, 'shop@1.0.0');
    assert.ok(deploys.length > 0 && deploys.every(({ environment }) => environment === 'production'));
  });
});
