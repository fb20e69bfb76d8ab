import { once } from 'node:events';
import http, { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Request that a door has passed on. */
export interface Seen {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: number;
}

/** What stands between a proxy and the service: it keeps what the proxy sends, and passes it on. */
export class Door {
  readonly seen: Seen[] = [];
  /** Answers in place of the service; true: it has answered. */
  answers: (request: IncomingMessage, response: ServerResponse) => boolean = () => false;
  readonly #server = http.createServer((request, response) => this.#pass(request, response));
  readonly #target: () => string;
  port = 0;

  constructor(target: () => string) {
    this.#target = target;
  }

  async open(port: number): Promise<void> {
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.port = (this.#server.address() as AddressInfo).port;
  }

  async shut(): Promise<void> {
    if (!this.#server.listening) return;
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  #pass(request: IncomingMessage, response: ServerResponse): void {
    const { method, headers, url = '/' } = request;
    let bytes = 0;
    request.on('data', (chunk: Buffer) => (bytes += chunk.length));
    request.once('end', () => this.seen.push({ path: url, headers, bytes }));
    if (this.answers(request, response)) {
      request.resume();
      return;
    }
    const outgoing = http.request(new URL(url, this.#target()), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    outgoing.on('error', () => response.destroy());
    request.pipe(outgoing);
  }
}
