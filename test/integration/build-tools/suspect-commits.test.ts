import assert from 'node:assert/strict';
import { MAX_FILES_OF_COMMIT } from '../../../src/domain/artifacts/build.ts';
import type { Project } from '../../../src/domain/projects/project.ts';
import { startApp, type RunningApp } from '../../support/app.ts';
import { givenBuildTool, type BuildTool } from '../../support/build-tools.ts';
import { exception, frame, givenEvents, givenMember, givenTrackedProject } from '../../support/factories.ts';
import { makeLinks, makeRepository } from '../../support/link-data.ts';
import { describeOnStores } from '../../support/test-stores.ts';

const [OLD, NEW] = ['f00dbabe0001', 'c0ffee000002'];
const HOSTILE = '<script>alert(1)</script>\n\nSigned-off-by: Eve <eve@example.test>';

describeOnStores('suspect commits of an error', (kind) => {
  let app: RunningApp;
  let shop: Project;
  let tool: BuildTool;
  let token: string;
  let serial = 0;

  before(async () => {
    app = await startApp(kind);
  });
  beforeEach(async () => {
    shop = await givenTrackedProject(app.store, { path: `demo/suspects${(serial += 1)}` });
    tool = await givenBuildTool(app, [shop]);
    ({ token } = await givenMember(app.store, shop, 'reporter'));
  });
  after(() => app.close());

  const errors = () => `/api/v4/projects/${shop.id}/error_tracking/errors`;

  async function ask(method: string, path: string, body: unknown): Promise<void> {
    const answer = await tool.ask(method, path, body);
    assert.ok(answer.status < 300, answer.text);
  }

  /** Announces a release with two commits, the newer one about the cart. */
  async function announce(release: string, repository = 'origin'): Promise<void> {
    await ask('POST', 'organizations/demo/releases/', { version: release, projects: [shop.id] });
    const commit = (id: string, message: string, ...paths: string[]) => ({
      ...{ id, repository, message, author_name: 'Eve', author_email: 'eve@example.test' },
      ...{ timestamp: '2026-01-14T10:00:00Z', patch_set: paths.map((path) => ({ path, type: 'M' })) },
    });
    const commits = [commit(NEW, HOSTILE, 'web/src/cart.js', 'README.md'), commit(OLD, 'begin', 'web/src/main.js')];
    await ask('PUT', `organizations/demo/releases/${encodeURIComponent(release)}/`, { commits });
  }

  /** Stores an event and returns the id of its error. */
  async function happen(release: string | null, ...files: string[]): Promise<string> {
    const frames = files.map((filename) => frame({ filename, in_app: true }));
    const at = (app.clock.at += 1000);
    await givenEvents(app.store, shop, [{ at, event: { release, exceptions: [exception({ frames })] } }]);
    return (await app.get(errors(), token)).json()[0].id;
  }

  const read = async (id: string, query = '') => {
    const answer = await app.get(`${errors()}/${id}/suspect_commits${query}`, token);
    assert.equal(answer.status, 200, answer.text);
    return answer.json();
  };

  it('are those of its release that changed a file of a frame, with author, message and files', async () => {
    await announce('a@1');
    await announce('a@2');
    const id = await happen('a@1', 'src/main.js', 'src/other.js');
    const shown = await read(id);
    assert.deepEqual([shown.release, shown.built_from], ['a@1', NEW]);
    assert.deepEqual(
      shown.commits.map((each: Record<string, unknown>) => [each['id'], each['files']]),
      [[OLD, ['web/src/main.js']]],
    );
    const first = shown.event_id;
    await happen('a@1', 'src/main.js', 'src/cart.js');
    const [suspect, ...more] = (await read(id)).commits;
    assert.deepEqual(suspect, {
      ...{ id: NEW, repository: 'origin', title: '<script>alert(1)</script>', message: HOSTILE },
      ...{ author_name: 'Eve', author_email: 'eve@example.test', created_at: '2026-01-14T10:00:00.000Z' },
      files: ['web/src/cart.js'],
    });
    assert.deepEqual(
      more.map((each: Record<string, unknown>) => each['id']),
      [OLD],
    );
    assert.deepEqual(
      (await read(id, `?event_id=${first}`)).commits.map((each: Record<string, unknown>) => each['id']),
      [OLD],
    );
  });

  it('say how many changed files of the release were left out', async () => {
    await announce('a@1');
    const id = await happen('a@1', 'src/1.js');
    assert.equal((await read(id)).files_left_out, 0);
    const paths = Array.from({ length: MAX_FILES_OF_COMMIT + 3 }, (_, file) => ({ path: `web/src/${file}.js` }));
    await ask('PUT', 'organizations/demo/releases/a@1/', { commits: [{ id: NEW, patch_set: paths }] });
    const shown = await read(id);
    assert.deepEqual([shown.files_left_out, shown.commits.length], [3, 1]);
  });

  it('are none where no build told of the release', async () => {
    await announce('a@1');
    for (const release of ['a@9', null]) {
      const shown = await read(await happen(release, 'src/cart.js'));
      assert.deepEqual([shown.release, shown.built_from, shown.commits], [release, null, []]);
    }
  });

  it('lead to the commit of the repository of the project', async () => {
    const repository = makeRepository({ urlTemplate: 'https://git.test/acme/shop/-/blob/{ref}/{path}#L{line}' });
    await app.store.setProjectLinks(shop.id, makeLinks({ repository }));
    await announce('a@1', 'acme/api');
    const refs = [
      { repository: 'acme/api', commit: OLD },
      { repository: 'acme/shop', commit: NEW },
    ];
    await ask('PUT', 'organizations/demo/releases/a@1/', { refs });
    assert.equal((await read(await happen('a@1', 'src/cart.js'))).built_from, NEW);
  });

  it('are for those who may read errors, of this error alone', async () => {
    const id = await happen('a@1', 'src/cart.js');
    const guest = await givenMember(app.store, shop, 'guest');
    assert.equal((await app.get(`${errors()}/${id}/suspect_commits`, guest.token)).status, 403);
    assert.equal((await app.get(`${errors()}/${id}0/suspect_commits`, token)).status, 404);
    const unknown = `?event_id=${'0'.repeat(32)}`;
    assert.equal((await app.get(`${errors()}/${id}/suspect_commits${unknown}`, token)).status, 404);
    assert.equal((await app.get(`${errors()}/${id}/suspect_commits?event_id=x`, token)).status, 400);
  });
});
