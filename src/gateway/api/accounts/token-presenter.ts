import type { AccessToken } from '../../../domain/projects/account.ts';
import { isoTime } from '../../http/iso-time.ts';
import { presenter } from '../../http/presenter.ts';
import { tokenSchema } from './token-schema.ts';

const present = presenter(tokenSchema);

export function presentToken(token: AccessToken, now: number) {
  const { expiresAt, revokedAt } = token;
  return present({
    ...token,
    revoked: revokedAt !== null,
    active: revokedAt === null && (expiresAt === null || expiresAt > now),
    expiresAt: expiresAt === null ? null : isoTime(expiresAt).slice(0, 10),
  });
}
