import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Request to a real tracker and its answer. */
export interface Recorded {
  readonly file: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly body: unknown;
    /** `valid`, or the text sent instead of a valid token; null for none. */
    readonly token: string | null;
  };
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: unknown;
}

/** Reads the recorded answers of one tracker from the fixture folder of that name: of Connect, or of imports. */
export function readRecordings(name: string, use: 'thirdparty' | 'import' = 'thirdparty'): readonly Recorded[] {
  const folder = new URL(`../../fixtures/${use}/${name}/`, import.meta.url);
  return readdirSync(folder)
    .sort()
    .map((file) => ({ file, ...(JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Omit<Recorded, 'file'>) }));
}

export const recordedAnswers: readonly Recorded[] = readRecordings('glitchtip-5.2');

export interface Replay {
  readonly origin: string;
  /** `METHOD /path` of requests without a recorded answer. */
  readonly unknown: string[];
  close(): Promise<void>;
}

/** Key that distinguishes answers of one path; the page size is ignored. */
const keyOf = (method: string, url: URL, body: string): string =>
  JSON.stringify([
    method,
    url.pathname,
    url.searchParams.get('query'),
    url.searchParams.get('sort'),
    url.searchParams.get('cursor'),
    body,
  ]);

/** Starts a server with the recorded answers, byte for byte. Other requests get 404 and are listed. */
export async function startReplay(): Promise<Replay> {
  const answers = new Map<string, Recorded>();
  for (const recorded of recordedAnswers) {
    const { method, path, body, token } = recorded.request;
    const key = keyOf(method, new URL(path, 'http://replay'), body === null ? '' : JSON.stringify(body));
    if (token === 'valid' || !answers.has(key)) answers.set(key, recorded);
  }
  const unknown: string[] = [];
  // Closes no idle connection: a client on a busy machine may be about to use it.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      const body = text === '' ? '' : JSON.stringify(JSON.parse(text));
      const found = answers.get(keyOf(request.method ?? '', new URL(request.url ?? '/', 'http://replay'), body));
      if (found === undefined) {
        unknown.push(`${request.method ?? ''} ${request.url ?? ''}`);
        response.writeHead(404, { 'content-type': 'application/json' });
        response.end('{"detail":"Not Found"}');
        return;
      }
      response.writeHead(found.status, Object.fromEntries(found.headers));
      response.end(typeof found.body === 'string' ? found.body : JSON.stringify(found.body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    unknown,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
