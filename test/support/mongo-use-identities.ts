import type { Connection } from 'mongoose';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import { SMALL_ROWS } from './mongo-engine.ts';
import { hexId } from './store-data.ts';

/** Fills the collections of accounts at identity providers and of sessions, so that a planner prefers indexes to scans. */
export async function fillIdentities(connection: Connection): Promise<void> {
  const insert = (name: string, make: (index: number) => { readonly _id: number | string }) =>
    connection.db
      ?.collection<{ _id: number | string }>(name)
      .insertMany(Array.from({ length: SMALL_ROWS }, (_, index) => make(index)));
  await insert('identities', (index) => ({
    _id: 10_000 + index,
    userId: 10_000 + index,
    issuer: 'https://sso.test',
    subject: `s${index}`,
  }));
  await insert('grantedroles', (index) => ({
    _id: `${10_000 + index}/p${index}`,
    userId: 10_000 + index,
    path: `p${index}`,
    level: 20,
  }));
  await insert('websessions', (index) => ({
    _id: hexId(`w${index}`, 64),
    providerSession: `sid${index}`,
    userId: 10_000 + index,
    endsAt: 2e15 + index,
  }));
}

/** Runs every query of accounts at identity providers at least once. The user has a session `session8`. */
export async function useIdentities(store: Store, userId: number): Promise<void> {
  const identity = { userId, issuer: 'https://sso.test', subject: 'ada', name: 'ada', admin: false, signedInAt: 1 };
  const own = (await store.addIdentity(identity))?.id ?? 0;
  await store.identityOf('https://sso.test', 'ada');
  await store.identitiesOfUser(userId);
  await store.updateIdentity(own, { name: 'Ada' });
  await store.replaceGrantedRoles(userId, [{ path: 'g/p1', level: 20 }, { path: 'a', level: 20 }]); // prettier-ignore
  await store.replaceGrantedRoles(userId, [{ path: 'a', level: 30 }]);
  await store.grantedRoles(userId);
  await store.listGroupMembers('a');
  await store.accessLevel(1, userId);
  await store.projectAccess([1], userId);
  await store.projectsOfUser(userId);
  const atProvider = hexId('session8', 64);
  await store.providerSession(atProvider);
  await store.claimProviderCheck(atProvider, 1, 2);
  await store.requireProviderCheck(atProvider);
  await store.keepSealedGrant(atProvider, 'x');
  await store.sessionsOfIdentity(own, userId);
  await store.sessionsOfProvider('sid');
  await store.replaceGrantedRoles(userId, []);
  await store.removeIdentity(own);
}
