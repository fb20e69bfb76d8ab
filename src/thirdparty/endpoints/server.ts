import { AppError } from '../../domain/app-error.ts';
import type { TrackerKind } from '../../domain/projects/tracker-kind.ts';
import { isRecord } from '../../lib/own-property.ts';
import { filledText } from '../map/values.ts';
import { oneLine } from '../http/answer.ts';
import { apiPath, ask, type TrackerAccess } from '../session.ts';

/** Response of the API root for a token. */
export interface TokenProbe {
  /** HTTP status of the response. */
  readonly status: number;
  /** Null when not reported: some trackers answer 200 to any request. */
  readonly scopes: readonly string[] | null;
  /** Account name of the token; null when it is a mail address or missing. */
  readonly account: string | null;
}

const MAX_ACCOUNT_CHARACTERS = 100;

function accountOf(user: unknown): string | null {
  if (!isRecord(user)) return null;
  const names = [user.name, user.username].map((name) => oneLine(filledText(name) ?? '', MAX_ACCOUNT_CHARACTERS));
  return names.find((name) => name !== '' && !name.includes('@')) ?? null;
}

/** Reads scopes and account name of the token only: the response may contain the token and mail addresses. */
export async function probeToken(access: TrackerAccess): Promise<TokenProbe> {
  const { status, body } = await ask(access, { path: apiPath() });
  const auth = isRecord(body) ? body.auth : null;
  const scopes: unknown = isRecord(auth) ? auth.scopes : null;
  const names = Array.isArray(scopes) ? scopes.filter((scope) => typeof scope === 'string') : null;
  return { status, scopes: names, account: isRecord(body) ? accountOf(body.user) : null };
}

export interface ServerFound {
  readonly kind: TrackerKind;
  /** Version string of the server; null when not reported. */
  readonly version: string | null;
  /** True for `unknown` when a page that might have told failed: with a server error, or without an answer. */
  readonly isUnsure?: boolean;
}

const MAX_VERSION_CHARACTERS = 50;

function versionText(value: unknown): string | null {
  return typeof value === 'string' && /^\d[\w.+-]*$/.test(value) ? value.slice(0, MAX_VERSION_CHARACTERS) : null;
}

/** Parses `GET /api/client-config/` of Sentry. */
function asSentry(body: unknown): ServerFound | null {
  const version = isRecord(body) && isRecord(body.version) ? versionText(body.version.current) : null;
  return version === null ? null : { kind: 'sentry', version };
}

/** Parses `GET /api/settings/` of GlitchTip: a second member distinguishes it from other JSON with a version. */
function asGlitchTip(body: unknown): ServerFound | null {
  const isGlitchTip = isRecord(body) && 'enableUserRegistration' in body;
  return isGlitchTip ? { kind: 'glitchtip', version: versionText(body.version) } : null;
}

/** Detects trackers by members of their public API root, which has no version. */
function byRoot(body: unknown): ServerFound | null {
  if (!isRecord(body) || !isRecord(body.auth)) return null;
  const { auth, features } = body;
  if (Array.isArray(auth.scopes) && auth.scopes.includes('org:ci')) return { kind: 'bugsink', version: null };
  const isUrgentry = 'login' in auth && isRecord(features) && 'organizations:events' in features;
  return isUrgentry ? { kind: 'urgentry', version: null } : null;
}

const PAGES: readonly (readonly [path: string, read: (body: unknown) => ServerFound | null])[] = [
  ['/api/client-config/', asSentry],
  ['/api/settings/', asGlitchTip],
  [apiPath(), byRoot],
];

/**
 * Detects kind and version of a tracker from public pages, without the token. `unknown` when none reveals it, for
 * example behind a proxy. Null when all requests failed.
 */
export async function probeServer(access: TrackerAccess): Promise<ServerFound | null> {
  const { baseUrl } = access.target;
  const anonymous: TrackerAccess = { ...access, target: { baseUrl, token: () => null } };
  let answered = false;
  let failed = false;
  for (const [path, read] of PAGES) {
    const reply = await ask(anonymous, { path }).catch((error: unknown) => {
      // A page of another kind is a response too.
      const isPage = error instanceof AppError && error.code === 'tracker_invalid_answer';
      answered ||= isPage;
      failed ||= !isPage;
      return null;
    });
    answered ||= reply !== null && reply.status < 500;
    failed ||= reply !== null && reply.status >= 500;
    const found = reply?.ok === true ? read(reply.body) : null;
    if (found !== null) return found;
  }
  return answered ? { kind: 'unknown', version: null, ...(failed ? { isUnsure: true } : {}) } : null;
}
