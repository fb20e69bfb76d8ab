import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { RequestListener, ServerResponse } from 'node:http';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { mock } from 'node:test';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { AppError } from '../../../src/domain/app-error.ts';
import type { ClientSettings } from '../../../src/thirdparty/http/client.ts';
import { trackerDetails } from '../../../src/thirdparty/http/tracker-errors.ts';
import { createUrlGuard } from '../../../src/thirdparty/guard/url-guard.ts';
import { sendJson, startTracker, target, testClient, TOKEN, type LocalTracker } from './support/tracker.ts';

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
const JSON_TYPE = { 'Content-Type': 'application/json' };

describe('tracker client on the wire', () => {
  let tracker: LocalTracker;
  const clients: { close(): void }[] = [];
  const begin = async (listener: RequestListener, settings: Partial<ClientSettings> = {}) => {
    tracker = await startTracker(listener);
    const { client } = testClient(settings);
    clients.push(client);
    return { client, ask: (signal?: AbortSignal) => client.request(target(tracker.baseUrl), { path: '/api/0/', ...(signal && { signal }) }) }; // prettier-ignore
  };
  afterEach(async () => {
    for (const client of clients.splice(0)) client.close();
    await tracker.close();
  });

  const encodings: [name: string, encode: (text: string) => Buffer][] = [
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['identity', (text) => Buffer.from(text)],
  ];
  for (const [name, encode] of encodings) {
    it(`reads ${name}`, async () => {
      const { ask } = await begin((_request, response) => {
        response.writeHead(200, { ...JSON_TYPE, 'Content-Encoding': name });
        response.end(encode('{"version":"0"}'));
      });
      assert.deepEqual((await ask()).body, { version: '0' });
    });
  }

  it('counts bytes after decompression and stops at the bound', async () => {
    const bomb = gzipSync(`[${' '.repeat(50 * 1024 * 1024)}]`);
    assert.ok(bomb.length < 100_000);
    const { ask } = await begin((_request, response) => {
      response.writeHead(200, { ...JSON_TYPE, 'Content-Encoding': 'gzip' });
      response.end(bomb);
    });
    const error = await failure(ask());
    assert.equal(error.code, 'tracker_invalid_answer');
    const [, got] = /^Third-party API response is too big\. Limit is 5 MB\. Got (\d+) bytes\.$/.exec(String(trackerDetails(error)?.webMessage)) ?? []; // prettier-ignore
    assert.ok(Number(got) > 5 * 1024 * 1024 && Number(got) < 6 * 1024 * 1024, got);
  });

  it('stops an endless answer, refusals included', async () => {
    for (const status of [200, 500]) {
      let sent = 0;
      const pour = (response: ServerResponse): void => {
        while (!response.destroyed && response.write('x'.repeat(65_536))) sent += 65_536;
        if (!response.destroyed) response.once('drain', () => pour(response));
      };
      const { ask } = await begin(
        (_request, response) => {
          response.writeHead(status, JSON_TYPE);
          pour(response);
        },
        { maxResponseBytes: 1_000_000 },
      );
      const error = await failure(ask());
      assert.equal(error.details?.reason, 'too_big');
      assert.ok(sent < 20_000_000);
      await tracker.close();
    }
  });

  it('takes an answer of exactly the bound', async () => {
    const body = JSON.stringify('x'.repeat(998));
    const { ask } = await begin(
      (_request, response) => {
        response.writeHead(200, JSON_TYPE);
        response.end(body);
      },
      { maxResponseBytes: 1000 },
    );
    assert.equal((await ask()).ok, true);
  });

  it('gives up on one byte at a time', async () => {
    const { ask } = await begin(
      (_request, response) => {
        response.writeHead(200, JSON_TYPE);
        const timer = setInterval(() => response.write(' '), 10);
        response.once('close', () => clearInterval(timer));
      },
      { totalTimeoutMs: 150 },
    );
    assert.deepEqual(seen(await failure(ask())), ['tracker_unreachable', 'Connection to third-party timed out']);
  });

  it('gives up on silence', async () => {
    const { ask } = await begin(() => undefined, { responseTimeoutMs: 50 });
    const error = await failure(ask());
    assert.deepEqual(seen(error), ['tracker_unreachable', 'Connection to third-party timed out']);
    assert.equal(tracker.requests.length, 1);
  });

  it('distinguishes half an answer from a whole one, and asks once more', async () => {
    const { ask } = await begin((_request, response) => {
      response.writeHead(200, { ...JSON_TYPE, 'Content-Length': '1000' });
      response.write('{"a":');
      response.socket?.destroySoon();
    });
    const error = await failure(ask());
    assert.equal(error.code, 'tracker_unreachable');
    assert.equal(tracker.requests.length, 2);
  });

  it('refuses broken compression', async () => {
    const { ask } = await begin((_request, response) => {
      response.writeHead(200, { ...JSON_TYPE, 'Content-Encoding': 'gzip' });
      response.end('this is not gzip');
    });
    assert.deepEqual(seen(await failure(ask())), ['tracker_invalid_answer', 'Error when connecting to third-party']);
  });

  it('says so when nothing listens there', async () => {
    const { client } = await begin(() => undefined);
    await tracker.close();
    const error = await failure(client.request(target(tracker.baseUrl), { path: '/api/0/' }));
    assert.deepEqual(seen(error), ['tracker_unreachable', 'Connection refused']);
  });

  it('says so when something else than HTTP listens there', async () => {
    tracker = await startTracker(() => undefined);
    const server = createTcpServer((socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { client } = testClient();
    const error = await failure(client.request(target(`http://127.0.0.1:${port}`), { path: '/api/0/' }));
    assert.deepEqual(seen(error), ['tracker_invalid_answer', 'Error when connecting to third-party']);
    const tls = await failure(client.request(target(`https://127.0.0.1:${port}`), { path: '/api/0/' }));
    assert.deepEqual(seen(tls), ['tracker_unreachable', 'Third-party returned invalid SSL data']);
    server.close();
    client.close();
  });

  it('follows no redirect, and sends the token to no other server', async () => {
    const { ask } = await begin((request, response) => {
      response.writeHead(302, { Location: `http://${request.headers.host ?? ''}/elsewhere` });
      response.end();
    });
    assert.equal((await ask()).status, 302);
    assert.deepEqual(tracker.requests.map(({ url }) => url), ['/api/0/']); // prettier-ignore
  });

  it('keeps the name for the Host header and connects to the checked address', async () => {
    tracker = await startTracker((_request, response) => sendJson(response, {}));
    const { port } = new URL(tracker.baseUrl);
    const asked: string[] = [];
    const resolve = async (name: string) => {
      asked.push(name);
      return [{ address: asked.length === 1 ? '127.0.0.1' : '10.0.0.1', family: 4 }];
    };
    const guard = createUrlGuard({ allow: '127.0.0.1', resolve, ownAddresses: () => new Set() });
    const { client } = testClient({}, { guard });
    clients.push(client);
    const there = target(`http://tracker.example:${port}`);
    assert.equal((await client.request(there, { path: '/api/0/' })).ok, true);
    assert.equal(tracker.requests[0]?.headers.host, `tracker.example:${port}`);
    // The name now leads inside; writes never share a connection, so this one is looked up again.
    const error = await failure(client.request(there, { path: '/api/0/', method: 'PUT', body: {} }));
    assert.deepEqual(seen(error), ['tracker_blocked', 'URL is blocked: Requests to the local network are not allowed']);
    assert.deepEqual(asked, ['tracker.example', 'tracker.example']);
    assert.equal(tracker.requests.length, 1);
  });

  it('says so when the name leads nowhere', async () => {
    tracker = await startTracker(() => undefined);
    const guard = createUrlGuard({ allow: '', resolve: async () => [] });
    const { client } = testClient({}, { guard });
    const error = await failure(client.request(target('http://nowhere.example'), { path: '/api/0/' }));
    assert.deepEqual(seen(error), ['tracker_unreachable', 'URL is blocked: Host cannot be resolved or invalid']);
  });

  it('ends the request when the caller goes away', async () => {
    const { ask } = await begin(() => undefined);
    const caller = new AbortController();
    const asked = failure(ask(caller.signal));
    while (tracker.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const [request] = tracker.requests;
    const closed = once(request!.socket, 'close');
    caller.abort();
    assert.equal((await asked).details?.reason, 'aborted');
    await closed;
    assert.equal((await failure(ask(AbortSignal.abort()))).details?.reason, 'aborted');
  });

  it('has at most five requests in flight per host; the others wait in turn', async () => {
    const held: ServerResponse[] = [];
    const { client, ask } = await begin((_request, response) => held.push(response));
    const all = Array.from({ length: 23 }, () => ask());
    for (let left = all.length; left > 0;) {
      while (held.length < Math.min(5, left)) await new Promise((resolve) => setImmediate(resolve));
      const batch = held.splice(0);
      left -= batch.length;
      for (const response of batch) sendJson(response, {});
    }
    await Promise.all(all);
    assert.equal(tracker.requests.length, 23);
    assert.equal(tracker.peak(), 5);
    client.close();
  });

  it('sends nothing of what queued when a late 429 came', async () => {
    const held: ServerResponse[] = [];
    const { client } = await begin((_request, response) => held.push(response));
    const same = target(tracker.baseUrl);
    const all = Array.from({ length: 15 }, () => client.request(same, { path: '/api/0/' }));
    const settled = Promise.allSettled(all);
    while (held.length < 5) await new Promise((resolve) => setImmediate(resolve));
    sendJson(held[0]!, {}, 429, { 'Retry-After': '60' });
    const queued = await Promise.all(all.slice(5).map(failure));
    assert.deepEqual(new Set(queued.map(({ code }) => code)), new Set(['tracker_limited']));
    assert.equal(tracker.requests.length, 5);
    for (const response of held.slice(1)) sendJson(response, {});
    assert.equal((await settled).filter(({ status }) => status === 'fulfilled').length, 4);
  });

  it('refuses requests that it cannot serve in time: too many waiting, or waiting too long', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const { ask } = await begin(() => undefined, {
        maxInFlightPerHost: 1,
        maxWaitingPerHost: 1,
        totalTimeoutMs: 100,
      });
      const first = failure(ask());
      while (tracker.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
      const second = failure(ask());
      assert.equal((await failure(ask())).code, 'tracker_limited');
      // The limits of both pass at the same moment, so the second one is never sent.
      mock.timers.tick(100);
      assert.deepEqual([(await first).code, (await second).code], ['tracker_unreachable', 'tracker_unreachable']);
      assert.equal(tracker.requests.length, 1);
    } finally {
      mock.timers.reset();
    }
  });

  it('reports the outcome of every attempt, and never the token', async () => {
    const attempts: string[] = [];
    tracker = await startTracker((request, response) => {
      if (tracker.requests.length === 1) request.socket.destroy();
      else sendJson(response, { detail: TOKEN }, 403);
    });
    const { client } = testClient({}, { observe: ({ kind, outcome }) => attempts.push(`${kind} ${outcome}`) });
    clients.push(client);
    const reply = await client.request(target(tracker.baseUrl), { path: '/api/0/' });
    assert.deepEqual(attempts, ['read unreachable', 'read refused']);
    assert.equal(reply.detail, '[hidden]');
  });
});
