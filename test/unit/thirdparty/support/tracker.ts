import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TrackerClient, type ClientSettings, type TrackerClientDeps } from '../../../../src/thirdparty/http/client.ts';
import { createUrlGuard } from '../../../../src/thirdparty/guard/url-guard.ts';

export const TOKEN = 'f00dfacef00dfacef00dfacef00dface';

export interface LocalTracker {
  readonly baseUrl: string;
  /** Every request that came, oldest first. */
  readonly requests: IncomingMessage[];
  /** The most requests that were open at once. */
  readonly peak: () => number;
  close(): Promise<void>;
}

/** A real server on a loopback port: for what goes over the wire. */
export async function startTracker(listener: RequestListener): Promise<LocalTracker> {
  const requests: IncomingMessage[] = [];
  let open = 0;
  let peak = 0;
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    requests.push(request);
    open += 1;
    peak = Math.max(peak, open);
    response.once('close', () => (open -= 1));
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    peak: () => peak,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The client's time stands still unless it waits. */
export function testClient(settings: Partial<ClientSettings> = {}, deps: Partial<TrackerClientDeps> = {}) {
  const waits: number[] = [];
  let now = Date.parse('2026-11-21T10:00:00Z');
  const client = new TrackerClient({
    guard: createUrlGuard({ allow: '127.0.0.1' }),
    clock: { now: () => now },
    settings,
    wait: async (ms, signal) => {
      signal.throwIfAborted();
      waits.push(ms);
      now += ms;
    },
    ...deps,
  });
  return { client, waits, now: () => now };
}

export const target = (baseUrl: string, token: string | null = TOKEN) => ({ baseUrl, token: () => token });

export function sendJson(response: ServerResponse, body: unknown, status = 200, headers = {}): void {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}
