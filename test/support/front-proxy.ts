import { createServer, request as ask } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Reverse proxy of an operator in front of the service. */
export interface FrontProxy {
  /** Public address without a trailing slash. */
  readonly url: string;
  /** Sets the address of the service behind the proxy. */
  to(url: string): void;
  close(): Promise<void>;
}

/**
 * Starts a proxy that forwards requests below a path without that path; all others get 421. `also`: a further path whose
 * requests are forwarded as they are.
 */
export async function startFrontProxy(path: string, also = `${path}/`): Promise<FrontProxy> {
  let behind = '';
  const server = createServer((incoming, response) => {
    const { method, headers, url = '/' } = incoming;
    if (!url.startsWith(`${path}/`) && !url.startsWith(also)) {
      response.writeHead(421).end('not of this service');
      return;
    }
    const inner = url.startsWith(`${path}/`) ? url.slice(path.length) : url;
    const outgoing = ask(new URL(inner, behind), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    outgoing.once('error', () => response.destroy());
    incoming.pipe(outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    to(url) {
      behind = url;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
