import { randomBytes } from 'node:crypto';
import { hasControl } from '../names.ts';

/** Path between the external address and the project id in DSNs. */
const DSN_PATH = '/errortracking/api/v1/projects';

/** Format of public keys: browser SDKs reject anything else. */
export const PUBLIC_KEY_PATTERN = /^\w{1,255}$/;

/** Format of an alias: the id of a project in the DSNs of another tracker. */
const DSN_ID_PATTERN = /^[\w-]{1,64}$/;

/**
 * Reads the id of a project in an address: its own number or one of its aliases. Removes leading zeros of a number.
 * Returns null for a text that no project can have: not 1 to 64 letters, digits, `_` or `-`.
 */
export function readDsnId(text: string): string | null {
  const id = /^0+\d+$/.test(text) ? text.replace(/^0+(?=\d)/, '') : text;
  return DSN_ID_PATTERN.test(id) ? id : null;
}

/** Generates a public key: `glet_` and 32 lower-case hex digits. */
export function generatePublicKey(): string {
  return `glet_${randomBytes(16).toString('hex')}`;
}

/**
 * Builds the DSN of a client key. It has no trailing slash, no query and a decimal id, because several SDKs reject
 * other forms. `externalUrl` may have a sub-path and has no trailing slash.
 */
export function buildDsn(externalUrl: string, publicKey: string, projectId: number): string {
  const url = new URL(externalUrl);
  const base = url.pathname.replace(/\/+$/, '');
  return `${url.protocol}//${publicKey}@${url.host}${base}${DSN_PATH}/${projectId}`;
}

/** DSN of another tracker. */
export interface TargetDsn {
  readonly publicKey: string;
  /** Of old DSNs with two keys; empty: none. */
  readonly secret: string;
  /** Scheme, host, port and sub-path; no trailing slash. */
  readonly base: string;
  readonly projectId: string;
}

const PROJECT_ID = /^[\w-]{1,64}$/;
const SECRET = /^\w{0,255}$/;
const MAX_DSN_CHARACTERS = 2048;

/** Parses a DSN; null for anything that SDKs would not send to either. */
export function parseTargetDsn(text: string): TargetDsn | null {
  const trimmed = text.trim();
  if (trimmed.length > MAX_DSN_CHARACTERS || hasControl(trimmed) || !URL.canParse(trimmed)) return null;
  const { protocol, host, username, password, pathname, search, hash } = new URL(trimmed);
  const path = pathname.replace(/\/+$/, '');
  const projectId = path.slice(path.lastIndexOf('/') + 1);
  const isWeb = protocol === 'http:' || protocol === 'https:';
  if (!isWeb || host === '' || search !== '' || hash !== '') return null;
  if (!PUBLIC_KEY_PATTERN.test(username) || !SECRET.test(password) || !PROJECT_ID.test(projectId)) return null;
  const base = `${protocol}//${host}${path.slice(0, path.lastIndexOf('/'))}`;
  return { publicKey: username, secret: password, base, projectId };
}

/** The DSN without its keys, to be shown. */
export function targetOf({ base, projectId }: TargetDsn): string {
  return `${base}/${projectId}`;
}

/** Address that takes envelopes. */
export function envelopeUrl({ base, projectId }: TargetDsn): string {
  return `${base}/api/${projectId}/envelope/`;
}

/** Value of `X-Sentry-Auth` for a client of the given name; it replaces what no header may contain. */
export function sentryAuth({ publicKey, secret }: TargetDsn, client: string): string {
  const name = client.replace(/[^\x20-\x7e]/g, '?').replaceAll(',', ' ');
  const parts = ['sentry_version=7', `sentry_client=${name}`, `sentry_key=${publicKey}`];
  return `Sentry ${[...parts, ...(secret === '' ? [] : [`sentry_secret=${secret}`])].join(', ')}`;
}
