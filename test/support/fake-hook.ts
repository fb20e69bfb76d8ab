import http, { type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Request that the receiver got. */
export interface HookCall {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface HookReply {
  readonly status: number;
  readonly body: string;
}

/** Receiver of webhooks on the loopback address; keeps what it got, and answers as it is told. */
export class FakeHook {
  readonly calls: HookCall[] = [];
  reply: HookReply = { status: 200, body: 'ok' };
  readonly #server: http.Server;

  private constructor() {
    this.#server = http.createServer((req, res) => {
      const chunks: Buffer[] = [];
      req.on('data', (chunk: Buffer) => chunks.push(chunk));
      req.on('end', () => {
        this.calls.push({ headers: req.headers, body: Buffer.concat(chunks).toString() });
        res.writeHead(this.reply.status, { 'Content-Type': 'text/plain' }).end(this.reply.body);
      });
    });
  }

  static async start(): Promise<FakeHook> {
    const hook = new FakeHook();
    await new Promise<void>((resolve) => hook.#server.listen(0, '127.0.0.1', resolve));
    return hook;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook/s3cret`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
