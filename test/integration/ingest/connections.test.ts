import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import fc from 'fast-check';
import { AUTH, ENVELOPE, STORE, startIngestApp, type IngestApp } from '../../support/ingest-app.ts';

const HEAD = [`POST ${STORE} HTTP/1.1`, 'Host: x', `X-Sentry-Auth: ${AUTH['X-Sentry-Auth']}`];
const EVENT = '{"message":"x"}';

/** Collects what a raw connection receives until `wanted` answers have come or it ends. */
async function receive(socket: net.Socket, wanted: RegExp): Promise<string> {
  let text = '';
  for await (const chunk of socket) {
    text += (chunk as Buffer).toString('latin1');
    if (wanted.test(text)) {
      break;
    }
  }
  return text;
}

describe('ingestion connections', () => {
  let app: IngestApp;
  beforeEach(async () => {
    app = await startIngestApp({ limits: { bodyTimeoutMs: 100, maxRequestBytes: 50_000 } });
  });
  afterEach(() => app.close());

  async function connect(): Promise<net.Socket> {
    const socket = net.connect(app.port, '127.0.0.1');
    await once(socket, 'connect');
    return socket;
  }

  it('a sender that disconnects in the middle leaves nothing behind', async () => {
    const socket = await connect();
    socket.write([...HEAD, 'Content-Length: 1000', '', EVENT].join('\r\n'));
    while (app.store.lookUps === 0) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    socket.destroy();
    while ((await app.count('refused', { reason: 'aborted' })) === 0) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.deepEqual(app.sink.records, []);
    assert.deepEqual(app.logged, []);
    assert.equal((await app.send(STORE, { headers: AUTH, body: EVENT })).status, 200);
  });

  it('a sender that is too slow is answered and disconnected', async () => {
    const socket = await connect();
    socket.write([...HEAD, 'Content-Length: 1000', '', EVENT].join('\r\n'));
    const text = await receive(socket, /never/);
    assert.match(text, /^HTTP\/1\.1 400 /);
    assert.match(text, /\r\nConnection: close\r\n/i);
    assert.match(text, /did not arrive within 100 ms/);
    assert.equal(await app.count('refused', { reason: 'timeout' }), 1);
  });

  it('Expect: 100-continue is harmless', async () => {
    const socket = await connect();
    socket.write([...HEAD, `Content-Length: ${EVENT.length}`, 'Expect: 100-continue', '', ''].join('\r\n'));
    socket.write(EVENT);
    const text = await receive(socket, /"id"/);
    assert.match(text, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
    socket.destroy();
  });

  it('a refused body of any size leaves the connection usable for the next request', async () => {
    const socket = await connect();
    const large = 'x'.repeat(200_000);
    for (const [head, body] of [
      [HEAD, large],
      [[`POST ${STORE} HTTP/1.1`, 'Host: x'], large],
      [HEAD, '[1]'],
      [HEAD, EVENT],
    ] as const) {
      socket.write([...head, `Content-Length: ${body.length}`, '', body].join('\r\n'));
    }
    let text = '';
    for await (const chunk of socket) {
      text += (chunk as Buffer).toString('latin1');
      if (text.includes('"id"')) {
        break;
      }
    }
    assert.deepEqual(
      [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map((match) => match[1]),
      ['413', '401', '400', '200'],
    );
  });

  it('many requests at once on few connections all get their own answer', async () => {
    const ids = Array.from({ length: 200 }, (_, index) => index.toString(16).padStart(32, 'a'));
    const answers = await Promise.all(
      ids.map((event_id) => app.send(STORE, { headers: AUTH, body: JSON.stringify({ event_id }) })),
    );
    assert.deepEqual(
      answers.map((answer) => answer.json['id']),
      ids,
    );
    assert.deepEqual(app.sink.eventIds.toSorted(), ids.toSorted());
  });

  it('random bytes on both routes never get more than a 4xx', async () => {
    const body = fc.oneof(
      fc.uint8Array({ maxLength: 500 }).map((raw) => Buffer.from(raw)),
      fc.json().map((text) => Buffer.from(text)),
      fc
        .array(fc.oneof(fc.json(), fc.constantFrom('{"type":"event"}', '{"type":"event","length":2}', '{}')), {
          maxLength: 8,
        })
        .map((parts) => Buffer.from(`{}\n${parts.join('\n')}`)),
    );
    const encoding = fc.constantFrom('', 'gzip', 'deflate', 'br');
    await fc.assert(
      fc.asyncProperty(body, encoding, fc.constantFrom(STORE, ENVELOPE), async (bytes, contentEncoding, path) => {
        const { status } = await app.send(path, {
          headers: { ...AUTH, 'Content-Encoding': contentEncoding },
          body: bytes,
        });
        assert.ok(status === 200 || (status >= 400 && status < 500), String(status));
      }),
      { numRuns: 400 },
    );
    assert.deepEqual(app.logged, []);
  });
});
