import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Project } from '../../src/domain/projects/project.ts';
import { startApp, type RunningApp } from '../support/app.ts';
import { givenMember, givenProject } from '../support/factories.ts';
import { GO_SMALL } from '../support/sdks/go-sdk.ts';
import { folderOf, makeFolder, programText } from '../support/sdks/made-folder.ts';
import { runProgram } from '../support/sdks/run-program.ts';
import { SQLITE } from '../support/test-stores.ts';
import { suiteInFullRun } from '../support/full-run.ts';

const NAME = 'host-client-2.64.0';
const CLIENT = 'gitlab.com/gitlab-org/api/client-go/v2@v2.64.0';

interface Key {
  readonly id: number;
  readonly active: boolean;
  readonly public_key: string;
  /** Under the name of the client's own struct. */
  readonly sentry_dsn: string;
}

interface Settings {
  readonly active: boolean;
  readonly integrated: boolean;
  readonly project_name: string;
  readonly sentry_external_url: string;
}

interface Seen {
  readonly created: Settings;
  readonly disabled: Settings;
  readonly read: Settings;
  readonly link: Settings;
  readonly key: Key;
  readonly listed: Key[];
  readonly left: Key[];
}

/** What the calls of Terraform's provider read. */
interface Provided {
  readonly user: { readonly id: number; readonly username: string };
  readonly version: { readonly version: string };
  readonly token: { readonly active: boolean; readonly scopes: readonly string[]; readonly user_id: number };
  readonly by_path: { readonly id: number; readonly path_with_namespace: string };
  readonly by_id: { readonly id: number; readonly path_with_namespace: string };
  readonly fresh_not_found: boolean;
  readonly applied: object;
  readonly again: object;
  readonly created: readonly number[];
  readonly paged: readonly number[];
  readonly total: number;
  readonly pages: number;
  readonly gone_not_found: boolean;
  readonly unknown_not_found: boolean;
  readonly wrong_token_refused: boolean;
  readonly destroyed: object;
}

suiteInFullRun("the host's Go client", function () {
  this.timeout(600_000);
  let app: RunningApp;

  before(async function () {
    const missing = await makeFolder({
      name: NAME,
      toolchain: ['go', 'version'],
      advice: 'install Go 1.25 or later',
      files: {
        'main.go': programText('host-client/main.go'),
        'provider.go': programText('host-client/provider.go'),
        'go.mod': 'module shop\n\ngo 1.25\n',
      },
      steps: [
        { command: ['go', 'get', CLIENT], env: { GOTOOLCHAIN: 'local' }, fetches: true },
        { command: ['go', 'build', '-p', '1', ...GO_SMALL, '-o', 'shop', '.'], env: { GOTOOLCHAIN: 'local' } },
      ],
    });
    if (missing !== null) {
      console.log(`      skipped: ${missing.missing}`);
      this.skip();
    }
    app = await startApp(SQLITE);
  });
  after(() => (app as RunningApp | undefined)?.close());

  async function run(): Promise<Seen> {
    const project = await givenProject(app.store);
    const linked = await givenProject(app.store);
    const { user, token } = await givenMember(app.store, project, 'maintainer');
    await app.store.setMember(linked.id, user.id, 40);
    await link(linked, token);
    const { status, log } = await runProgram(join(folderOf(NAME), 'shop'), [
      app.url,
      token,
      project.path,
      String(linked.id),
    ]);
    assert.equal(status, 0, log);
    return JSON.parse(log) as Seen;
  }

  async function link(project: Project, token: string): Promise<void> {
    const body = { api_host: 'https://tracker.example', token: 'x1', organization_slug: 'acme', project_slug: 'shop' };
    const path = `/api/v4/projects/${project.id}/error_tracking/settings/thirdparty`;
    assert.equal((await app.ask('PUT', path, { token, body })).status, 200);
  }

  it('reads the DSN and the address of the tracker where both names are answered', async () => {
    app.deps.fieldNames = 'both';
    const { created, disabled, read, link: linked, key, listed, left } = await run();
    assert.deepEqual([created.active, created.integrated], [true, true]);
    assert.deepEqual([disabled.active, read.active], [false, false]);
    assert.match(
      key.sentry_dsn,
      new RegExp(`^https://${key.public_key}@errors\\.example\\.test/errortracking/api/v1/`),
    );
    assert.ok(listed.some((one) => one.id === key.id && one.sentry_dsn === key.sentry_dsn && one.active));
    assert.deepEqual(
      left.map(({ id }) => id),
      listed.map(({ id }) => id).filter((id) => id !== key.id),
    );
    assert.equal(linked.sentry_external_url, 'https://tracker.example/acme/shop/');
  });

  it("answers the calls of Terraform's provider: check, apply, a plan without changes, paging, destroy", async () => {
    app.deps.fieldNames = 'both';
    const project = await givenProject(app.store);
    const { user, token } = await givenMember(app.store, project, 'maintainer');
    const program = join(folderOf(NAME), 'shop');
    const { status, log } = await runProgram(program, ['provide', app.url, token, project.path]);
    assert.equal(status, 0, log);
    const seen = JSON.parse(log) as Provided;
    assert.deepEqual(
      [seen.user.id, seen.user.username, seen.version.version],
      [user.id, user.username, app.deps.version],
    );
    assert.deepEqual([seen.token.active, seen.token.scopes, seen.token.user_id], [true, ['api'], user.id]);
    assert.deepEqual(
      [seen.by_path, seen.by_id].map((found) => [found.id, found.path_with_namespace]),
      Array.from({ length: 2 }, () => [project.id, project.path]),
    );
    assert.equal(seen.fresh_not_found, true);
    const settings = { active: true, integrated: true, project_name: '', sentry_external_url: '', api_url: '' };
    assert.deepEqual([seen.applied, seen.again], [settings, settings]);
    // The first key was made with the settings.
    assert.deepEqual([seen.paged.slice(1), seen.total, seen.pages], [seen.created, 4, 2]);
    assert.deepEqual([seen.gone_not_found, seen.unknown_not_found, seen.wrong_token_refused], [true, true, true]);
    assert.deepEqual(seen.destroyed, { ...settings, active: false });
  });

  it('works with neutral names too, but reads neither', async () => {
    app.deps.fieldNames = 'neutral';
    const { key, link: linked } = await run();
    assert.deepEqual([key.sentry_dsn, linked.sentry_external_url], ['', '']);
    assert.match(key.public_key, /^\w+$/);
  });
});
