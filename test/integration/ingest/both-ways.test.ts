import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { AppError } from '../../../src/domain/app-error.ts';
import { createApp } from '../../../src/gateway/app.ts';
import { closeServer, listen } from '../../../src/gateway/http/http-server.ts';
import { ingestListener } from '../../../src/gateway/ingest/ingest-listener.ts';
import { startApp } from '../../support/app.ts';
import { AUTH, limitsWith, startIngestApp } from '../../support/ingest-app.ts';
import { rawHttp } from '../../support/raw-http.ts';
import { eventually } from '../../support/service-process.ts';
import { SQLITE } from '../../support/test-stores.ts';

const EVENT = JSON.stringify({ event_id: '7f9bdf379dd94837b0dd965053664889', message: 'grüße' });
const ENVELOPE_BODY = `{}\n{"type":"event"}\n${EVENT}`;
const STORE = '/errortracking/api/v1/projects/api/42/store/';

interface Given {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Error with which the journal answers. */
  readonly sinkError?: Error;
  /** Bytes to send instead of everything above. */
  readonly raw?: string;
  /** True when the application answers in any case. */
  readonly inApplication?: boolean;
}

const REQUESTS: Readonly<Record<string, Given>> = {
  'an event': {},
  'an event without an id': { path: `${STORE}?x=1`, body: '{}' },
  'data that is not compressed': { headers: { ...AUTH, 'Content-Encoding': 'br' } },
  'an event below the sub-path': { path: `/errgate${STORE}` },
  'an event below the sub-path twice': { path: `/errgate/errgate${STORE}` },
  'a migrated address, an alias, a key in the query': { path: '//api//7001/store?sentry_key=glet_abc123', headers: {} },
  'compressed data': { body: gzipSync(EVENT), headers: { ...AUTH, 'Content-Encoding': 'gzip' } },
  'an envelope': { path: '/api/42/envelope/', body: ENVELOPE_BODY },
  'an envelope without event': { path: '/api/42/envelope/', body: '{}\n{"type":"session"}\n{}' },
  'an envelope that is none': { path: '/api/42/envelope/', body: 'x' },
  'no JSON': { body: 'x' },
  'no body': { body: '' },
  'no key': { headers: {} },
  'a key of nobody': { headers: { 'X-Sentry-Auth': 'Sentry sentry_key=nobody' } },
  'two keys': { path: `${STORE}?sentry_key=other` },
  'a key of another project': { path: '/api/46/store/' },
  'a project id that is none': { path: '/api/x.y/store/' },
  'an alias of nobody': { path: '/api/x/store/' },
  'an unknown encoding': { headers: { ...AUTH, 'Content-Encoding': 'lzma' } },
  'a body beyond the bound': { body: 'x'.repeat(20_001) },
  'an event beyond the bound': { body: `{"a":"${'x'.repeat(15_000)}"}` },
  'a body that never comes': {
    raw: `POST ${STORE} HTTP/1.1\r\nHost: x\r\nX-Sentry-Auth: Sentry sentry_key=k\r\nContent-Length: 9\r\n\r\n{`,
  },
  'a full disk': { sinkError: new AppError('ingest_unavailable', 'The disk is full.', { retryAfterSeconds: 7 }) },
  'a bug': { sinkError: new TypeError('broken') },
  'an id and an address from a trusted proxy': {
    headers: { ...AUTH, 'X-Request-Id': 'from-outside', 'X-Forwarded-For': '6.6.6.6, 198.51.100.1' },
  },
  'an id that is unfit': { headers: { ...AUTH, 'X-Request-Id': 'a b' } },
  'HTTP/1.0': { raw: `POST ${STORE}?sentry_key=k HTTP/1.0\r\nContent-Length: 2\r\n\r\n{}` },
  'two requests in one connection': {
    raw: `POST ${STORE}?sentry_key=k HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\nPOST ${STORE}?sentry_key=k HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}`,
  },
  'a request that expects 100': { headers: { ...AUTH, Expect: '100-continue' } },
  'a whole URL': { path: 'http://errors.example.test/api/42/store/', inApplication: true },
  'a URL with a fragment': { path: `${STORE}#x`, inApplication: true },
  'a report of this gateway about itself': { headers: { ...AUTH, 'X-Errgate-Self-Report': 'm' }, inApplication: true },
  'a preflight': { method: 'OPTIONS', headers: {}, inApplication: true },
  'an image': {
    method: 'GET',
    path: `/api/42/store/?sentry_key=k&sentry_data=%7B%7D`,
    headers: {},
    inApplication: true,
  },
  'another method': { method: 'PUT', inApplication: true },
  'no body wanted': { method: 'HEAD', inApplication: true },
  'another path': { path: '/api/42/minidump/', inApplication: true },
};

