import { isRecord } from '../../../lib/own-property.ts';
import { countOf, filledText } from '../../../thirdparty/map/values.ts';
import type { RemoteKey } from '../../tracker-reader.ts';
import { lineText, MAX_NAME } from './remote-values.ts';

const KEY = /^\w{1,255}$/;
const MAX_WINDOW_SECONDS = 365 * 86_400;

/** Key in a DSN: its user name; null for none. */
export function keyInDsn(dsn: unknown): string | null {
  const text = filledText(dsn);
  if (text === null || text.length > 2048 || !URL.canParse(text)) return null;
  return asKey(new URL(text).username);
}

/** Key without dashes, as applications send it; null for other texts. */
function asKey(value: unknown): string | null {
  const key = filledText(value)?.replaceAll('-', '') ?? '';
  return KEY.test(key) ? key : null;
}

function rateLimitOf(value: unknown): RemoteKey['rateLimit'] {
  if (!isRecord(value)) return null;
  const [window, count] = [countOf(value.window), countOf(value.count)];
  if (window === null || count === null || window === 0 || count === 0) return null;
  return { window: Math.min(window, MAX_WINDOW_SECONDS), count };
}

/**
 * Reads a key of a project; null for keys without a usable public part, and for those that the tracker made for itself
 * (`useCase`). GlitchTip shows the public key as UUID, while applications use the form of the DSN.
 */
export function remoteKey(row: unknown): RemoteKey | null {
  if (!isRecord(row)) return null;
  const useCase = filledText(row.useCase);
  if (useCase !== null && useCase !== 'user') return null;
  const publicKey = keyInDsn(isRecord(row.dsn) ? row.dsn.public : row.dsn) ?? asKey(row.public ?? row.id);
  if (publicKey === null) return null;
  return {
    publicKey,
    label: lineText(row.label ?? row.name, MAX_NAME),
    active: row.isActive !== false && row.status !== 'inactive',
    rateLimit: rateLimitOf(row.rateLimit),
  };
}
