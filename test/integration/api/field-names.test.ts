import assert from 'node:assert/strict';
import type { Project } from '../../../src/domain/projects/project.ts';
import { startApp, type RunningApp } from '../../support/app.ts';
import { givenMember, givenTrackedProject, type Person } from '../../support/factories.ts';
import { describeOnStores } from '../../support/test-stores.ts';

const LINK = {
  api_host: 'https://tracker.example',
  token: 'sntryu_a1b2c3',
  organization_slug: 'acme',
  project_slug: 'shop',
};

describeOnStores('names of members', (kind) => {
  let app: RunningApp;
  let project: Project;
  let maintainer: Person;
  let base: string;

  before(async () => {
    app = await startApp(kind);
  });
  after(() => app.close());
  beforeEach(async () => {
    app.deps.fieldNames = 'neutral';
    project = await givenTrackedProject(app.store);
    maintainer = await givenMember(app.store, project, 'maintainer');
    base = `/api/v4/projects/${project.id}/error_tracking`;
  });

  const ask = async (method: string, path: string, body?: object) =>
    (
      await app.ask(method, `${base}${path}`, { token: maintainer.token, ...(body === undefined ? {} : { body }) })
    ).json();

  it('are the neutral ones by default', async () => {
    assert.ok(!('sentry_dsn' in (await ask('POST', '/client_keys'))));
    assert.ok(!('sentry_external_url' in (await ask('GET', '/settings'))));
  });

  it('also include the host’s where that is configured, with the same values', async () => {
    app.deps.fieldNames = 'both';
    const created = await ask('POST', '/client_keys');
    assert.match(created.thirdparty_dsn, /^https:\/\//);
    assert.equal(created.sentry_dsn, created.thirdparty_dsn);
    const [listed] = await ask('GET', '/client_keys?usage=true');
    assert.equal(listed.sentry_dsn, created.thirdparty_dsn);
    assert.equal((await ask('PUT', `/client_keys/${created.id}`, { active: false })).sentry_dsn, created.sentry_dsn);
    assert.equal((await ask('DELETE', `/client_keys/${created.id}`)).sentry_dsn, created.sentry_dsn);

    const hidden = await ask('GET', '/settings');
    assert.deepEqual([hidden.thirdparty_external_url, hidden.sentry_external_url], [null, null]);
    const linked = await ask('PUT', '/settings/thirdparty', LINK);
    assert.equal(linked.sentry_external_url, 'https://tracker.example/acme/shop/');
    assert.equal(linked.thirdparty_external_url, linked.sentry_external_url);
    assert.equal((await ask('PATCH', '/settings', { active: false })).sentry_external_url, linked.sentry_external_url);
  });
});
