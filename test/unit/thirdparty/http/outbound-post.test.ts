import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { MAX_ANSWER_BYTES, type PostOutcome } from '../../../../src/domain/ports/outbound-post.ts';
import { createOutboundPost } from '../../../../src/thirdparty/http/outbound-post.ts';
import { createUrlGuard, type UrlGuardOptions } from '../../../../src/thirdparty/guard/url-guard.ts';

const clock = { now: () => Date.parse('2026-11-24T10:00:00Z') };
const KEY = 'topsecretkey';

describe('post of alerts', () => {
  const servers: Server[] = [];
  let received: { path: string | undefined; body: string; type: string | undefined }[] = [];

  beforeEach(() => (received = []));
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  async function serve(answer: RequestListener): Promise<string> {
    const server = createServer((req, res) => {
      const chunks: Buffer[] = [];
      req.on('data', (chunk: Buffer) => chunks.push(chunk));
      req.on('end', () => {
        received.push({ path: req.url, body: Buffer.concat(chunks).toString(), type: req.headers['content-type'] });
        answer(req, res);
      });
    });
    servers.push(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/${KEY}`;
  }

  function send(
    url: string,
    {
      totalMs = 30_000,
      signal = new AbortController().signal,
      guard = { allow: '127.0.0.1' },
    }: {
      totalMs?: number;
      signal?: AbortSignal;
      guard?: UrlGuardOptions;
    } = {},
  ): Promise<PostOutcome> {
    const post = createOutboundPost(createUrlGuard(guard), clock, totalMs);
    return post({ url, headers: { 'webhook-id': 'msg_1' }, body: '{"a":1}' }, signal);
  }

  it('sends JSON once and returns the answer', async () => {
    const url = await serve((_req, res) => res.writeHead(202).end('taken'));
    assert.deepEqual(await send(url), { kind: 'answered', status: 202, retryAfterMs: null, body: 'taken' });
    assert.deepEqual(received, [{ path: `/${KEY}`, body: '{"a":1}', type: 'application/json' }]);
  });

  it('does not follow redirects', async () => {
    const url = await serve((_req, res) => res.writeHead(307, { location: `/${KEY}/other` }).end());
    assert.equal((await send(url)).kind === 'answered', true);
    assert.equal(received.length, 1);
  });

  for (const [text, expected] of [
    ['120', 120_000],
    ['0.5', 500],
    ['Tue, 24 Nov 2026 10:01:00 GMT', 60_000],
    ['Tue, 24 Nov 2026 09:00:00 GMT', null],
    ['soon', null],
    ['-5', null],
  ] as const) {
    it(`reads Retry-After: ${text}`, async () => {
      const url = await serve((_req, res) => res.writeHead(429, { 'retry-after': text }).end());
      const outcome = await send(url);
      assert.ok(outcome.kind === 'answered');
      assert.equal(outcome.retryAfterMs, expected);
    });
  }

  it('reads the beginning of an endless answer', async () => {
    const url = await serve((_req, res) => {
      res.writeHead(200);
      const more = (): void => {
        while (res.write('x'.repeat(65_536)));
      };
      res.on('drain', more);
      more();
    });
    const outcome = await send(url);
    assert.ok(outcome.kind === 'answered');
    assert.equal(outcome.status, 200);
    assert.equal(outcome.body, 'x'.repeat(MAX_ANSWER_BYTES));
  });

  it('counts a status whose body is not complete in time, or breaks off', async () => {
    const hanging = await serve((_req, res) => {
      res.writeHead(200).write('ok');
    });
    const broken = await serve((_req, res) => {
      res.writeHead(200, { 'content-length': '10' }).write('ok');
      setImmediate(() => res.destroy());
    });
    for (const url of [hanging, broken]) {
      const outcome = await send(url, { totalMs: 500 });
      assert.deepEqual(outcome, { kind: 'answered', status: 200, retryAfterMs: null, body: 'ok' });
    }
  });

  it('gives up on a receiver that does not answer', async () => {
    const url = await serve(() => undefined);
    assert.deepEqual(await send(url, { totalMs: 300 }), { kind: 'failed', why: 'no answer within 0.3 seconds' });
  });

  it('ends with its signal', async () => {
    const stop = new AbortController();
    const url = await serve(() => stop.abort());
    const outcome = await send(url, { signal: stop.signal });
    assert.deepEqual(outcome, { kind: 'failed', why: 'errgate was stopped before the answer came' });
  });

  it('says why there is no answer, without the address', async () => {
    const closed = createTcpServer();
    await once(closed.listen(0, '127.0.0.1'), 'listening');
    const { port } = closed.address() as AddressInfo;
    closed.close();
    const notHttp = createTcpServer((socket) => socket.end('220 mail.example.com ESMTP\r\n'));
    await once(notHttp.listen(0, '127.0.0.1'), 'listening');
    const mailPort = (notHttp.address() as AddressInfo).port;
    const hangUp = createTcpServer((socket) => socket.destroy());
    await once(hangUp.listen(0, '127.0.0.1'), 'listening');
    const hangUpPort = (hangUp.address() as AddressInfo).port;
    try {
      for (const [url, expected] of [
        [`http://127.0.0.1:${port}/${KEY}`, /nothing listens/],
        [`http://127.0.0.1:${mailPort}/${KEY}`, /not valid HTTP/],
        [`https://127.0.0.1:${mailPort}/${KEY}`, /TLS/],
        [`http://127.0.0.1:${hangUpPort}/${KEY}`, /connection broke/],
      ] as const) {
        const outcome = await send(url);
        assert.ok(outcome.kind === 'failed', url);
        assert.match(outcome.why, expected);
        assert.doesNotMatch(outcome.why, new RegExp(KEY));
      }
    } finally {
      notHttp.close();
      hangUp.close();
    }
  });

  it('does not connect to what the guard refuses, as written or as resolved', async () => {
    const url = await serve((_req, res) => res.end());
    const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
    for (const [blocked, guard] of [
      [url, { allow: '' }],
      [url.replace('127.0.0.1', 'hooks.example.com'), { allow: '', resolve }],
    ] as const) {
      const outcome = await send(blocked, { guard });
      assert.ok(outcome.kind === 'blocked');
      assert.match(outcome.why, /URL is blocked: .*if the receiver is there.*ERRGATE_OUTBOUND_ALLOW=/);
      assert.doesNotMatch(outcome.why, new RegExp(KEY));
    }
    const gone = await send(`http://none.example.com/${KEY}`, { guard: { allow: '', resolve: async () => [] } });
    assert.deepEqual(gone, { kind: 'failed', why: 'the name none.example.com cannot be resolved' });
    assert.equal((await send('not an address')).kind, 'blocked');
    assert.deepEqual(received, []);
  });
});
