import { isRecord } from '../../lib/own-property.ts';
import { filledText } from '../map/values.ts';
import { oneLine, type TrackerReply } from '../answer.ts';
import { apiPath, ask, type TrackerAccess } from '../session.ts';

/** What the API's root says about a token. */
export interface TokenProbe {
  /** The HTTP status of the answer. */
  readonly status: number;
  /** Null when the tracker does not say: some answer 200 to anybody. */
  readonly scopes: readonly string[] | null;
  /** Name of the account that the token is of; null where there is none but a mail address. */
  readonly account: string | null;
}

const MAX_ACCOUNT_CHARACTERS = 100;

function accountOf(user: unknown): string | null {
  if (!isRecord(user)) return null;
  const names = [user.name, user.username].map((name) => oneLine(filledText(name) ?? '', MAX_ACCOUNT_CHARACTERS));
  return names.find((name) => name !== '' && !name.includes('@')) ?? null;
}

/** Asks who the token belongs to and takes scopes and name only: the answer may hold the token and mail addresses. */
export async function probeToken(access: TrackerAccess): Promise<TokenProbe> {
  const { status, body } = await ask(access, { path: apiPath() });
  const auth = isRecord(body) ? body.auth : null;
  const scopes: unknown = isRecord(auth) ? auth.scopes : null;
  const names = Array.isArray(scopes) ? scopes.filter((scope) => typeof scope === 'string') : null;
  return { status, scopes: names, account: isRecord(body) ? accountOf(body.user) : null };
}

export type ServerKind = 'sentry' | 'glitchtip';

export interface ServerVersion {
  readonly kind: ServerKind;
  /** As the server writes it. */
  readonly version: string;
}

const MAX_VERSION_CHARACTERS = 50;

function versionText(value: unknown): string | null {
  return typeof value === 'string' && /^\d[\w.+-]*$/.test(value) ? value.slice(0, MAX_VERSION_CHARACTERS) : null;
}

function sentryVersion({ ok, body }: TrackerReply): string | null {
  const version = ok && isRecord(body) ? body.version : null;
  return isRecord(version) ? versionText(version.current) : null;
}

function glitchtipVersion({ ok, body }: TrackerReply): string | null {
  // A Sentry has no such page; the member beside the version tells it from any JSON with a version.
  return ok && isRecord(body) && 'enableUserRegistration' in body ? versionText(body.version) : null;
}

/**
 * Which tracker this is, in which version, from pages that need no token and get none. Null when none of them
 * says so: proxies hide them. Network failures are null too: the version is only ever good for advice.
 */
export async function probeVersion(access: TrackerAccess): Promise<ServerVersion | null> {
  const { baseUrl } = access.target;
  const anonymous: TrackerAccess = { ...access, target: { baseUrl, token: () => null } };
  const quiet = (path: string): Promise<TrackerReply | null> => ask(anonymous, { path }).catch(() => null);
  const config = await quiet('/api/client-config/');
  const sentry = config === null ? null : sentryVersion(config);
  if (sentry !== null) return { kind: 'sentry', version: sentry };
  const settings = await quiet('/api/settings/');
  const glitchtip = settings === null ? null : glitchtipVersion(settings);
  return glitchtip === null ? null : { kind: 'glitchtip', version: glitchtip };
}
