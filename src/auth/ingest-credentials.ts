import { LRUCache } from 'lru-cache';
import { AppError } from '../domain/app-error.ts';
import { PUBLIC_KEY_PATTERN, readDsnId } from '../domain/projects/dsn.ts';

/** Parts of a request, except its body, that may contain a client key. */
export interface IngestCarriers {
  readonly sentryAuth: string | undefined;
  readonly authorization: string | undefined;
  /** Query without the question mark. */
  readonly query: string;
}

export interface IngestCredentials {
  /** Client key; null when no carrier has one. Then the header of an envelope may have it. */
  readonly publicKey: string | null;
  /** Name and version of the client library, as it announced itself. */
  readonly client: string | null;
}

/** Client key and project id in the `dsn` of an envelope. */
export interface DsnCredentials {
  readonly publicKey: string;
  /** As `readDsnId` returns it. */
  readonly dsnId: string;
}

/** Newest protocol version whose authentication this service supports. */
const MAX_PROTOCOL_VERSION = 8;
const MAX_DSN_LENGTH = 2048;
const MAX_CLIENT_LENGTH = 200;
const DSN = /^\w+:\/\/([^:@/?#]+)(?::[^@/?#]*)?@[^/?#@]+((?:\/[^/?#]*)+)$/;

/** Maximum number of remembered carriers. Evicts the least recently used. */
const MAX_REMEMBERED = 1000;
/** Characters; longer carriers are not remembered, so that senders cannot fill the memory. */
const MAX_REMEMBERED_LENGTH = 500;

/** Creates a function as `readCredentials` that remembers results: an SDK sends the same carriers with every event. */
export function rememberingCredentials(): (carriers: IngestCarriers) => IngestCredentials {
  const known = new LRUCache<string, IngestCredentials>({ max: MAX_REMEMBERED });
  return (carriers) => {
    const { sentryAuth = '', authorization = '', query } = carriers;
    // No header and no query has a line break.
    const text = `${sentryAuth}\n${authorization}\n${query}`;
    const remembered = known.get(text);
    if (remembered !== undefined) return remembered;
    const { publicKey, client } = readCredentials(carriers);
    const credentials = { publicKey: ownText(publicKey), client: ownText(client) };
    if (text.length <= MAX_REMEMBERED_LENGTH) known.set(text, credentials);
    return credentials;
  };
}

/** Copies a part of a request, which V8 would otherwise keep whole, its long URL included. */
function ownText(part: string | null): string | null {
  return part === null ? null : Buffer.from(part, 'utf8').toString('utf8');
}

/**
 * Finds the client key in `X-Sentry-Auth`, `Authorization` (`Sentry …` or `Basic` with an empty password) and the
 * query. Several places may have the same key.
 *
 * Throws `ingest_unauthorized` when keys differ, when a key is not `\w{1,255}`, or when the protocol version is newer
 * than 8.
 */
export function readCredentials(carriers: IngestCarriers): IngestCredentials {
  const found = new Found();
  if (carriers.sentryAuth !== undefined) {
    readSentryScheme(carriers.sentryAuth, found);
  }
  if (carriers.authorization !== undefined && !readSentryScheme(carriers.authorization, found)) {
    readBasic(carriers.authorization, found);
  }
  if (carriers.query.includes('sentry_')) {
    // As a form in a body is read, so that an event can be sent either way.
    const query = new URLSearchParams(carriers.query);
    for (const name of ['sentry_key', 'sentry_version', 'sentry_client']) {
      for (const value of query.getAll(name)) found.add(name, value);
    }
  }
  return { publicKey: found.publicKey, client: found.client };
}

/**
 * Reads a DSN; null for an invalid one. The key is before the `@`; a secret after a colon is ignored. The project id is
 * the last part of the path.
 */
export function readDsn(dsn: string): DsnCredentials | null {
  const match = dsn.length > MAX_DSN_LENGTH ? null : DSN.exec(dsn);
  const publicKey = match?.[1] ?? '';
  const dsnId = readDsnId(match?.[2]?.replace(/\/$/, '').split('/').at(-1) ?? '');
  return dsnId === null || !PUBLIC_KEY_PATTERN.test(publicKey) ? null : { publicKey, dsnId };
}

class Found {
  publicKey: string | null = null;
  client: string | null = null;

  add(name: string, value: string): void {
    if (name === 'sentry_key') {
      this.#addKey(value);
    } else if (name === 'sentry_version') {
      // Some clients send "7.0". An unreadable number counts as a supported version.
      if (Number.parseInt(value, 10) > MAX_PROTOCOL_VERSION) {
        throw unauthorized(
          `The protocol version is not supported: sentry_version must be at most ${MAX_PROTOCOL_VERSION}.`,
        );
      }
    } else if (name === 'sentry_client') {
      this.client ??= cleanClient(value);
    }
  }

  #addKey(key: string): void {
    if (!PUBLIC_KEY_PATTERN.test(key)) {
      throw unauthorized('The client key is unreadable: sentry_key must be 1 to 255 letters, digits or underscores.');
    }
    if (this.publicKey !== null && this.publicKey !== key) {
      throw unauthorized('The request carries several client keys that differ. Send one.');
    }
    this.publicKey = key;
  }
}

/** Reads `Sentry k=v, k=v`. False when the header is of another scheme. */
function readSentryScheme(header: string, found: Found): boolean {
  const start = afterSentryWord(header);
  if (start === -1) {
    return false;
  }
  for (const pair of header.slice(start).split(',')) {
    // Node joins repeated headers with a comma, so the name of the scheme may precede any pair.
    const word = afterSentryWord(pair);
    const text = word === -1 ? pair : pair.slice(word);
    const equals = text.indexOf('=');
    if (equals !== -1) {
      found.add(text.slice(0, equals).trim().toLowerCase(), text.slice(equals + 1).trim());
    }
  }
  return true;
}

const SENTRY_WORD = /^\s*sentry\s+/i;

/** Returns the length of the scheme's name at the beginning; -1 without one. */
function afterSentryWord(text: string): number {
  const match = SENTRY_WORD.exec(text);
  return match === null ? -1 : match[0].length;
}

/** Reads `Basic`. Ignores one with a password, which belongs to another system, such as a proxy. */
function readBasic(header: string, found: Found): void {
  const match = /^\s*basic\s+([A-Za-z0-9+/_-]+={0,2})\s*$/i.exec(header);
  const decoded = match === null ? '' : Buffer.from(match[1] ?? '', 'base64').toString('latin1');
  if (decoded.length > 1 && decoded.endsWith(':')) {
    found.add('sentry_key', decoded.slice(0, -1));
  }
}

/** Returns the client's name in one line of bounded length; null when it is empty. */
export function cleanClient(value: string): string | null {
  const text = value
    .slice(0, MAX_CLIENT_LENGTH)
    .replaceAll(/[^\x20-\x7e]+/g, ' ')
    .trim();
  return text === '' ? null : text;
}

function unauthorized(message: string): AppError {
  return new AppError('ingest_unauthorized', message);
}
