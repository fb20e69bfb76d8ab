import type { User } from '../../domain/projects/account.ts';
import { usernameTaken } from '../refusals.ts';
import type { StoreTable } from '../store-table.ts';
import { tokens, toToken, toUser, users } from './kinds/account-kinds.ts';
import { requiredUser } from './owners.ts';
import type { Records } from './records.ts';
import { endSessions } from './session-records.ts';
import { change, insert } from './writes.ts';

async function userById(records: Records, id: number): Promise<User | null> {
  const user = await records.get(users, { id });
  return user === null ? null : toUser(user);
}

/** Methods of the port about users and their tokens. */
export const ACCOUNT_RECORDS = {
  async createUser(records, { username, name, admin, email = null, passwordHash, ...rest }) {
    const { mustChangePassword = false, emailConfirmed = false, passwordAllowed = null, signedOnAt = null } = rest;
    const row = { username, name, admin, email, passwordHash, mustChangePassword, emailConfirmed, passwordAllowed };
    const first = { ...row, signedOnAt, blocked: false, sessionEpoch: 0, createdAt: records.now() };
    const [user] = await records.write([insert(users, first)]);
    if (user === null) throw usernameTaken(username);
    return toUser(user);
  },
  userById,
  async userByName(records, username) {
    const user = await records.find(users, { username });
    return user === null ? null : toUser(user);
  },
  passwordHash: async (records, id) => (await records.get(users, { id }))?.passwordHash ?? null,
  setPasswordHash: (records, id, passwordHash, mustChangePassword = false) =>
    endSessions(records, id, { passwordHash, mustChangePassword }),
  setUserBlocked: (records, id, blocked) => endSessions(records, id, { blocked }),
  async updateUser(records, id, patch) {
    const before = patch.email === undefined ? null : await records.get(users, { id });
    const moved = before !== null && before.email !== patch.email;
    await records.write([change(users, { id }, { ...(moved && { emailConfirmed: false }), ...patch })]);
    return userById(records, id);
  },
  listUsers: async (records) => (await records.list(users, {})).map(toUser),

  async createToken(records, { userId, name, description = null, hash, scopes, expiresAt }) {
    const row = { userId, name, description, hash: hash.toLowerCase(), scopes, expiresAt };
    const first = { ...row, createdAt: records.now(), revokedAt: null, lastUsedAt: null };
    const [token] = await records.write([insert(tokens, first)], [requiredUser(userId)]);
    if (token === null) throw new Error('the hash of a new token is in use');
    return toToken(token);
  },
  async tokenById(records, id) {
    const token = await records.get(tokens, { id });
    return token === null ? null : toToken(token);
  },
  listTokens: async (records, userId) => (await records.list(tokens, userId === null ? {} : { userId })).map(toToken),
  /** Revokes a token; the time of the first revocation stays. */
  async revokeToken(records, id) {
    const [revoked] = await records.write([change(tokens, { id }, { revokedAt: records.now() }, { revokedAt: null })]);
    return revoked || (await records.get(tokens, { id })) !== null;
  },
  async touchToken(records, id, usedAt) {
    await records.write([change(tokens, { id }, {}, {}, { max: { lastUsedAt: usedAt } })]);
  },
} as const satisfies StoreTable<Records>;
