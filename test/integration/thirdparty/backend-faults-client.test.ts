import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { AppError } from '../../../src/domain/app-error.ts';
import { TrackerClient, type ClientSettings, type TrackerTarget } from '../../../src/thirdparty/http/client.ts';
import { trackerDetails } from '../../../src/thirdparty/http/tracker-errors.ts';
import { createUrlGuard } from '../../../src/thirdparty/guard/url-guard.ts';
import { startFakeTracker, type FakeTracker } from '../../support/fake-tracker/fake-tracker.ts';
import { faults, type Fault } from '../../support/fake-tracker/faults.ts';

const TOKEN = 'sntryu_'.padEnd(71, '5');
const READ = { path: '/api/0/projects/org/app/issues/', query: [['query', 'is:unresolved']] } as const;

/** Short, so that slow answers are found out soon. */
const SETTINGS: Partial<ClientSettings> = {
  responseTimeoutMs: 300,
  totalTimeoutMs: 600,
  retryDelayMs: 1,
  maxLimitWaitMs: 100,
};

/** For faults that are not about time: a busy machine may take long to read a large answer. */
const PATIENT: Partial<ClientSettings> = { ...SETTINGS, responseTimeoutMs: 20_000, totalTimeoutMs: 30_000 };
const TIMED_OUT = /timed out/;

