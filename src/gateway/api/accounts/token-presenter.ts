import type { AccessToken } from '../../../domain/account.ts';
import { isoTime } from '../../http/iso-time.ts';

export function presentToken(token: AccessToken, now: number) {
  const { id, userId, name, description, scopes, createdAt, expiresAt, revokedAt, lastUsedAt } = token;
  return {
    id,
    name,
    description,
    revoked: revokedAt !== null,
    active: revokedAt === null && (expiresAt === null || expiresAt > now),
    created_at: isoTime(createdAt),
    last_used_at: lastUsedAt === null ? null : isoTime(lastUsedAt),
    expires_at: expiresAt === null ? null : isoTime(expiresAt).slice(0, 10),
    scopes,
    user_id: userId,
  };
}
