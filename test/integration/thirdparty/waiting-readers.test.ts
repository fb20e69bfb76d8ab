import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import type { Project } from '../../../src/domain/projects/project.ts';
import { startApp, type RunningApp } from '../../support/app.ts';
import { givenMember, givenProject } from '../../support/factories.ts';
import { startFakeTracker, type FakeTracker } from '../../support/fake-tracker/fake-tracker.ts';
import { faults, type Fault } from '../../support/fake-tracker/faults.ts';
import { TRACKER_TOKEN } from '../../support/fake-tracker/linked-world.ts';
import type { FakeIssue, FakeProject } from '../../support/fake-tracker/world.ts';
import { eventually } from '../../support/service-process.ts';
import { SQLITE } from '../../support/test-stores.ts';

/** Answers nothing until the test gives an answer. */
class HeldAnswers implements Fault {
  readonly name = 'held';
  readonly #responses: ServerResponse[] = [];
  readonly serve = (response: ServerResponse): void => {
    this.#responses.push(response);
  };
  release(body: string): void {
    for (const response of this.#responses) response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  }
}

describe('many readers of a tracker, over HTTP', () => {
  let app: RunningApp;
  let tracker: FakeTracker;
  let project: Project;
  let shop: FakeProject;
  let issue: FakeIssue;
  let token: string;
  let list: string;

  beforeEach(async () => {
    app = await startApp(SQLITE);
    tracker = await startFakeTracker('Sentry 21.4');
    shop = tracker.world.addProject('acme', 'shop', '11');
    tracker.world.addToken(TRACKER_TOKEN);
    issue = tracker.world.addIssue(shop, { title: 'TypeError: x', events: [{ at: Date.now() - 60_000 }] });
    project = await givenProject(app.store);
    ({ token } = await givenMember(app.store, project, 'developer'));
    await app.store.saveSettings(project.id, {
      active: true,
      integrated: false,
      apiUrl: `${tracker.origin}/api/0/projects/acme/shop/`,
      thirdpartyProjectId: '11',
      sealedToken: app.trackers.cipher.encrypt(TRACKER_TOKEN, project.id),
      tracker: { base: tracker.origin, kind: 'sentry', version: null, checkedAt: app.clock.at },
    });
    list = `/api/v4/projects/${project.id}/error_tracking/errors`;
  });
  afterEach(async () => {
    await app.close();
    await tracker.close();
    tracker.assertClean();
  });

  const get = (path: string) => app.get(path, token);
  const inFlight = (count: number) =>
    eventually(
      () => Promise.resolve(tracker.inFlight),
      (now) => now === count,
    );
  /** What the tracker answers to the list now. */
  async function listBody(): Promise<string> {
    await get(list);
    const headers = { authorization: `Bearer ${TRACKER_TOKEN}`, 'content-type': 'application/json' };
    const answer = await fetch(tracker.origin + (tracker.requests.at(-1)?.target ?? ''), { headers });
    app.trackers.cache.forgetProject(project.id);
    return answer.text();
  }

  it('of the same thing cost one request, and all of them get the answer', async () => {
    tracker.fail(faults.late(100));
    const answers = await Promise.all(Array.from({ length: 60 }, () => get(list)));
    assert.ok(answers.every(({ status, text }) => status === 200 && text === answers[0]?.text));
    assert.equal(answers[0]?.json()[0].id, issue.id);
    assert.equal(tracker.requests.length, 1);
  });

  it('of different things all get their answers, five requests at a time', async () => {
    const held = new HeldAnswers();
    tracker.fail(held, /./, 5);
    const asked = Array.from({ length: 60 }, (_, index) => get(`${list}?search=word${index}`));
    await inFlight(5);
    held.release('[]');
    const answers = await Promise.all(asked);
    for (const { status, text } of answers) assert.equal(status, 200, text);
    assert.equal(tracker.mostInFlight, 5);
  });

  it('get the time to retry while the tracker limits, and answers after that', async () => {
    tracker.fail(faults.throttled(30), /./, 1);
    const refused = await get(list);
    assert.deepEqual([refused.status, refused.json().code], [503, 'tracker_limited']);
    assert.equal(refused.headers.get('Retry-After'), '30');
    app.clock.at += 20_000;
    assert.equal((await get(`${list}?search=other`)).status, 503);
    assert.equal(tracker.requests.length, 1);
    app.clock.at += 10_000;
    assert.equal((await get(list)).json()[0].id, issue.id);
  });

  it('after a change are answered from after it, not by what was asked before', async () => {
    const old = await listBody();
    const held = new HeldAnswers();
    tracker.fail(held, /issues\/\?/, 1);
    const early = get(list);
    await inFlight(1);
    const put = await app.ask('PUT', `${list}/${issue.id}`, { token, body: { status: 'resolved' } });
    assert.equal(put.status, 200, put.text);
    const second = tracker.world.addIssue(shop, { title: 'TypeError: z', events: [{ at: Date.now() - 30_000 }] });
    const ids = async () => (await get(list)).json().map(({ id }: { id: string }) => id);
    assert.deepEqual(await ids(), [second.id]);
    held.release(old);
    // Asked before the change: what it names is shown with the status that it has by now.
    assert.deepEqual((await early).json(), []);
    const asked = tracker.requests.length;
    assert.deepEqual(await ids(), [second.id]);
    assert.equal(tracker.requests.length, asked);
  });

  it('that stay are answered when another one leaves', async () => {
    const body = await listBody();
    const held = new HeldAnswers();
    tracker.fail(held, /./, 1);
    let readers = 0;
    const { backendFor } = app.deps;
    app.deps.backendFor = (...asked) => {
      readers += 1;
      return backendFor(...asked);
    };
    const asked = tracker.requests.length;
    const leaving = new AbortController();
    const headers = { 'PRIVATE-TOKEN': token };
    const left = fetch(app.url + list, { headers, signal: leaving.signal }).catch(() => null);
    const staying = [get(list), get(list)];
    await eventually(
      () => Promise.resolve(readers),
      (count) => count === 3,
    );
    await inFlight(1);
    leaving.abort();
    assert.equal(await left, null);
    held.release(body);
    for (const { status, text } of await Promise.all(staying)) assert.equal(status, 200, text);
    assert.equal(tracker.requests.length - asked, 1);
  });
});
