import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import type { Project } from '../../../src/domain/projects/project.ts';
import type { TrackerKind } from '../../../src/domain/projects/tracker-kind.ts';
import { TrackerCache } from '../../../src/thirdparty/cache.ts';
import { TrackerClient } from '../../../src/thirdparty/http/client.ts';
import { TrackerBackends } from '../../../src/thirdparty/tracker-backends.ts';
import { createUrlGuard } from '../../../src/thirdparty/guard/url-guard.ts';
import { startApp, type RunningApp } from '../../support/app.ts';
import { givenPerson, givenProject } from '../../support/factories.ts';
import { startFakeTracker, type FakeTracker } from '../../support/fake-tracker/fake-tracker.ts';
import { TRACKER_TOKEN } from '../../support/fake-tracker/linked-world.ts';
import { ServiceChild } from '../../support/service-child.ts';
import { eventually } from '../../support/service-process.ts';
import { SQLITE } from '../../support/test-stores.ts';
import { CACHE_SETTINGS } from '../../support/trackers.ts';

const PROGRAM = fileURLToPath(new URL('../../support/tracker-child.ts', import.meta.url));

/** Milliseconds: of an answer, of a question with all repeats, and of waiting where there is an old copy. */
const [ANSWER_MS, TOTAL_MS, PATIENCE_MS] = [2000, 3000, 200];

describe('a tracker whose process is stopped by a signal', () => {
  let stopped: ServiceChild;
  let other: FakeTracker;
  let app: RunningApp;
  let client: TrackerClient;
  let token: string;
  let stoppedList: string;
  let otherList: string;

  before(async () => {
    stopped = new ServiceChild({}, ['--import=tsx', PROGRAM, TRACKER_TOKEN]);
    const { origin } = JSON.parse((await stopped.printed(/\{.*\}/))[0]) as { origin: string };
    other = await startFakeTracker('Sentry 21.4');
    const shop = other.world.addProject('acme', 'shop', '11');
    other.world.addToken(TRACKER_TOKEN);
    other.world.addIssue(shop, { title: 'TypeError: y', events: [{ at: Date.now() - 60_000 }] });
    app = await startApp(SQLITE);
    const { clock } = app;
    const { cipher } = app.trackers;
    const settings = { responseTimeoutMs: ANSWER_MS, totalTimeoutMs: TOTAL_MS, retryDelayMs: 1 };
    client = new TrackerClient({ guard: createUrlGuard({ allow: '127.0.0.1' }), clock, settings });
    const cache = new TrackerCache({ settings: { ...CACHE_SETTINGS, patienceMs: PATIENCE_MS }, clock });
    const backends = new TrackerBackends({ client, cipher, cache, clock, answerNotReady: false });
    app.deps.backendFor = (_project, own) => backends.backendFor(own);
    const link = async (base: string, kind: TrackerKind): Promise<string> => {
      const project: Project = await givenProject(app.store);
      await app.store.saveSettings(project.id, {
        active: true,
        integrated: false,
        apiUrl: `${base}/api/0/projects/acme/shop/`,
        thirdpartyProjectId: '11',
        sealedToken: cipher.encrypt(TRACKER_TOKEN, project.id),
        tracker: { base, kind, version: null, checkedAt: clock.at },
      });
      return `/api/v4/projects/${project.id}/error_tracking/errors`;
    };
    stoppedList = await link(origin, 'glitchtip');
    otherList = await link(other.origin, 'sentry');
    ({ token } = await givenPerson(app.store, true));
  });
  after(async () => {
    stopped.child.kill('SIGKILL');
    await stopped.ended;
    client.close();
    await app.close();
    await other.close();
  });

  it('is covered by copies, ends every question in time, holds up no other tracker, and is back when it goes on', async () => {
    const get = (path: string) => app.get(path, token);
    assert.equal((await get(stoppedList)).json().length, 1);
    stopped.child.kill('SIGSTOP');

    app.clock.at += 600_000;
    const begun = performance.now();
    const stale = await get(stoppedList);
    assert.deepEqual([stale.status, stale.json().length], [200, 1]);
    assert.match(stale.headers.get('X-Errgate-Stale-Since') ?? '', /^2026-01-15T12:00/);

    let answered = 0;
    const waiting = Array.from({ length: 60 }, async (_, index) => {
      const answer = await get(`${stoppedList}?search=word${index}`);
      answered += 1;
      return answer;
    });
    assert.equal((await get(otherList)).json().length, 1);
    assert.equal(answered, 0, 'the other tracker had to wait for the stopped one');
    for (const { status, text } of await Promise.all(waiting)) {
      assert.equal(status, 502, text);
      assert.equal(JSON.parse(text).code, 'tracker_unreachable');
    }
    assert.ok(performance.now() - begun < 3 * TOTAL_MS, 'people waited longer than the bounds');

    stopped.child.kill('SIGCONT');
    app.clock.at += 600_000;
    const back = await eventually(
      () => get(stoppedList),
      ({ headers }) => headers.get('X-Errgate-Stale-Since') === null,
      5000,
    );
    assert.equal(back.json().length, 1);
  });
});
