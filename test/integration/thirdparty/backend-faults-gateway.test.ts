import assert from 'node:assert/strict';
import type { Project } from '../../../src/domain/projects/project.ts';
import type { TrackingSettings } from '../../../src/domain/projects/tracking-settings.ts';
import { TrackerCache } from '../../../src/thirdparty/cache.ts';
import { TrackerBackends } from '../../../src/thirdparty/tracker-backends.ts';
import { startApp, type Answer, type RunningApp } from '../../support/app.ts';
import { givenPerson, givenProject } from '../../support/factories.ts';
import { faults, type Fault } from '../../support/fake-tracker/faults.ts';
import { startLinkedWorld, TRACKER_TOKEN, type LinkedWorld } from '../../support/fake-tracker/linked-world.ts';
import type { FakeIssue } from '../../support/fake-tracker/world.ts';
import { SQLITE } from '../../support/test-stores.ts';
import { CACHE_SETTINGS } from '../../support/trackers.ts';

const NOW = Date.UTC(2026, 0, 15, 12);
const MINUTE = 60_000;

describe('the API while a tracker misbehaves', () => {
  let world: LinkedWorld;
  let app: RunningApp;
  let project: Project;
  let secretProject: Project;
  let token: string;
  let issue: FakeIssue;
  let secret: FakeIssue;
  let settings: TrackingSettings;
  const answers: string[] = [];

  beforeEach(async () => {
    answers.length = 0;
    world = await startLinkedWorld('Sentry 26', {
      now: NOW,
      lessons: 50,
      client: { responseTimeoutMs: 100, totalTimeoutMs: 250, retryDelayMs: 1, maxLimitWaitMs: 10 },
    });
    issue = world.tracker.world.addIssue(world.shop, { title: 'Error: of ours', events: [{ at: NOW - MINUTE }] });
    secret = world.tracker.world.addIssue(world.other, { title: 'Error: of others', events: [{ at: NOW - MINUTE }] });
    app = await startApp(SQLITE);
    const { cipher } = app.trackers;
    const cache = new TrackerCache({ settings: { ...CACHE_SETTINGS, patienceMs: 1000 }, clock: app.clock });
    const backends = new TrackerBackends({
      client: world.client,
      cipher,
      cache,
      clock: app.clock,
      answerNotReady: false,
    });
    app.deps.backendFor = (_project, own) => backends.backendFor(own);
    const link = async (linked: Project, to: LinkedWorld['shop']) => {
      const { projectId: _id, ...row } = world.settingsFor(linked.id, to);
      return app.store.saveSettings(linked.id, { ...row, sealedToken: cipher.encrypt(TRACKER_TOKEN, linked.id) });
    };
    project = await givenProject(app.store);
    secretProject = await givenProject(app.store);
    settings = await link(project, world.shop);
    await link(secretProject, world.other);
    token = (await givenPerson(app.store, true)).token;
    assert.ok(!cache.scopeOf(settings).includes(TRACKER_TOKEN));
  });
  afterEach(async () => {
    const shown = [
      answers.join('\n'),
      JSON.stringify(app.log),
      await app.deps.metrics.registry.metrics(),
      world.observed.join(),
    ];
    await app.close();
    await world.close();
    for (const text of shown) assert.ok(!text.includes(TRACKER_TOKEN), 'the token is shown');
    world.tracker.assertClean();
  });

  async function ask(method: string, path: string, body?: object): Promise<Answer> {
    const begun = performance.now();
    const answer = await app.ask(method, path, { token, ...(body === undefined ? {} : { body }) });
    assert.ok(performance.now() - begun < 6000, `${method} ${path} takes for ever`);
    answers.push(answer.text, JSON.stringify([...answer.headers]));
    return answer;
  }
  const rest = (rest_: string, of: Project = project): string =>
    `/api/v4/projects/${of.id}/error_tracking/errors${rest_}`;
  const web = (rest_: string): string => `/${project.path}/-/error_tracking${rest_}`;
  const everyRoute = (id: string): readonly [method: string, path: string, body?: object][] => [
    ['GET', rest('')],
    ['GET', rest(`/${id}`)],
    ['GET', rest(`/${id}/stack_trace`)],
    ['GET', rest(`/${id}/events`)],
    ['GET', rest(`/${id}/events/latest`)],
    ['GET', rest(`/${id}/events/${'a'.repeat(32)}`)],
    ['PUT', rest(`/${id}`), { status: 'resolved' }],
    ['GET', `/api/v4/projects/${project.id}/error_tracking/capabilities`],
    ['GET', web('.json')],
    ['GET', web(`/${id}/details.json`)],
    ['GET', web(`/${id}/stack_trace.json`)],
    ['PUT', web(`/${id}.json`), { status: 'resolved' }],
  ];

  it('answers on every route while the tracker is well', async () => {
    for (const [method, path, body] of everyRoute(issue.id)) {
      const { status, text } = await ask(method, path, body);
      assert.equal(status, path.includes('a'.repeat(32)) ? 404 : 200, `${method} ${path}: ${text}`);
    }
    assert.equal(issue.status, 'resolved');
  });

  const all: readonly Fault[] = [
    faults.hang(),
    faults.dripBody(),
    faults.dripHead(),
    faults.reset(),
    faults.half(),
    faults.halfChunked(),
    faults.noHttp(),
    faults.text('{"id":'),
    faults.text(''),
    faults.json(null),
    faults.json(42),
    faults.json('text'),
    faults.json([]),
    faults.json([[], 1, null, { id: {} }]),
    faults.json({}),
    faults.json({ id: '1', status: 'weird', project: 7, count: 'many', firstSeen: 'yesterday', entries: 'none' }),
    faults.deep(),
    faults.htmlLogin(),
    faults.htmlAsJson(),
    faults.huge(),
    faults.gzipBomb(),
    faults.brokenGzip(),
    faults.redirect('http://169.254.169.254/latest/meta-data/'),
    faults.redirect('http://127.0.0.1:1/'),
    faults.pleaseRetry(),
    faults.throttled(30),
    ...[400, 401, 403, 404, 405, 410, 418, 422, 500, 502, 503].map((status) => faults.status(status)),
    faults.status(204, '', {}),
    faults.status(401, `{"detail":"bad token ${TRACKER_TOKEN}"}`, { 'content-type': 'application/json' }),
  ];
  for (const fault of all) {
    it(`reports it on every route, and never as an internal error: ${fault.name}`, async () => {
      world.tracker.fail(fault);
      for (const [method, path, body] of everyRoute(issue.id)) {
        // Beyond what a failure is remembered for.
        app.clock.at += 2 * MINUTE;
        const answer = await ask(method, path, body);
        const { status, text } = answer;
        const place = `${method} ${path}: ${status} ${text.slice(0, 300)}`;
        assert.ok([200, 204, 400, 404, 502, 503].includes(status), place);
        if (status === 200) {
          const okAnyway = fault.name === 'status 204' || path.endsWith('capabilities') || fault.name === 'other JSON';
          assert.ok(okAnyway, place);
        } else {
          assert.ok(String(answer.json().message).length > 5, place);
          assert.doesNotMatch(text, /undefined|\[object|TypeError|at \w+ \(/, place);
        }
      }
      assert.equal(issue.status, 'unresolved');
      const mistakes = app.log.filter(({ level }) => level === 'error');
      assert.deepEqual(mistakes, [], 'nothing of it is a mistake of ours');
    });
  }

  it('shows the last known copy with its age, and asks once per refresh for a thousand readers', async () => {
    assert.equal((await ask('GET', rest(''))).status, 200);
    assert.equal((await ask('GET', rest(`/${issue.id}`))).status, 200);
    world.tracker.fail(faults.status(502));
    for (const batches of [10, 1, 1]) {
      app.clock.at += 6 * MINUTE;
      const before = world.tracker.requests.length;
      for (let batch = 0; batch < batches; batch += 1) {
        const many = await Promise.all(Array.from({ length: 100 }, () => app.get(rest(''), token)));
        for (const { status, headers } of many) {
          assert.equal(status, 200);
          assert.match(headers.get('x-errgate-stale-since') ?? '', /^2026-01-15T12:00/);
        }
      }
      // One question, which the client repeats once because the answer was 502.
      assert.ok(world.tracker.requests.length - before <= 2, `${world.tracker.requests.length - before} requests`);
    }
    const detail = await ask('GET', rest(`/${issue.id}`));
    assert.match(String(detail.json().stale_since), /^2026-01-15T12:00/);
    world.tracker.heal();
    app.clock.at += 6 * MINUTE;
    // The old copy is shown until the new one has come.
    let since: string | null = 'still';
    for (let tries = 0; tries < 200 && since !== null; tries += 1) {
      since = (await ask('GET', rest(''))).headers.get('x-errgate-stale-since');
    }
    assert.equal(since, null);
  }).timeout(120_000);

  it('never shows or changes errors of another project, with or without copies of them', async () => {
    assert.equal((await ask('GET', rest(`/${secret.id}`, secretProject))).status, 200);
    for (const [method, path, body] of everyRoute(secret.id)) {
      if (!path.includes(secret.id)) continue;
      const { status, text } = await ask(method, path, body);
      assert.equal(status, 404, `${method} ${path}`);
      assert.ok(!text.includes('of others'));
    }
    assert.equal(secret.status, 'unresolved');
    // What is merged away elsewhere leads nowhere.
    world.tracker.world.merged.set('123456', secret.id);
    assert.equal((await ask('GET', rest('/123456'))).status, 404);
    assert.equal((await ask('PUT', rest('/123456'), { status: 'resolved' })).status, 404);
    assert.equal(secret.status, 'unresolved');
  });

  it('shows an error that was merged under its surviving id', async () => {
    world.tracker.world.merged.set('123456', issue.id);
    assert.equal((await ask('GET', rest('/123456'))).json().id, issue.id);
  });

  it('reveals neither users of the tracker nor its secrets', async () => {
    for (const [method, path, body] of everyRoute(issue.id)) await ask(method, path, body);
    assert.doesNotMatch(answers.join('\n'), /jane@team\.example\.test|10\.11\.12\.13|do-not-keep-this/);
  });

  it('refuses ids and cursors from elsewhere without asking the tracker', async () => {
    await ask('GET', rest(''));
    const before = world.tracker.requests.length;
    for (const id of ['..%2f1', '%2e%2e', '1%0d%0aX:y', '1%20', 'x'.repeat(65), "1'"]) {
      const { status } = await ask('GET', rest(`/${id}`));
      assert.ok([400, 404].includes(status), `${id}: ${status}`);
    }
    for (const cursor of ['0:0:0', 'cD03MDc=', 'x', '%00', 'a%0d%0ab']) {
      assert.equal((await ask('GET', `${rest('')}?cursor=${cursor}`)).status, 400, cursor);
    }
    assert.equal(world.tracker.requests.length, before);
  });

  it('sends a change of status once, also when the answer is lost', async () => {
    for (const fault of [faults.reset(), faults.hang(), faults.half(), faults.status(502), faults.throttled(1)]) {
      app.clock.at += 2 * MINUTE;
      world.tracker.heal();
      world.tracker.fail(fault, /^PUT/);
      const before = world.tracker.requests.filter(({ method }) => method === 'PUT').length;
      const { status } = await ask('PUT', rest(`/${issue.id}`), { status: 'resolved' });
      assert.ok([502, 503].includes(status), `${fault.name}: ${status}`);
      assert.equal(world.tracker.requests.filter(({ method }) => method === 'PUT').length - before, 1, fault.name);
    }
  });
});