/** Starts ingestion with the whole application behind it; `direct`: with the listener before it. */
async function start(direct: boolean) {
  const ingest = await startIngestApp({
    limits: { maxRequestBytes: 20_000, maxEventBytes: 10_000, bodyTimeoutMs: 300 },
    rates: limitsWith({ project: { eventsPerMinute: 60, eventsBurst: 18 } }),
    announceNeverKept: true,
    throttle: { hold: (status) => (status === 403 ? Promise.resolve() : null) },
  });
  const app = await startApp(SQLITE, {
    ingest: ingest.routes,
    externalUrl: () => 'https://errors.example.test/errgate',
    trustedProxies: ['127.0.0.0/8'],
    selfReportMark: 'mark',
  });
  let passedOn = 0;
  const handle = createApp(app.deps).callback();
  const application: RequestListener = (req, res) => {
    passedOn += 1;
    void handle(req, res);
  };
  const listener = direct ? ingestListener(app.deps, application) : application;
  const { server, port } = await listen(listener, '127.0.0.1', 0);

  return {
    /** Sends a request; returns the answer byte by byte, except what no two answers share. */
    async send(given: Given): Promise<{ answer: string; passedOn: boolean }> {
      const before = passedOn;
      ingest.sink.error = given.sinkError ?? null;
      const text = await rawHttp(`http://127.0.0.1:${port}`, given.raw ?? bytesOf(given));
      return { answer: comparable(text), passedOn: passedOn > before };
    },
    /** Begins a request and closes the connection within its body; resolves when the request has ended. */
    async abort(): Promise<void> {
      const refused = async () => ingest.refusals.list().reduce((sum, { requests }) => sum + requests, 0);
      const before = await refused();
      const socket = connect(port, '127.0.0.1', () => socket.write(HALF_A_REQUEST));
      await once(server, 'request');
      socket.destroy();
      await eventually(refused, (requests) => requests > before);
    },
    /** Stops the server within a request, whose connection brings another one; returns both answers. */
    async stopWithin(): Promise<string> {
      const request = once(server, 'request');
      const socket = connect(port, '127.0.0.1', () => socket.write(HALF_A_REQUEST));
      const chunks: Buffer[] = [];
      socket.on('data', (chunk: Buffer) => chunks.push(chunk));
      await request;
      const stopped = closeServer(server, 30_000);
      socket.write(`}${HALF_A_REQUEST}}`);
      await once(socket, 'close');
      await stopped;
      return comparable(Buffer.concat(chunks).toString('latin1'));
    },
    /** Everything that the requests left behind. */
    async traces() {
      const metrics = await app.deps.metrics.registry.metrics();
      const outcomes = await ingest.refusedOutcomes();
      return {
        requests: metrics.split('\n').filter((line) => /^errgate_http_request(s_total|_seconds_count)/.test(line)),
        accepted: await ingest.count('accepted'),
        refused: ingest.refusals.list(),
        outcomes,
        records: ingest.sink.records.map((record) => ({ ...record, eventId: null, body: record.body.toString() })),
        logged: ingest.logged.length,
      };
    },
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await app.close();
      await ingest.close();
    },
  };
}

/** A request of which the last byte is missing, a `}`. */
const HALF_A_REQUEST = `POST ${STORE}?sentry_key=glet_abc123 HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{`;

/** Returns an answer without what no two answers share. */
function comparable(answer: string): string {
  return answer
    .replaceAll(/^Date: .*$/gm, 'Date: …')
    .replaceAll(/^X-Runtime: \d+\.\d{6}\r$/gm, 'X-Runtime: …\r')
    .replaceAll(/^X-Request-Id: [0-9a-f]{8}-[0-9a-f-]{27}\r$/gm, 'X-Request-Id: …\r')
    .replaceAll(/"id":"[0-9a-f]{32}"/g, '"id":"…"');
}

function bytesOf({ method = 'POST', path = STORE, headers = AUTH, body = EVENT }: Given): Buffer {
  const content = method === 'POST' || method === 'PUT' ? Buffer.from(body as string) : Buffer.alloc(0);
  const all = { Host: 'x', Connection: 'close', ...headers, 'Content-Length': String(content.length) };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`${method} ${path} HTTP/1.1\r\n${head.join('')}\r\n`), content]);
}

describe('ingestion before the application', () => {
  let direct: Awaited<ReturnType<typeof start>>;
  let application: Awaited<ReturnType<typeof start>>;
  before(async () => {
    direct = await start(true);
    application = await start(false);
  });
  after(async () => {
    await direct.close();
    await application.close();
  });

  for (const [what, given] of Object.entries(REQUESTS)) {
    it(`answers as the application does: ${what}`, async () => {
      const own = await direct.send(given);
      const other = await application.send(given);
      assert.equal(own.answer, other.answer);
      assert.match(own.answer, /^HTTP\/1\.1 \d{3} /);
      assert.equal(own.passedOn, given.inApplication === true);
    });
  }

  it('does what the application does with a request whose sender goes away', async () => {
    await direct.abort();
    await application.abort();
  });

  it('answers as the application does: an event above a limit', async () => {
    const statuses = new Set<string>();
    for (let sent = 0; sent < 20; sent += 1) {
      const own = await direct.send({});
      assert.equal(own.answer, (await application.send({})).answer);
      statuses.add(own.answer.slice(9, 12));
    }
    assert.ok(statuses.has('429'));
  });

  it('leaves the same records, counts and log lines behind', async () => {
    assert.deepEqual(await direct.traces(), await application.traces());
  });

  it('answers as the application does while the service stops', async () => {
    const [own, other] = [await start(true), await start(false)];
    try {
      const answers = await own.stopWithin();
      assert.equal(answers, await other.stopWithin());
      const heads = [...answers.matchAll(/HTTP\/1\.1 (\d+) |^Connection: ([\w-]+)\r$/gm)];
      assert.deepEqual(heads.map(([, status, value]) => status ?? value), ['200', 'keep-alive', '200', 'close']); // prettier-ignore
    } finally {
      await own.close();
      await other.close();
    }
  });
});
