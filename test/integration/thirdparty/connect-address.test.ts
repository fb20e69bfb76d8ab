import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Project } from '../../../src/domain/projects/project.ts';
import { createApp } from '../../../src/gateway/app.ts';
import { reportingLogger, type ErrorReport } from '../../../src/observability/reporting.ts';
import { startApp, type RunningApp } from '../../support/app.ts';
import { givenMember, givenProject, type Person } from '../../support/factories.ts';
import { SQLITE } from '../../support/test-stores.ts';

const HOST = 'https://tracker.example';

const pick = ({ message }: { readonly message: string }) => ({ message });

describe('the address of Connect', () => {
  let app: RunningApp;
  let project: Project;
  let maintainer: Person;

  before(async () => {
    app = await startApp(SQLITE);
    project = await givenProject(app.store);
    maintainer = await givenMember(app.store, project, 'maintainer');
  });
  after(() => app.close());

  const save = () =>
    app.ask('PATCH', `/${project.path}/-/settings/operations.json`, {
      token: maintainer.token,
      body: {
        project: {
          error_tracking_setting_attributes: {
            ...{ enabled: true, integrated: false, api_host: HOST, token: 'sntryu_a1b2c3' },
            project: { slug: 'shop', name: 'Shop', organization_slug: 'acme', organization_name: 'Acme' },
          },
        },
      },
    });

  it('reports no token in the address of a request that fails unexpectedly', async () => {
    const secret = 'sntryu_never_reported';
    const path = `/${project.path}/-/error_tracking/projects.json?api_host=https%3A%2F%2Ft.example&token=${secret}`;
    const reports: ErrorReport[] = [];
    const broken = createApp({
      ...app.deps,
      logger: reportingLogger(app.deps.logger, (report) => reports.push(report)),
      trackers: { ...app.deps.trackers, connect: () => Promise.reject(new Error('it broke')) },
    });
    const handle = broken.callback();
    const server = createServer((request, response) => void handle(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = server.address() as AddressInfo;
      const headers = { 'PRIVATE-TOKEN': maintainer.token };
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
      assert.equal(answer.status, 500);
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
    assert.equal(reports.length, 1);
    const told = reports.map(({ error, message, facts }) => ({ message, facts, stack: error.stack }));
    assert.match(JSON.stringify(told), /projects\.json/);
    for (const text of [told, app.log]) assert.ok(!JSON.stringify(text).includes(secret));
    assert.ok(!(await app.deps.metrics.registry.metrics()).includes(secret));
  });

  it('asks with the stored token where the request has none, and only at its own tracker', async () => {
    const connect = (host: string, token = '') =>
      app.get(`/${project.path}/-/error_tracking/projects.json?api_host=${host}${token}`, maintainer.token);
    const missing = { message: 'Token is a required field' };
    assert.equal((await connect(HOST)).headers.get('Cache-Control'), 'no-store');
    assert.deepEqual(pick((await connect(HOST)).json()), missing);
    await save();
    // The tracker cannot be reached: the stored token was taken.
    assert.notDeepEqual(pick((await connect(HOST)).json()), missing);
    assert.deepEqual(pick((await connect(HOST, '&token=')).json()), missing);
    assert.deepEqual(pick((await connect('https://elsewhere.example')).json()), missing);
  });
});
