import { readFileSync, readdirSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const FOLDER = new URL('../fixtures/captures/', import.meta.url);

export interface Capture {
  readonly name: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Inflated. */
  readonly body: Buffer;
  /** As it goes over the wire. */
  readonly wire: Buffer;
  readonly chunked: boolean;
}

/** Every request captured from a real SDK, compressed again as its headers say. */
export function captures(): Capture[] {
  return readdirSync(FOLDER, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap((sdk) =>
      readdirSync(new URL(`${sdk.name}/`, FOLDER))
        .filter((file) => file.endsWith('.json'))
        .sort()
        .map((file) => readCapture(`${sdk.name}/${file.slice(0, -'.json'.length)}`)),
    );
}

/** Left to the HTTP client of the test: they belong to the connection, not to the request. */
const CONNECTION_HEADERS = new Set(['host', 'content-length', 'transfer-encoding', 'connection']);

function readCapture(name: string): Capture {
  const meta = JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), 'utf8')) as {
    url: string;
    headers: [string, string][];
  };
  const body = readFileSync(new URL(`${name}.body`, FOLDER));
  const find = (wanted: string) => meta.headers.find(([header]) => header.toLowerCase() === wanted)?.[1];
  return {
    name,
    path: meta.url,
    headers: Object.fromEntries(meta.headers.filter(([header]) => !CONNECTION_HEADERS.has(header.toLowerCase()))),
    body,
    wire: find('content-encoding') === 'gzip' ? gzipSync(body) : body,
    chunked: find('transfer-encoding') === 'chunked',
  };
}
