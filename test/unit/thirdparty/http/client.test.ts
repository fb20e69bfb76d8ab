import assert from 'node:assert/strict';
import nock from 'nock';
import { AppError, type ErrorCode } from '../../../../src/domain/app-error.ts';
import type { TrackerRequest } from '../../../../src/thirdparty/http/client.ts';
import { trackerDetails } from '../../../../src/thirdparty/http/tracker-errors.ts';
import { createUrlGuard } from '../../../../src/thirdparty/guard/url-guard.ts';
import { target, testClient, TOKEN } from '../support/tracker.ts';

const HOST = 'https://tracker.example';

/** Runs a request and answers what it threw. */
async function failure(asked: Promise<unknown>): Promise<AppError> {
  try {
    await asked;
  } catch (error) {
    assert.ok(error instanceof AppError, String(error));
    return error;
  }
  assert.fail('the request did not fail');
}

const seen = (error: AppError) => [error.code, trackerDetails(error)?.webMessage];

// Loading it switches it on for the whole process; other suites have real servers.
nock.restore();

describe('tracker client', () => {
  before(() => {
    nock.activate();
    nock.disableNetConnect();
    nock.enableNetConnect('127.0.0.1');
  });
  afterEach(() => {
    const done = nock.isDone();
    const pending = nock.pendingMocks();
    nock.cleanAll();
    assert.ok(done, `not asked for: ${pending.join(', ')}`);
  });
  after(() => {
    nock.enableNetConnect();
    nock.restore();
  });

  const get = (request: Partial<TrackerRequest> = {}, setup = testClient()) =>
    setup.client.request(target(HOST), { path: '/api/0/projects/', ...request });

  it('sends token and JSON type and nothing that trackers trip over', async () => {
    nock(HOST, { badheaders: ['origin', 'cookie'] })
      .get('/api/0/projects/')
      .query({ query: 'is:unresolved "a b"', cursor: '0:100:0' })
      .matchHeader('authorization', `Bearer ${TOKEN}`)
      .matchHeader('content-type', 'application/json')
      .matchHeader('accept', 'application/json')
      .reply(200, [{ id: 12345678901234567890n.toString() }], { link: '<x>; rel="next"' });
    const query = [['query', 'is:unresolved "a b"'], ['cursor', '0:100:0']] as const; // prettier-ignore
    const reply = await get({ query });
    assert.deepEqual(reply, {
      status: 200,
      ok: true,
      body: [{ id: '12345678901234567890' }],
      link: '<x>; rel="next"',
      detail: null,
    });
  });

  it('keeps a sub-path, and asks without a token where there is none', async () => {
    nock(HOST, { badheaders: ['authorization'] })
      .get('/sentry/api/0/')
      .reply(200, { version: '0' });
    const { client } = testClient();
    const reply = await client.request(target(`${HOST}/sentry`, null), { path: '/api/0/' });
    assert.deepEqual(reply.body, { version: '0' });
  });

  it('writes JSON', async () => {
    nock(HOST).put('/api/0/issues/1/', { status: 'resolved' }).matchHeader('content-length', '21').reply(204);
    const reply = await get({ method: 'PUT', path: '/api/0/issues/1/', body: { status: 'resolved' } });
    assert.deepEqual([reply.ok, reply.body], [true, null]);
  });

  const details: [body: unknown, detail: string | null][] = [
    [{ detail: 'Invalid token' }, 'Invalid token'],
    [{ detail: { code: 'sso-required', message: 'Must login via SSO' } }, 'Must login via SSO'],
    [{ detail: [{ type: 'x', loc: ['query', 'sort'], msg: 'bad' }] }, 'query.sort: bad'],
    [{ message: 'This API no longer exists.' }, 'This API no longer exists.'],
    [{ status: ['"x" is not a valid choice.'] }, 'status: "x" is not a valid choice.'],
    [{ detail: `unknown ${TOKEN}\n and\u0000 more` }, 'unknown [hidden] and more'],
    [{ detail: 'x'.repeat(5000) }, `${'x'.repeat(297)}...`],
    ['text', 'text'],
    [{}, null],
    [null, null],
  ];
  for (const [body, detail] of details) {
    it(`reads what a refusal says: ${String(detail).slice(0, 40)}`, async () => {
      nock(HOST).get('/api/0/projects/').reply(400, JSON.stringify(body), { 'content-type': 'application/json' });
      const reply = await get();
      assert.deepEqual([reply.ok, reply.status, reply.detail], [false, 400, detail]);
    });
  }

  it('takes refusals in HTML, and never follows a redirect', async () => {
    nock(HOST).get('/api/0/projects/').reply(413, '<html>too large</html>', { 'content-type': 'text/html' });
    assert.deepEqual(await get(), { status: 413, ok: false, body: null, link: null, detail: null });
    nock(HOST)
      .get('/api/0/projects/')
      .reply(302, { slug: 'new', detail: { message: 'moved' } }, { location: 'http://127.0.0.1/inside' });
    const moved = await get();
    assert.deepEqual([moved.status, moved.body], [302, { slug: 'new', detail: { message: 'moved' } }]);
  });

  const unreadable: [name: string, body: string, type: string, reason: string][] = [
    ['a login page', '<html><form>', 'text/html; charset=utf-8', 'html'],
    ['a login page that claims to be JSON', '<!doctype html>', 'application/json', 'html'],
    ['half an answer', '{"id":', 'application/json', 'not_json'],
    ['nothing', '', 'application/json', 'not_json'],
    ['JSON that does not say so', '{}', 'text/plain', 'not_json'],
  ];
  for (const [name, body, type, reason] of unreadable) {
    it(`refuses ${name} with 200`, async () => {
      nock(HOST).get('/api/0/projects/').reply(200, body, { 'content-type': type });
      const error = await failure(get());
      assert.deepEqual(seen(error), ['tracker_invalid_answer', 'Third-party API response is not JSON']);
      assert.equal(error.details?.reason, reason);
    });
  }

  describe('failures on the way', () => {
    const rows: [code: string, expected: ErrorCode, webMessage: string, repeats: boolean][] = [
      ['ECONNREFUSED', 'tracker_unreachable', 'Connection refused', true],
      ['ECONNRESET', 'tracker_unreachable', 'Received SocketError when trying to connect to third-party', true],
      ['EHOSTUNREACH', 'tracker_unreachable', 'Received SocketError when trying to connect to third-party', true],
      ['ETIMEDOUT', 'tracker_unreachable', 'Connection to third-party timed out', false],
      ['ERR_TLS_CERT_ALTNAME_INVALID', 'tracker_unreachable', 'Third-party returned invalid SSL data', false],
      ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tracker_unreachable', 'Third-party returned invalid SSL data', false],
      ['CERT_HAS_EXPIRED', 'tracker_unreachable', 'Third-party returned invalid SSL data', false],
      ['EPROTO', 'tracker_unreachable', 'Third-party returned invalid SSL data', false],
      ['HPE_INVALID_CONSTANT', 'tracker_invalid_answer', 'Error when connecting to third-party', true],
      ['EODD', 'tracker_unreachable', 'Third-party request failed due to RequestError', false],
    ];
    for (const [code, expected, webMessage, repeats] of rows) {
      it(`${code}: ${webMessage}`, async () => {
        const thrown = Object.assign(new Error(`failed with ${TOKEN}`), { code });
        nock(HOST)
          .get('/api/0/projects/')
          .times(repeats ? 2 : 1)
          .replyWithError(thrown);
        const setup = testClient();
        const error = await failure(get({}, setup));
        assert.deepEqual(seen(error), [expected, webMessage]);
        assert.deepEqual(setup.waits, repeats ? [250] : []);
        const shown = JSON.stringify([error.message, error.details, String((error.cause as Error).stack)]);
        assert.ok(!shown.includes(TOKEN), shown);
        assert.deepEqual(Object.keys(error.cause as object), []);
      });
    }

    it('repeats a read once, and answers what comes then', async () => {
      nock(HOST)
        .get('/api/0/projects/')
        .replyWithError(Object.assign(new Error('x'), { code: 'ECONNRESET' }));
      nock(HOST).get('/api/0/projects/').reply(200, []);
      assert.deepEqual((await get()).body, []);
      nock(HOST).get('/api/0/projects/').times(2).reply(503);
      assert.equal((await get()).status, 503);
    });

    it('never repeats a write', async () => {
      const write = { method: 'PUT', path: '/api/0/issues/1/', body: {} } as const;
      nock(HOST)
        .put('/api/0/issues/1/')
        .replyWithError(Object.assign(new Error('x'), { code: 'ECONNRESET' }));
      assert.equal((await failure(get(write))).code, 'tracker_unreachable');
      nock(HOST).put('/api/0/issues/1/').reply(503);
      assert.equal((await get(write)).status, 503);
      nock(HOST).put('/api/0/issues/1/').reply(429);
      assert.equal((await failure(get(write))).code, 'tracker_limited');
    });
  });

  describe('limits', () => {
    const now = Date.parse('2026-11-21T10:00:00Z');
    const rows: [headers: Record<string, string>, wait: number][] = [
      [{}, 1000],
      [{ 'retry-after': '2' }, 2000],
      [{ 'retry-after': 'Sat, 21 Nov 2026 10:00:03 GMT' }, 3000],
      [{ 'retry-after': 'soon' }, 1000],
      [{ 'retry-after': '-5' }, 1000],
      [{ 'x-sentry-rate-limit-reset': String(now / 1000 + 4) }, 4000],
      [{ 'x-sentry-rate-limit-reset': String(now / 1000 - 4) }, 1000],
      [{ 'x-sentry-rate-limit-reset': String(now / 1000 + 1), 'retry-after': '3' }, 3000],
    ];
    for (const [headers, wait] of rows) {
      it(`${JSON.stringify(headers)}: waits ${wait} ms and asks again, once`, async () => {
        nock(HOST).get('/api/0/projects/').reply(429, '', headers);
        nock(HOST).get('/api/0/projects/').reply(200, []);
        const setup = testClient();
        await get({}, setup);
        assert.deepEqual(setup.waits, [wait]);
      });
    }

    it('gives up after the second 429', async () => {
      nock(HOST).get('/api/0/projects/').times(2).reply(429, '', { 'retry-after': '3' });
      const error = await failure(get());
      assert.deepEqual(seen(error), ['tracker_limited', 'Third-party response status code: 429']);
      assert.equal(error.retryAfterSeconds, 3);
    });

    it('does not wait long: says when to come back, at most a minute later, and leaves the tracker alone', async () => {
      nock(HOST).get('/api/0/projects/').reply(429, '', { 'retry-after': '3600' });
      const setup = testClient();
      const same = target(HOST);
      const ask = () => setup.client.request(same, { path: '/api/0/projects/' });
      assert.equal((await failure(ask())).retryAfterSeconds, 60);
      assert.equal((await failure(ask())).code, 'tracker_limited');
      assert.deepEqual(setup.waits, []);
      // Another setting of the same host has a limit of its own.
      nock(HOST).get('/api/0/projects/').reply(200, []);
      assert.equal((await get({}, setup)).ok, true);
    });
  });

  describe('what is not sent at all', () => {
    const rows: [baseUrl: string, webMessage: string][] = [
      ['http://169.254.169.254', 'URL is blocked: Requests to the link local network are not allowed'],
      ['http://10.0.0.1', 'URL is blocked: Requests to the local network are not allowed'],
      ['http://localhost:9000', 'URL is blocked: Requests to localhost are not allowed'],
    ];
    for (const [baseUrl, webMessage] of rows) {
      it(`${baseUrl}: ${webMessage}`, async () => {
        const { client } = testClient({}, { guard: createUrlGuard({ allow: '' }) });
        const error = await failure(client.request(target(baseUrl), { path: '/api/0/' }));
        assert.deepEqual(seen(error), ['tracker_blocked', webMessage]);
      });
    }

    it('a token that breaks the header, or one that cannot be decrypted', async () => {
      const { client } = testClient();
      const broken = await failure(client.request(target(HOST, 'a\r\nHost: inside'), { path: '/api/0/' }));
      assert.equal(broken.code, 'tracker_refused');
      const encrypted = () => {
        throw new AppError('invalid_configuration', 'it was encrypted under another key');
      };
      const error = await failure(client.request({ baseUrl: HOST, token: encrypted }, { path: '/api/0/' }));
      assert.deepEqual([error.code, error.message], ['tracker_refused', 'it was encrypted under another key']);
    });
  });
});