describe('the client and a tracker that misbehaves', () => {
  let tracker: FakeTracker;
  let client: TrackerClient;
  let target: TrackerTarget;
  const outcomes: string[] = [];
  const settled: string[] = [];
  const clientWith = (settings: Partial<ClientSettings>): TrackerClient =>
    new TrackerClient({
      guard: createUrlGuard({ allow: '127.0.0.1' }),
      clock: { now: () => Date.now() },
      settings,
      observe: ({ kind, outcome }) => outcomes.push(`${kind} ${outcome}`),
      finished: (host, failed) => settled.push(`${host} ${failed?.code ?? 'answered'} ${failed?.message ?? ''}`),
    });
  beforeEach(async () => {
    tracker = await startFakeTracker('Sentry 26', { lessons: 10 });
    const app = tracker.world.addProject('org', 'app', '11');
    tracker.world.addIssue(app, { title: 'Error: one', events: [{ at: Date.now() }] });
    tracker.world.addToken(TOKEN);
    client = clientWith(SETTINGS);
    target = { baseUrl: tracker.origin, token: () => TOKEN };
    outcomes.length = 0;
    settled.length = 0;
  });
  afterEach(async () => {
    client.close();
    await tracker.close();
    tracker.assertClean();
  });

  /** The error, once it is known to be one of ours, thrown soon and without the token. */
  async function failure(asked: Promise<unknown>, withinMs = 3000): Promise<AppError> {
    const begun = performance.now();
    const error = await asked.then(
      () => assert.fail('it worked'),
      (thrown: unknown) => thrown,
    );
    assert.ok(performance.now() - begun < withinMs, 'a caller waits no longer than the bounds');
    assert.ok(error instanceof AppError, String(error));
    assert.notEqual(error.code, 'internal');
    const said: string[] = [];
    for (let each: unknown = error; each instanceof Error; each = each.cause) {
      said.push(
        each.message,
        each.stack ?? '',
        JSON.stringify(each),
        String(each),
        ...Object.getOwnPropertyNames(each),
      );
      if (each instanceof AppError) said.push(JSON.stringify(each.details ?? {}));
      else assert.ok(!('options' in each) && !('request' in each), 'a library error carries the request');
    }
    said.push(...outcomes, ...settled);
    assert.ok(!said.join('\n').includes(TOKEN), 'the token is shown');
    assert.ok(
      outcomes.every((outcome) => /^(?:read|write) [a-z_]+$/.test(outcome)),
      outcomes.join(),
    );
    return error;
  }

  const cases: readonly [fault: Fault, code: string, web: RegExp][] = [
    [faults.hang(), 'tracker_unreachable', TIMED_OUT],
    [faults.dripBody(), 'tracker_unreachable', TIMED_OUT],
    [faults.dripHead(), 'tracker_unreachable', TIMED_OUT],
    [faults.reset(), 'tracker_unreachable', /SocketError/],
    [faults.half(), 'tracker_', /./],
    [faults.halfChunked(), 'tracker_', /./],
    [faults.noHttp(), 'tracker_invalid_answer', /Error when connecting/],
    [faults.text('{"a":'), 'tracker_invalid_answer', /not JSON/],
    [faults.text(''), 'tracker_invalid_answer', /not JSON/],
    [faults.htmlLogin(), 'tracker_invalid_answer', /not JSON/],
    [faults.htmlAsJson(), 'tracker_invalid_answer', /not JSON/],
    [faults.huge(), 'tracker_invalid_answer', /too big/],
    [faults.hugeDeclared(), 'tracker_invalid_answer', /too big/],
    [faults.gzipBomb(), 'tracker_invalid_answer', /too big/],
    [faults.brokenGzip(), 'tracker_invalid_answer', /./],
    [faults.pleaseRetry(), 'tracker_limited', /429/],
    [faults.throttled(30), 'tracker_limited', /429/],
    [faults.rateLimited(Math.ceil(Date.now() / 1000) + 30), 'tracker_limited', /429/],
  ];
  for (const [fault, code, web] of cases) {
    it(`reports in plain words: ${fault.name} (${code})`, async () => {
      tracker.fail(fault);
      if (web !== TIMED_OUT) {
        client.close();
        client = clientWith(PATIENT);
      }
      const before = process.memoryUsage().rss;
      const error = await failure(client.request(target, READ), web === TIMED_OUT ? undefined : 35_000);
      assert.ok(error.code.startsWith(code), `${error.code}: ${error.message}`);
      assert.match(String(trackerDetails(error)?.webMessage), web);
      assert.ok(tracker.requests.length <= 2, 'a read is repeated once at most');
      assert.ok(process.memoryUsage().rss - before < 150 * 1_048_576, 'memory stays bounded');
    });

    it(`never repeats a write after: ${fault.name}`, async () => {
      tracker.fail(fault);
      const path = `/api/0/organizations/org/issues/${tracker.world.issues[0]!.id}/`;
      await failure(client.request(target, { method: 'PUT', path, body: { status: 'resolved' } }));
      assert.equal(tracker.requests.length, 1);
    });
  }

  it('accepts refusals as answers, and hides the token that an answer repeats', async () => {
    for (const status of [400, 401, 403, 404, 410, 422, 500]) {
      tracker.heal();
      tracker.fail(
        faults.status(status, JSON.stringify({ detail: `no ${TOKEN}` }), { 'content-type': 'application/json' }),
      );
      const reply = await client.request(target, READ);
      assert.deepEqual([reply.status, reply.ok, reply.detail], [status, false, 'no [hidden]']);
    }
  });

  it('repeats a read once after 502, 503 and 504', async () => {
    for (const status of [502, 503, 504]) {
      tracker.heal();
      tracker.fail(faults.status(status), /./, 1);
      assert.equal((await client.request(target, READ)).status, 200, String(status));
      tracker.fail(faults.status(status));
      assert.equal((await client.request(target, READ)).status, status);
    }
  });

  it('follows no redirect, to any address', async () => {
    for (const location of [
      'http://169.254.169.254/latest/meta-data/',
      'http://10.0.0.1/',
      '/api/0/',
      'file:///etc/passwd',
    ]) {
      for (const status of [301, 302, 303, 307, 308]) {
        tracker.heal();
        tracker.fail(faults.redirect(location, status));
        const before = tracker.requests.length;
        assert.equal((await client.request(target, READ)).status, status);
        assert.equal(tracker.requests.length, before + 1);
      }
    }
  });

  it('survives answers that are nested deeply', async () => {
    tracker.fail(faults.deep());
    const outcome = await client.request(target, READ).catch((error: unknown) => error);
    if (outcome instanceof Error) assert.ok(outcome instanceof AppError, String(outcome));
  });

  it('waits for the time a limiting tracker requests, then reads', async () => {
    const begun = Date.now();
    const waits: number[] = [];
    client.close();
    client = new TrackerClient({
      guard: createUrlGuard({ allow: '127.0.0.1' }),
      clock: { now: () => begun + waits.reduce((sum, ms) => sum + ms, 0) },
      settings: { ...SETTINGS, maxLimitWaitMs: 5000, totalTimeoutMs: 5000 },
      wait: async (ms) => {
        waits.push(ms);
      },
    });
    tracker.fail(faults.throttled(3), /./, 1);
    assert.equal((await client.request(target, READ)).status, 200);
    assert.deepEqual(waits, [3000]);
    tracker.fail(faults.throttled(3), /./, 1);
    const path = `/api/0/organizations/org/issues/${tracker.world.issues[0]!.id}/`;
    const put = { method: 'PUT', path, body: { status: 'resolved' } } as const;
    assert.equal((await failure(client.request(target, put))).retryAfterSeconds, 3);
  });

  it('keeps to five requests at a time per host', async () => {
    tracker.fail(faults.late(30));
    client.close();
    client = clientWith({});
    await Promise.all(Array.from({ length: 40 }, () => client.request(target, READ)));
    assert.equal(tracker.mostInFlight, 5);
  });

  it('stops when all callers have left', async () => {
    tracker.fail(faults.hang());
    const asking = new AbortController();
    const asked = failure(client.request(target, { ...READ, signal: asking.signal }));
    setTimeout(() => asking.abort(), 50);
    assert.equal((await asked).details?.reason, 'aborted');
    assert.equal(tracker.requests.length, 1);
  });

  it('reports that nothing listens', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const error = await failure(client.request({ ...target, baseUrl: `http://127.0.0.1:${port}` }, READ));
    assert.deepEqual([error.code, trackerDetails(error)?.webMessage], ['tracker_unreachable', 'Connection refused']);
  });

  it('says that what answers speaks no TLS', async () => {
    const baseUrl = tracker.origin.replace('http:', 'https:');
    const error = await failure(client.request({ ...target, baseUrl }, READ));
    assert.equal(error.code, 'tracker_unreachable');
    assert.equal(trackerDetails(error)?.webMessage, 'Third-party returned invalid SSL data');
  });
});
