import http, { type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { readEnvelopeHead, walkItems } from '../../src/integrated/intake/read/envelope.ts';

/** Envelope that the target took. */
export interface TakenEnvelope {
  readonly header: Readonly<Record<string, unknown>>;
  readonly items: readonly { readonly type: string; readonly payload: string }[];
  readonly headers: IncomingHttpHeaders;
}

export interface TargetReply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** True: the request is never answered. */
  readonly hang?: boolean;
}

/**
 * Tracker that takes envelopes and is strict: the key of the request, the `dsn` of the envelope and the public key of
 * its trace must be those of the project, else it answers 4xx as Relay does. An event with a known id counts once.
 */
export class FakeTarget {
  readonly taken: TakenEnvelope[] = [];
  /** Ids of events, in the order of their first arrival. */
  readonly eventIds = new Set<string>();
  requests = 0;
  /** Refusals by the strict rules. */
  readonly problems: string[] = [];
  /** Decides the answer to a well-formed request. Anything but a 2xx takes nothing. */
  reply: (envelope: TakenEnvelope) => TargetReply = () => ({});
  readonly #server: http.Server;

  private constructor() {
    this.#server = http.createServer((req, res) => {
      const chunks: Buffer[] = [];
      req.on('data', (chunk: Buffer) => chunks.push(chunk));
      req.on('end', () => this.#answer(req, res, Buffer.concat(chunks)));
    });
  }

  static async start(port = 0): Promise<FakeTarget> {
    const target = new FakeTarget();
    await new Promise<void>((resolve) => target.#server.listen(port, '127.0.0.1', resolve));
    return target;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get dsn(): string {
    return `http://targetkey@127.0.0.1:${this.port}/sub/77`;
  }

  /** Types of all items that were taken. */
  get itemTypes(): string[] {
    return this.taken.flatMap(({ items }) => items.map(({ type }) => type));
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer(req: http.IncomingMessage, res: http.ServerResponse, raw: Buffer): void {
    this.requests += 1;
    const body = req.headers['content-encoding'] === 'gzip' ? gunzipSync(raw) : raw;
    const head = readEnvelopeHead(body);
    const items = head === null ? [] : [...walkItems(body, head.itemsAt)];
    const problem = this.#problemOf(req, head?.header ?? null);
    if (problem !== null || head === null) {
      this.problems.push(problem ?? 'no envelope');
      res.writeHead(400).end(JSON.stringify({ detail: problem }));
      return;
    }
    const envelope = {
      header: head.header,
      items: items.map(({ type, payload }) => ({ type, payload: payload.toString() })),
      headers: req.headers,
    };
    const { status = 200, headers = {}, hang = false } = this.reply(envelope);
    if (hang) return;
    if (status >= 200 && status < 300) {
      this.taken.push(envelope);
      if (envelope.items.some(({ type }) => type === 'event')) this.eventIds.add(String(head.header['event_id']));
    }
    res.writeHead(status, headers).end('{}');
  }

  #problemOf(req: http.IncomingMessage, header: Readonly<Record<string, unknown>> | null): string | null {
    if (req.method !== 'POST' || req.url !== '/sub/api/77/envelope/') return `unknown address ${req.method} ${req.url}`;
    const auth = String(req.headers['x-sentry-auth']);
    if (!/^Sentry sentry_version=7, sentry_client=[^,]+, sentry_key=targetkey$/.test(auth)) return `bad auth ${auth}`;
    if (header === null) return 'no envelope';
    const { dsn, trace } = header as { dsn?: unknown; trace?: { public_key?: unknown } };
    if (dsn !== undefined && dsn !== this.dsn) return 'bad envelope authentication header';
    if (trace?.public_key !== undefined && trace.public_key !== 'targetkey') return 'trace of another key';
    return null;
  }
}
