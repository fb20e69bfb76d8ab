import { MAX_SESSIONS_OF_USER } from '../../domain/ports/stores/web-session-store.ts';
import { unknownUser } from '../refusals.ts';
import type { StoreTable } from '../store-table.ts';
import { toSession, toUser, users, webSessions, type StoredUser } from './kinds/account-kinds.ts';
import { requiredUser } from './owners.ts';
import type { Records } from './records.ts';
import { change, insert, remove, removeAll } from './writes.ts';

/** Changes a user and ends all sessions. Through the new epoch, sessions that are being created end too. */
export async function endSessions(records: Records, id: number, set: Partial<Omit<StoredUser, 'id'>>): Promise<void> {
  const [changed] = await records.write([
    change(users, { id }, set, {}, { add: { sessionEpoch: 1 } }),
    removeAll(webSessions, { userId: id }),
  ]);
  if (!changed) throw unknownUser(id);
}

/** Methods of the port about sessions of browsers. */
export const SESSION_RECORDS = {
  async credentials(records, username) {
    const found = await records.find(users, { username });
    if (found === null) return null;
    const { passwordHash, sessionEpoch: epoch, mustChangePassword } = found;
    return { user: toUser(found), passwordHash, epoch, mustChangePassword };
  },
  async createSession(records, { hash, userId, epoch, createdAt, endsAt, browser, address, secondFactor, provider }) {
    const { identityId = null, providerSession = null, sealedGrant = null } = provider ?? {};
    const checkedAt = provider === undefined ? null : (provider.checkedAt ?? createdAt);
    const times = { createdAt, usedAt: createdAt, endsAt };
    const session = { hash, userId, ...times, browser, address, secondFactor, identityId, checkedAt };
    const others = { newest: 'usedAt', keep: MAX_SESSIONS_OF_USER - 1, besides: { hash } } as const;
    const writes = [
      insert(webSessions, { ...session, epoch, providerSession, sealedGrant }),
      removeAll(webSessions, { userId }, others),
    ] as const;
    const [created] = await records.write(writes, [requiredUser(userId)]);
    if (created === null) throw new Error('the hash of a new session is in use');
    return session;
  },
  async sessionsOfUser(records, userId) {
    const [user, sessions] = await Promise.all([
      records.get(users, { id: userId }),
      records.list(webSessions, { userId }, { newest: 'usedAt' }),
    ]);
    return sessions.filter(({ epoch }) => epoch === user?.sessionEpoch).map(toSession);
  },
  async touchSession(records, hash, usedAt, address) {
    const set = address === null ? {} : { address };
    await records.write([change(webSessions, { hash }, set, {}, { max: { usedAt } })]);
  },
  endSession: async (records, hash) => (await records.write([remove(webSessions, { hash })]))[0],
  async providerSession(records, hash) {
    const found = await records.get(webSessions, { hash });
    if (found === null || found.identityId === null || found.sealedGrant === null) return null;
    const { identityId, providerSession, sealedGrant } = found;
    return { identityId, providerSession, sealedGrant };
  },
  claimProviderCheck: async (records, hash, before, now) =>
    (await records.write([change(webSessions, { hash }, { checkedAt: now }, { checkedAt: before })]))[0],
  async requireProviderCheck(records, hash) {
    await records.write([change(webSessions, { hash }, { checkedAt: 0 })]);
  },
  async keepSealedGrant(records, hash, sealedGrant) {
    await records.write([change(webSessions, { hash }, { sealedGrant })]);
  },
  async sessionsOfIdentity(records, identityId, userId) {
    const sessions = await records.list(webSessions, { userId });
    return sessions.filter((session) => session.identityId === identityId).map(({ hash }) => hash);
  },
  async sessionsOfProvider(records, providerSession) {
    const sessions = await records.list(webSessions, { providerSession });
    return sessions.map(({ hash, identityId }) => ({ hash, identityId }));
  },
  endSessionsOfUser: (records, userId) => endSessions(records, userId, {}),
} as const satisfies StoreTable<Records>;
