import type { AccessToken } from '../../domain/account.ts';
import { isoTime } from './time.ts';

export function presentToken({ id, userId, name, scopes, createdAt, expiresAt, revokedAt }: AccessToken, now: number) {
  return {
    id,
    name,
    revoked: revokedAt !== null,
    active: revokedAt === null && (expiresAt === null || expiresAt > now),
    created_at: isoTime(createdAt),
    expires_at: expiresAt === null ? null : isoTime(expiresAt).slice(0, 10),
    scopes,
    user_id: userId,
  };
}
