import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

/** Fault of an answer. `serve` may leave the response open, because the server destroys it at the end. */
export interface Fault {
  readonly name: string;
  /** Answers instead of the tracker; with `undefined` the tracker's own answer follows after `delayMs`. */
  serve?(response: ServerResponse): void;
  readonly delayMs?: number;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const HTML_TYPE = { 'content-type': 'text/html; charset=utf-8' };
const LOGIN_PAGE = '<!doctype html><html><title>Sign in</title><form action="/login"></form></html>';

const reply =
  (status: number, headers: Readonly<Record<string, string>>, body: string | Buffer) =>
  (response: ServerResponse): void => {
    response.writeHead(status, headers);
    response.end(body);
  };

/** Writes `chunk` until `total` bytes are sent or the client disconnects. */
function pour(response: ServerResponse, chunk: Buffer, total: number): void {
  let left = total;
  const more = (): void => {
    while (left > 0 && !response.destroyed) {
      left -= chunk.length;
      if (!response.write(chunk)) {
        response.once('drain', more);
        return;
      }
    }
    response.end();
  };
  more();
}

/** Sends one byte per second of the body or of the head. */
function drip(response: ServerResponse, head: boolean): void {
  const text = head ? `HTTP/1.1 200 OK\r\nX-Slow: ${'y'.repeat(600)}\r\n\r\n` : ' '.repeat(600);
  if (!head) response.writeHead(200, { ...JSON_TYPE, 'content-length': '600' });
  let at = 0;
  const timer = setInterval(() => {
    if (response.socket === null || response.destroyed) {
      clearInterval(timer);
      return;
    }
    if (head) response.socket.write(text[at]!);
    else response.write(text[at]!);
    at += 1;
  }, 1000);
  response.once('close', () => clearInterval(timer));
}

/** Compresses 200 gzip members of one megabyte each; decoders read them as one text. */
const bomb = (): Buffer => {
  const member = gzipSync(Buffer.alloc(1_048_576, ' '), { level: 9 });
  return Buffer.concat(Array.from({ length: 200 }, () => member));
};

const fault = (name: string, serve: (response: ServerResponse) => void): Fault => ({ name, serve });

export const faults = {
  status: (status: number, body = '<h1>Bad Gateway</h1>', headers: Readonly<Record<string, string>> = HTML_TYPE) =>
    fault(`status ${status}`, reply(status, headers, body)),
  json: (body: unknown) => fault('other JSON', reply(200, JSON_TYPE, JSON.stringify(body))),
  text: (body: string) => fault('broken JSON', reply(200, JSON_TYPE, body)),
  htmlLogin: () => fault('login page', reply(200, HTML_TYPE, LOGIN_PAGE)),
  htmlAsJson: () => fault('HTML that calls itself JSON', reply(200, JSON_TYPE, LOGIN_PAGE)),
  redirect: (location: string, status = 302) => fault(`redirect ${status}`, reply(status, { location }, '')),
  hang: () => fault('no answer', () => undefined),
  dripBody: () => fault('one byte of body a second', (response) => drip(response, false)),
  dripHead: () => fault('one byte of head a second', (response) => drip(response, true)),
  reset: () =>
    fault('reset', (response) => {
      response.socket?.resetAndDestroy();
    }),
  half: () =>
    fault('half an answer', (response) => {
      response.writeHead(200, { ...JSON_TYPE, 'content-length': '1000' });
      response.write('[{"id":"1",', () => response.destroy());
    }),
  halfChunked: () =>
    fault('half a chunked answer', (response) => {
      response.writeHead(200, JSON_TYPE);
      response.write('[{"id":"1"}]', () => response.destroy());
    }),
  noHttp: () =>
    fault('no HTTP', (response) => {
      response.socket?.end('SSH-2.0-OpenSSH_9.6\r\n');
    }),
  /** Sends `megabytes` of the beginning of a valid list. */
  huge: (megabytes = 200) =>
    fault('huge answer', (response) => {
      response.writeHead(200, JSON_TYPE);
      response.write('[');
      pour(response, Buffer.alloc(65_536, ' '), megabytes * 1_048_576);
    }),
  /** Like `huge`, with a Content-Length. */
  hugeDeclared: () =>
    fault('huge answer with its length', (response) => {
      response.writeHead(200, { ...JSON_TYPE, 'content-length': String(200 * 1_048_576) });
      pour(response, Buffer.alloc(65_536, ' '), 200 * 1_048_576);
    }),
  /** Sends 200 MB in about 200 kB of gzip. */
  gzipBomb: () =>
    fault('gzip bomb', (response) => {
      const bytes = bomb();
      response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip', 'content-length': String(bytes.length) });
      response.end(bytes);
    }),
  brokenGzip: () =>
    fault('broken gzip', reply(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }, Buffer.from('no gzip at all'))),
  deep: (levels = 100_000) => fault('deep JSON', reply(200, JSON_TYPE, '['.repeat(levels) + ']'.repeat(levels))),
  /** Rate limit of sentry.io: no `Retry-After`, window end in epoch seconds, content type HTML. */
  rateLimited: (resetSeconds: number) =>
    fault(
      'rate limited',
      reply(
        429,
        {
          ...HTML_TYPE,
          'x-sentry-rate-limit-limit': '5',
          'x-sentry-rate-limit-remaining': '0',
          'x-sentry-rate-limit-reset': String(resetSeconds),
          'x-sentry-rate-limit-concurrentlimit': '25',
          'x-sentry-rate-limit-concurrentremaining': '25',
        },
        JSON.stringify({
          detail: 'You are attempting to use this endpoint too frequently. Limit is 5 requests in 1 seconds',
        }),
      ),
    ),
  /** Rate limit of an overloaded self-hosted instance. */
  throttled: (seconds: number) =>
    fault(
      'throttled',
      reply(
        429,
        { ...JSON_TYPE, 'retry-after': String(seconds) },
        JSON.stringify({ detail: `Request was throttled. Expected available in ${seconds} second.` }),
      ),
    ),
  /** Rate limit of GlitchTip, without any header. */
  pleaseRetry: () =>
    fault('please retry later', reply(429, JSON_TYPE, JSON.stringify({ message: 'Please retry later' }))),
  /** Delays the tracker's own answer. */
  late: (delayMs: number): Fault => ({ name: `late by ${delayMs} ms`, delayMs }),
} as const;
