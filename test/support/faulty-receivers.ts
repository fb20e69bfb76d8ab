import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Request that a receiver got. */
export interface ReceivedCall {
  /** Name of the receiver: the path without its slash. */
  readonly name: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** By the clock of the test. */
  readonly at: number;
}

/** Answers a request, or leaves it open. `attempt`: 1 for the first request of this receiver. */
export type Behaviour = (res: ServerResponse, attempt: number) => void;

const LARGE = Buffer.alloc(10_000_000, 'x');

/** Answers of receivers at work, and of those that are not. */
export const answers = {
  ok: (res: ServerResponse): void => void res.writeHead(200).end('ok'),
  empty: (res: ServerResponse): void => void res.writeHead(204).end(),
  limited: (res: ServerResponse, retryAfter: string): void =>
    void res.writeHead(429, { 'retry-after': retryAfter }).end('slow down'),
  redirect: (res: ServerResponse, location: string): void => void res.writeHead(302, { location }).end(),
  /** 10 MB. */
  large: (res: ServerResponse, status: number): void => void res.writeHead(status).end(LARGE),
  closes: (res: ServerResponse): void => void res.destroy(),
  /** Reads the request and answers nothing. */
  nothing: (): void => undefined,
};

/** Receivers of webhooks on one server of this machine, each at its own path. */
export class FaultyReceivers {
  readonly calls: ReceivedCall[] = [];
  /** Answers that a receiver has not begun, on connections that are open. */
  readonly open = new Set<ServerResponse>();
  /** Called after each change of `open`. */
  onChange: () => void = () => undefined;
  readonly #behaviours: ReadonlyMap<string, Behaviour>;
  readonly #now: () => number;
  readonly #server = createServer((req, res) => {
    const name = (req.url ?? '').slice(1);
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      this.calls.push({ name, headers: req.headers, body: Buffer.concat(chunks).toString(), at: this.#now() });
      res.once('close', () => {
        this.open.delete(res);
        this.onChange();
      });
      this.#behaviours.get(name)?.(res, this.of(name).length);
      if (!res.writableEnded && !res.destroyed) this.open.add(res);
      this.onChange();
    });
  });

  constructor(behaviours: Readonly<Record<string, Behaviour>>, now: () => number) {
    this.#behaviours = new Map(Object.entries(behaviours));
    this.#now = now;
  }

  async start(): Promise<void> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
  }

  urlOf(name: string): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/${name}`;
  }

  of(name: string): ReceivedCall[] {
    return this.calls.filter((call) => call.name === name);
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
