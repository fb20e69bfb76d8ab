import { Agent, createServer, type IncomingMessage, request as ask, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { faults } from '../../test/support/fake-tracker/faults.ts';
import { seededRandom } from '../../test/support/random-faults.ts';

/** `empty`: a list without rows, which no client can tell from a true one. The others can be seen. */
export type RelayFault = 'html' | 'status 500' | 'reset' | 'cut' | 'slow' | 'empty';

export const SEEN_FAULTS: readonly RelayFault[] = ['html', 'status 500', 'reset', 'cut', 'slow'];

/** Longer than a client waits between two bytes of an answer, or not: the tracker answers late. */
const SLOW_MS = 3000;
/** Lists of either tracker. Names of single things end in an id. */
const LISTS = /\/(?:issues|events|keys|releases|comments|notes|alerts|members|issue-history|grouping)\/(?:\?|$)/;

export interface RelayOptions {
  /** Address of the tracker without a trailing slash. */
  readonly target: string;
  /** One request in so many fails, at random; 0: none. */
  readonly oneIn: number;
  /** True: exactly each of them, not at random. */
  readonly exact?: boolean;
  readonly kinds: readonly RelayFault[];
  readonly seed: number;
}

/** Proxy between an import and a tracker that runs, which answers some requests wrongly. */
export interface FaultRelay {
  readonly url: string;
  /** Requests so far. */
  readonly requests: number;
  /** Faults so far by their kind. */
  readonly made: Readonly<Partial<Record<RelayFault, number>>>;
  /** Makes no faults any more. */
  mute(): void;
  close(): Promise<void>;
}

export async function startFaultRelay({ target, oneIn, exact, kinds, seed }: RelayOptions): Promise<FaultRelay> {
  const random = seededRandom(seed);
  const agent = new Agent({ keepAlive: true });
  const made: Partial<Record<RelayFault, number>> = {};
  let requests = 0;
  let isMuted = oneIn === 0;

  const faultOf = (path: string): RelayFault | null => {
    if (isMuted || (exact === true ? requests % oneIn !== 0 : random() * oneIn >= 1)) return null;
    const usable = kinds.filter((kind) => kind !== 'empty' || LISTS.test(path));
    const kind = usable[Math.floor(random() * usable.length)];
    if (kind === undefined) return null;
    made[kind] = (made[kind] ?? 0) + 1;
    return kind;
  };

  const server = createServer((incoming, response) => {
    requests += 1;
    const { url: path = '/' } = incoming;
    switch (faultOf(path)) {
      case 'html':
        return faults.htmlLogin().serve?.(response);
      case 'status 500':
        return faults.status(500).serve?.(response);
      case 'reset':
        return faults.reset().serve?.(response);
      case 'empty':
        return faults
          .json(path.includes('/canonical/') ? { next: null, previous: null, results: [] } : [])
          .serve?.(response);
      case 'cut': {
        relay(incoming, response, true);
        return;
      }
      case 'slow':
        setTimeout(() => relay(incoming, response, false), SLOW_MS);
        return;
      case null: {
        relay(incoming, response, false);
        return;
      }
    }
  });

  function relay(incoming: IncomingMessage, response: ServerResponse, isCut: boolean): void {
    const { method, headers, url = '/' } = incoming;
    const outgoing = ask(new URL(url, target), { method, headers: { ...headers, connection: 'keep-alive' }, agent });
    outgoing.once('response', (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.once('error', () => response.destroy());
      answer.once('end', () => {
        const body = Buffer.concat(chunks);
        const { 'transfer-encoding': _coding, connection: _connection, ...kept } = answer.headers;
        response.writeHead(answer.statusCode ?? 502, { ...kept, 'content-length': String(body.length) });
        if (isCut) response.write(body.subarray(0, body.length / 2), () => response.destroy());
        else response.end(body);
      });
    });
    outgoing.once('error', () => response.destroy());
    incoming.pipe(outgoing);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get requests() {
      return requests;
    },
    made,
    mute() {
      isMuted = true;
    },
    async close() {
      server.closeAllConnections();
      agent.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
