import { buildDsn } from '../../../domain/dsn.ts';
import { isoTime } from '../../http/iso-time.ts';
import type { ClientKey } from '../../../domain/tracking-settings.ts';

export function presentClientKey(key: ClientKey, externalUrl: string) {
  return {
    id: key.id,
    active: key.active,
    public_key: key.publicKey,
    thirdparty_dsn: buildDsn(externalUrl, key.publicKey, key.projectId),
  };
}

/** Presents the last use of a key, for users who manage keys; the host's form has no such member. */
export function presentClientKeyUse({ lastUsedAt }: Pick<ClientKey, 'lastUsedAt'>) {
  return { last_used_at: lastUsedAt === null ? null : isoTime(lastUsedAt) };
}
