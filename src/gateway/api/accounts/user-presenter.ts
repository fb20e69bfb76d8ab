import type { User } from '../../../domain/account.ts';
import { isoTime } from '../../http/iso-time.ts';

export function presentUser(user: User) {
  return {
    id: user.id,
    username: user.username,
    name: user.name,
    state: user.blocked ? 'blocked' : 'active',
    is_admin: user.admin,
    email: user.email,
    created_at: isoTime(user.createdAt),
  };
}
