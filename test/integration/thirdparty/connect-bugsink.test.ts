import assert from 'node:assert/strict';
import type { Project } from '../../../src/domain/projects/project.ts';
import { startApp, type RunningApp } from '../../support/app.ts';
import { givenMember, givenProject, type Person } from '../../support/factories.ts';
import { startFakeTracker, type FakeTracker } from '../../support/fake-tracker/fake-tracker.ts';
import { SQLITE } from '../../support/test-stores.ts';

const TOKEN = 'b'.repeat(40);

describe('Connect with the address of a Bugsink', () => {
  let app: RunningApp;
  let tracker: FakeTracker;
  let project: Project;
  let maintainer: Person;

  before(async () => {
    app = await startApp(SQLITE);
    tracker = await startFakeTracker('Bugsink');
    project = await givenProject(app.store);
    maintainer = await givenMember(app.store, project, 'maintainer');
  });
  after(async () => {
    await app.close();
    await tracker.close();
    tracker.assertClean();
  });

  async function connect(apiHost: string) {
    const query = new URLSearchParams({ api_host: apiHost, token: TOKEN });
    const path = `/${project.path}/-/error_tracking/projects.json?${query.toString()}`;
    const { status, text } = await app.get(path, maintainer.token);
    return { status, ...(JSON.parse(text) as { message: string; advice: { code: string; message: string }[] }) };
  }

  for (const place of ['', '/']) {
    it(`says that it cannot be read, and nothing of scopes or the token: ${place || 'no path'}`, async () => {
      const { status, message, advice } = await connect(tracker.origin + place);
      assert.deepEqual([status, message], [400, 'Third-party response status code: 404']);
      assert.deepEqual(
        advice.map(({ code }) => code),
        ['not_a_tracker'],
      );
      const said = advice.map((each) => each.message).join('\n');
      assert.match(
        said,
        /^This server is a Bugsink\. It accepts events from Sentry SDKs, but has no Sentry-compatible API/m,
      );
      assert.doesNotMatch(said, /scope|token/);
    });
  }

  it('names it where the address of one of its pages was pasted', async () => {
    const { status, advice } = await connect(`${tracker.origin}/issues/3/`);
    assert.equal(status, 400);
    assert.deepEqual(
      advice.map(({ code }) => code),
      ['not_a_tracker'],
    );
    assert.match(advice[0]?.message ?? '', /Bugsink/);
  });
});
