import { MAX_SESSIONS_OF_USER } from '../../src/domain/ports/stores/web-session-store.ts';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import { hexId } from './store-data.ts';
import { useIdentities } from './mongo-use-identities.ts';

/** Makes, uses and removes a second factor in each way. */
export async function useSecondFactor(store: Store, userId: number): Promise<void> {
  const hashes = [hexId('code', 64), hexId('other', 64)];
  await store.beginSecondFactor(userId, 'v1.first');
  await store.beginSecondFactor(userId, 'v1.second');
  await store.confirmSecondFactor(userId, 'v1.second', { at: 5, step: 1, recoveryHashes: hashes });
  await store.countWrongCode(userId);
  await store.useOneTimeStep(userId, 1, 2);
  await store.useRecoveryCode(userId, hashes, hexId('code', 64));
  await store.replaceSealedSecret(userId, 'v1.second', 'v1.third');
  await store.secondFactor(userId);
  await store.listSecondFactors();
  await store.replaceRecoveryCodes(userId, 'v1.second', hashes);
  await store.removeSecondFactor(userId);
}

/** Creates one session more than allowed per user, and an expired one. */
export async function useSessions(store: Store, userId: number): Promise<void> {
  const epoch = (await store.credentials('ada'))?.epoch ?? 0;
  const from = { browser: null, address: null, secondFactor: false };
  for (let index = 0; index <= MAX_SESSIONS_OF_USER; index += 1) {
    const hash = hexId(`session${index}`, 64);
    await store.createSession({ hash, userId, epoch, createdAt: index, endsAt: 1, ...from });
  }
  const hash = hexId('session7', 64);
  await store.sessionByHash(hash);
  await store.sessionsOfUser(userId);
  await store.touchSession(hash, 9, '192.0.2.7');
  await store.endSession(hash);
  await useIdentities(store, userId);
  await store.endSessionsOfUser(userId);
  await store.createSession({ hash: hexId('expired', 64), userId, epoch, createdAt: 1, endsAt: 1, ...from });
}
