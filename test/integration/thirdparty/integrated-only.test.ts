import assert from 'node:assert/strict';
import { startApp, type Answer, type RunningApp } from '../../support/app.ts';
import { givenMember, givenProject } from '../../support/factories.ts';
import { SQLITE } from '../../support/test-stores.ts';

const CANNOT_MERGE = 'Errors of a third-party tracker cannot be merged or unmerged here: use the tracker';

describe('operations for integrated projects only, over HTTP', () => {
  let app: RunningApp;
  let base: string;
  let token: string;

  before(async () => {
    app = await startApp(SQLITE);
    const project = await givenProject(app.store);
    ({ token } = await givenMember(app.store, project, 'developer'));
    await app.store.saveSettings(project.id, {
      active: true,
      integrated: false,
      apiUrl: 'https://tracker.example/api/0/projects/org/app/',
      sealedToken: 'x',
    });
    base = `/api/v4/projects/${project.id}/error_tracking`;
  });
  after(() => app.close());

  const asked = (method: string, path: string): Promise<Answer> =>
    app.ask(method, base + path, { token, ...(method === 'POST' ? { body: { ids: ['2'] } } : {}) });

  const rows: readonly (readonly [method: string, path: string, message: string])[] = [
    ['GET', '/releases', 'the connected third-party tracker cannot list releases'],
    ['GET', '/filter_values', 'the connected third-party tracker cannot list environments and releases'],
    ['GET', '/errors/1/users', 'the connected third-party tracker cannot list the users of an error'],
    ['POST', '/errors/1/merge', CANNOT_MERGE],
    ['POST', '/errors/1/unmerge', CANNOT_MERGE],
  ];
  for (const [method, path, message] of rows) {
    it(`${method} ${path} is refused for a project of a tracker`, async () => {
      const answer = await asked(method, path);
      assert.deepEqual([answer.status, answer.json()], [400, { message, code: 'unsupported_by_tracker' }]);
    });
  }

  it('answers 404 first for what cannot be an id', async () => {
    for (const [method, path] of rows.filter(([, each]) => each.startsWith('/errors/'))) {
      assert.equal((await asked(method, path.replace('/1/', `/${'x'.repeat(65)}/`))).status, 404, path);
    }
  });
});
