import assert from 'node:assert/strict';
import type { Project } from '../../../src/domain/projects/project.ts';
import { startApp, type RunningApp } from '../../support/app.ts';
import { givenMember, givenProject, type Person } from '../../support/factories.ts';
import { startFakeTracker, type FakeTracker } from '../../support/fake-tracker/fake-tracker.ts';
import { faults } from '../../support/fake-tracker/faults.ts';
import { TRACKER_TOKEN } from '../../support/fake-tracker/linked-world.ts';
import { eventually } from '../../support/service-process.ts';
import { SQLITE } from '../../support/test-stores.ts';
import { createTestTrackers } from '../../support/trackers.ts';

describe('an unavailable tracker, over HTTP', () => {
  let app: RunningApp;
  let tracker: FakeTracker;
  let project: Project;
  let developer: Person;
  let rest: string;
  let web: string;
  let id: string;

  beforeEach(async () => {
    app = await startApp(SQLITE);
    tracker = await startFakeTracker('Sentry 21.4');
    const shop = tracker.world.addProject('acme', 'shop', '11');
    tracker.world.addToken(TRACKER_TOKEN);
    ({ id } = tracker.world.addIssue(shop, { title: 'TypeError: x', events: [{ at: Date.now() - 60_000 }] }));
    project = await givenProject(app.store);
    developer = await givenMember(app.store, project, 'developer');
    await app.store.saveSettings(project.id, {
      active: true,
      integrated: false,
      apiUrl: `${tracker.origin}/api/0/projects/acme/shop/`,
      thirdpartyProjectId: '11',
      sealedToken: app.trackers.cipher.encrypt(TRACKER_TOKEN, project.id),
    });
    rest = `/api/v4/projects/${project.id}/error_tracking`;
    web = `/${project.path}/-/error_tracking`;
  });
  afterEach(async () => {
    await app.close();
    await tracker.close();
  });

  const get = (path: string) => app.get(path, developer.token);
  const saveLink = async (body: object) => {
    const { token } = await givenMember(app.store, project, 'maintainer');
    return app.ask('PUT', `${rest}/settings/thirdparty`, { token, body });
  };
  const objects = () => [
    `${rest}/errors/${id}`,
    `${rest}/errors/${id}/stack_trace`,
    `${rest}/errors/${id}/events/latest`,
    `${web}.json`,
    `${web}/${id}/details.json`,
    `${web}/${id}/stack_trace.json`,
  ];

  it('is covered by copies that show their age in body and header', async () => {
    const paths = [...objects(), `${rest}/errors`, `${rest}/errors/${id}/events`];
    const well = new Map<string, unknown>();
    const tags = new Map<string, string | null>();
    for (const path of paths) {
      const answer = await get(path);
      assert.equal(answer.status, 200, `${path}: ${answer.text}`);
      assert.equal(answer.headers.get('X-Errgate-Stale-Since'), null);
      well.set(path, answer.json());
      tags.set(path, answer.headers.get('ETag'));
    }
    const since = new Date(app.clock.at).toISOString();
    app.clock.at += 600_000;
    tracker.fail(faults.status(503));
    for (const path of paths) {
      const answer = await get(path);
      assert.equal(answer.status, 200, path);
      assert.equal(answer.headers.get('X-Errgate-Stale-Since'), since, path);
      // Else browsers get a 304 once all is well, and keep the header that they have.
      assert.notEqual(answer.headers.get('ETag'), tags.get(path), path);
      const before = well.get(path);
      const expected = Array.isArray(before) ? before : { ...(before as object), stale_since: since };
      assert.deepEqual(answer.json(), expected, path);
    }
    const asked = tracker.requests.length;
    await Promise.all(Array.from({ length: 200 }, () => get(`${rest}/errors`)));
    assert.equal(tracker.requests.length, asked);
    tracker.heal();
    app.clock.at += 5000;
    await get(`${rest}/errors`);
  });

  it('is returned unchanged without a copy', async () => {
    tracker.fail(faults.status(503));
    const answer = await get(`${rest}/errors`);
    assert.equal(answer.status, 502);
    assert.match(answer.json().code, /^tracker_/);
    const page = await get(`${web}/${id}/details.json`);
    assert.deepEqual([page.status, page.json()], [400, { message: 'Third-party response status code: 503' }]);
  });

  it('shows a changed status at once, in details and lists', async () => {
    assert.equal((await get(`${rest}/errors`)).json().length, 1);
    const answer = await app.ask('PUT', `${rest}/errors/${id}`, {
      token: developer.token,
      body: { status: 'resolved' },
    });
    assert.equal(answer.json().status, 'resolved');
    assert.deepEqual((await get(`${rest}/errors`)).json(), []);
    assert.equal((await get(`${rest}/errors?status=resolved`)).json()[0].status, 'resolved');
    tracker.fail(faults.status(503));
    app.clock.at += 600_000;
    const stale = await get(`${rest}/errors/${id}`);
    assert.equal(stale.json().status, 'resolved');
  });

  it('of former settings is dropped', async () => {
    assert.equal((await get(`${rest}/errors`)).json().length, 1);
    assert.equal((await saveLink({ token: 'another' })).status, 200);
    assert.equal(app.trackers.cache.bytes, 0);
    assert.equal((await get(`${rest}/errors`)).status, 502);
  });

  it('of settings that were saved without a change is still there', async () => {
    assert.equal((await get(`${rest}/errors`)).json().length, 1);
    tracker.fail(faults.status(503));
    app.clock.at += 600_000;
    for (const same of [
      { active: true },
      { token: TRACKER_TOKEN },
      { token: '****', api_host: `${tracker.origin}/` },
    ]) {
      const saved = await saveLink(same);
      assert.equal(saved.status, 200, saved.text);
      const answer = await get(`${rest}/errors`);
      assert.deepEqual([answer.status, answer.json().length], [200, 1]);
      assert.notEqual(answer.headers.get('X-Errgate-Stale-Since'), null);
    }
  });

  it('leaves its capabilities open, and is asked for them again soon', async () => {
    tracker.fail(faults.status(503), /sort=/);
    const unsure = (await get(`${rest}/capabilities`)).json();
    assert.deepEqual([unsure.incomplete, unsure.sorts.length], [true, 4]);
    tracker.heal();
    app.clock.at += 5000;
    const known = await eventually(
      async () => (await get(`${rest}/capabilities`)).json(),
      (answer) => !('incomplete' in answer),
      5000,
    );
    assert.ok(known.sorts.length > 0);
    const asked = tracker.requests.length;
    app.clock.at += 50_000;
    await get(`${rest}/capabilities`);
    assert.equal(tracker.requests.length, asked);
  });

  it('gets no requests while it limits, from a hundred readers of different data', async () => {
    tracker.fail(faults.throttled(30));
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => get(`${rest}/errors?search=word${index}`)),
    );
    for (const { status, headers, text } of answers) {
      assert.equal(status, 503, text);
      assert.ok(Number(headers.get('Retry-After')) >= 1);
    }
    // Those that were under way when it said so; nobody after them.
    assert.ok(tracker.requests.length <= 5, `${tracker.requests.length} requests`);
    assert.equal((await get(`${web}.json`)).json().message, 'Third-party response status code: 429');
  });

  describe('that the reader does not wait for', () => {
    /** Reads until `leave` is called; resolves with the status, or null when it left. */
    const reading = () => {
      const reader = new AbortController();
      const headers = { 'PRIVATE-TOKEN': developer.token };
      const status = fetch(`${app.url}${rest}/errors/${id}`, { headers, signal: reader.signal }).then(
        (answer) => answer.status,
        () => null,
      );
      return { status, leave: () => reader.abort() };
    };
    const inFlight = (count: number) =>
      eventually(
        () => Promise.resolve(tracker.inFlight),
        (now) => now === count,
        5000,
      );
    const answered = (status: number) =>
      eventually(
        () => Promise.resolve(app.log.filter(({ bindings }) => bindings.status === status).length),
        (count) => count > 0,
        5000,
      );

    it('is asked no longer', async () => {
      tracker.fail(faults.hang());
      const only = reading();
      await inFlight(1);
      only.leave();
      await inFlight(0);
      assert.equal(await only.status, null);
      await answered(499);
      assert.deepEqual(
        app.log.filter(({ level }) => level === 'error'),
        [],
      );
      // It is no failure of the tracker's that would be held against it.
      tracker.heal();
      assert.equal((await get(`${rest}/errors/${id}`)).status, 200);
    });

    it('is asked no longer at Connect', async () => {
      tracker.fail(faults.hang());
      const maintainer = await givenMember(app.store, project, 'maintainer');
      const reader = new AbortController();
      const asked = fetch(`${app.url}${web}/projects.json?api_host=${tracker.origin}&token=${TRACKER_TOKEN}`, {
        headers: { 'PRIVATE-TOKEN': maintainer.token },
        signal: reader.signal,
      }).catch(() => null);
      await inFlight(3);
      reader.abort();
      await asked;
      await inFlight(0);
    });

    it('continues for the remaining readers', async () => {
      tracker.fail(faults.hang(), /./, 1);
      let readers = 0;
      const { backendFor } = app.deps;
      app.deps.backendFor = (...asked) => {
        readers += 1;
        return backendFor(...asked);
      };
      const [first, second] = [reading(), reading()];
      await eventually(
        () => Promise.resolve(readers),
        (count) => count === 2,
      );
      await inFlight(1);
      first.leave();
      assert.equal(await first.status, null);
      await answered(499);
      assert.equal(tracker.inFlight, 1);
      second.leave();
      await inFlight(0);
      assert.equal(tracker.requests.length, 1);
    });
  });

  it('is fetched in the background where pages poll', async () => {
    const { backends, cipher, client } = createTestTrackers(app.clock, '127.0.0.1', true);
    await app.store.saveSettings(project.id, { sealedToken: cipher.encrypt(TRACKER_TOKEN, project.id) });
    app.deps.backendFor = (_project, settings, mayPoll) => backends.backendFor(settings, mayPoll);
    const first = await get(`${web}.json`);
    assert.deepEqual([first.status, first.text], [204, '']);
    let answer = first;
    for (let round = 0; round < 500 && answer.status === 204; round += 1) answer = await get(`${web}.json`);
    assert.equal(answer.json().errors.length, 1);
    assert.equal((await get(`${rest}/errors`)).status, 200);
    client.close();
  });
});
