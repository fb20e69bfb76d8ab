import { readFileSync, readdirSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const FOLDER = new URL('../fixtures/captures/', import.meta.url);

export interface Capture {
  readonly name: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Inflated body. */
  readonly body: Buffer;
  /** Body as sent, compressed. */
  readonly wire: Buffer;
  readonly chunked: boolean;
}

/** Reads all requests captured from real SDKs, and compresses them as their headers declare. */
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

/** Headers of the connection, which the test's HTTP client sets itself. */
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
