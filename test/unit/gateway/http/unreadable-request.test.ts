import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { closeServer, listen } from '../../../../src/gateway/http/http-server.ts';
import { refuseUnreadable } from '../../../../src/gateway/http/unreadable-request.ts';
import { rawHttp } from '../../../support/raw-http.ts';

interface Answer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

function parsed(text: string): Answer {
  const end = text.indexOf('\r\n\r\n');
  const [first = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const [name = '', value = ''] = line.split(/: (.*)/s);
    return [name.toLowerCase(), value];
  });
  return { status: Number(first.split(' ')[1]), headers: new Map(headers), body: text.slice(end + 4) };
}

/** What every such refusal has, whether an SDK, a page or a script sent the request. */
function assertRefusal(text: string, status: number, reason: RegExp): void {
  const answer = parsed(text);
  assert.equal(answer.status, status, text);
  const { message } = JSON.parse(answer.body) as { message: string };
  assert.ok(message.startsWith(`${status} `), message);
  assert.match(message, reason);
  assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
  assert.equal(answer.headers.get('content-length'), String(answer.body.length));
  assert.match(answer.headers.get('x-sentry-error') ?? '', reason);
  assert.equal(answer.headers.get('access-control-allow-origin'), '*');
  assert.equal(answer.headers.get('access-control-expose-headers'), 'x-sentry-error');
  assert.equal(answer.headers.get('connection'), 'close');
}

describe('a request that Node.js cannot read', () => {
  let server: Server;
  let url: string;
  before(async () => {
    const listening = await listen(
      (request, response) => {
        if (request.url === '/slow') response.write('begun ');
        else response.end('answer');
      },
      '127.0.0.1',
      0,
    );
    server = listening.server;
    url = `http://127.0.0.1:${listening.port}`;
  });
  after(() => closeServer(server, 0));

  const long = 'h'.repeat(20_000);
  const rows: [what: string, request: string, status: number, reason: RegExp][] = [
    ['an address of 20 KB', `GET /${long} HTTP/1.1\r\nHost: x\r\n\r\n`, 431, /larger than 16 KiB/],
    ['a header of 20 KB', `POST / HTTP/1.1\r\nHost: x\r\nX-Huge: ${long}\r\n\r\n`, 431, /larger than 16 KiB/],
    ['2,000 headers', `GET / HTTP/1.1\r\nHost: x\r\n${'Aaaa: bbbbbb\r\n'.repeat(2000)}\r\n`, 431, /larger than 16 KiB/],
    ['a header of 2 MB', `GET / HTTP/1.1\r\nHost: x\r\nX-Huge: ${'h'.repeat(2_000_000)}`, 431, /larger than 16 KiB/],
    ['a request line without an address', 'GET\r\n\r\n', 400, /not valid HTTP/],
    ['bytes of TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n', 400, /not valid HTTP/],
    ['a header without a colon', 'GET / HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n', 400, /not valid HTTP/],
    ['no Host header', 'GET / HTTP/1.1\r\n\r\n', 400, /no Host header/],
    ['two Host headers', 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 400, /more than one Host header/],
    ['an unknown expectation', 'GET / HTTP/1.1\r\nHost: x\r\nExpect: gold\r\n\r\n', 417, /expectation/],
  ];
  for (const [what, request, status, reason] of rows)
    it(`is answered ${status} with a JSON body: ${what}`, async () => {
      assertRefusal(await rawHttp(url, Buffer.from(request, 'latin1')), status, reason);
    });

  it('is answered 408 when its headers do not arrive in time', async () => {
    const impatient = createServer({ headersTimeout: 50, connectionsCheckingInterval: 20 });
    impatient.on('clientError', refuseUnreadable);
    await new Promise<void>((resolve) => impatient.listen(0, '127.0.0.1', resolve));
    const { port } = impatient.address() as AddressInfo;
    assertRefusal(await rawHttp(`http://127.0.0.1:${port}`, 'GET / HTTP/1.1\r\nHost: x\r\n'), 408, /in time/);
    await closeServer(impatient, 0);
  });

  it('does not break an answer that has begun', async () => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    let received = '';
    socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString();
      if (received.endsWith('begun \r\n')) socket.write('\0\x01\r\n\r\n');
    });
    await new Promise((resolve) => socket.once('close', resolve));
    assert.match(received, /^HTTP\/1\.1 200 [^]*\r\nbegun \r\n$/);
  });

  it('answers a request without Host in HTTP/1.0', async () => {
    assert.match(await rawHttp(url, 'GET / HTTP/1.0\r\n\r\n'), /^HTTP\/1\.1 200 [^]*answer$/);
  });
});
