import assert from 'node:assert/strict';
import type { User } from '../../src/domain/projects/account.ts';
import { MAX_SESSIONS_OF_USER } from '../../src/domain/ports/stores/web-session-store.ts';
import type { PruneLimits } from '../../src/domain/ports/stores/maintenance-store.ts';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import { hexId } from '../support/store-data.ts';
import type { StoreHarness } from '../support/store-harness.ts';

const ada = { username: 'Ada', name: 'Ada L.', admin: false, passwordHash: 'scrypt$1' };
/** Milliseconds since the epoch, ahead of any clock that runs the tests. */
const LATER = Date.UTC(2100, 0, 1);

const KEEP_EVENTS: PruneLimits = {
  receivedBefore: null,
  maxEventsPerError: null,
  keysReceivedBefore: 0,
  hoursBefore: 0,
  outcomesBefore: 0,
};

const FROM = { browser: 'Mozilla/5.0 (X11; Linux x86_64)', address: '192.0.2.7', secondFactor: true };

const begin = (store: Store, user: User, name: string, epoch = 0, createdAt = 1000) =>
  store.createSession({ hash: hexId(name, 64), userId: user.id, epoch, createdAt, endsAt: LATER, ...FROM });
const find = (store: Store, name: string) => store.sessionByHash(hexId(name, 64));

export function webSessionContract(harness: () => StoreHarness): void {
  describe('sessions of browsers', () => {
    it('hold the user, and whether the password must be changed', async () => {
      const { store } = harness();
      const user = await store.createUser(ada);
      assert.deepEqual(await store.credentials('aDA'), {
        user,
        passwordHash: 'scrypt$1',
        epoch: 0,
        mustChangePassword: false,
      });
      assert.equal(await store.credentials('nobody'), null);
      const bob = await store.createUser({ ...ada, username: 'bob', mustChangePassword: true });
      assert.equal((await store.credentials('bob'))?.mustChangePassword, true);
      await store.setPasswordHash(bob.id, 'scrypt$2');
      assert.equal((await store.credentials('bob'))?.mustChangePassword, false);
      await store.setPasswordHash(bob.id, 'scrypt$3', true);
      assert.equal((await store.credentials('bob'))?.mustChangePassword, true);
    });

    it('begin, are found by their hash with their user, and end', async () => {
      const { store, other } = harness();
      const user = await store.createUser(ada);
      const session = await begin(store, user, 'one');
      assert.deepEqual(session, {
        hash: hexId('one', 64),
        userId: user.id,
        createdAt: 1000,
        usedAt: 1000,
        endsAt: LATER,
        ...FROM,
        identityId: null,
        checkedAt: null,
      });
      const elsewhere = await other();
      assert.deepEqual(await find(elsewhere, 'one'), { session, user, mustChangePassword: false });
      assert.equal(await find(store, 'two'), null);
      assert.equal(await elsewhere.endSession(session.hash), true);
      assert.equal(await store.endSession(session.hash), false);
      assert.equal(await find(store, 'one'), null);
      await assert.rejects(begin(store, { ...user, id: 99 }, 'three'), { code: 'not_found' });
    });

    it('keep their latest use, and never an earlier one', async () => {
      const { store } = harness();
      const user = await store.createUser(ada);
      const { hash } = await begin(store, user, 'one');
      await store.touchSession(hash, 5000, '2001:db8::7');
      await store.touchSession(hash, 4000, null);
      await store.touchSession(hexId('unknown', 64), 4000, null);
      const { usedAt, address } = (await find(store, 'one'))?.session ?? assert.fail();
      assert.deepEqual([usedAt, address], [5000, '2001:db8::7']);
      assert.equal(await find(store, 'unknown'), null);
    });

    it('are listed for their user, the last used first, without those that ended', async () => {
      const { store, other } = harness();
      const user = await store.createUser(ada);
      const bob = await store.createUser({ ...ada, username: 'bob' });
      await begin(store, bob, 'of bob');
      const [one, two, three] = [
        await begin(store, user, 'one', 0, 1000),
        await begin(store, user, 'two', 0, 2000),
        await store.createSession({
          ...{ hash: hexId('three', 64), userId: user.id, epoch: 0, createdAt: 3000, endsAt: LATER },
          ...{ browser: null, address: null, secondFactor: false },
        }),
      ];
      const elsewhere = await other();
      assert.deepEqual(await elsewhere.sessionsOfUser(user.id), [three, two, one]);
      await store.touchSession(one.hash, 9000, '192.0.2.9');
      assert.deepEqual(await elsewhere.sessionsOfUser(user.id), [
        { ...one, usedAt: 9000, address: '192.0.2.9' },
        three,
        two,
      ]);
      await store.endSession(three.hash);
      assert.deepEqual(
        (await elsewhere.sessionsOfUser(user.id)).map(({ hash }) => hash),
        [one.hash, two.hash],
      );
      await store.endSessionsOfUser(user.id);
      // The password was checked before, the session is made after.
      await begin(store, user, 'meanwhile', 0);
      assert.deepEqual(await elsewhere.sessionsOfUser(user.id), []);
      assert.deepEqual(await store.sessionsOfUser(99), []);
    });

    it('end with a new password, with blocking and when all are ended, also those that are just beginning', async () => {
      const { store } = harness();
      const user = await store.createUser(ada);
      const bob = await store.createUser({ ...ada, username: 'bob' });
      await begin(store, bob, 'of bob');
      const changes = [
        () => store.setPasswordHash(user.id, 'scrypt$2'),
        () => store.setUserBlocked(user.id, true),
        () => store.setUserBlocked(user.id, false),
        () => store.endSessionsOfUser(user.id),
      ];
      for (const [index, change] of changes.entries()) {
        const before = await store.credentials('ada');
        assert.equal(before?.epoch, index);
        await begin(store, user, `before ${index}`, index);
        assert.notEqual(await find(store, `before ${index}`), null);
        await change();
        assert.equal(await find(store, `before ${index}`), null);
        // The password was checked before, the session is made after.
        await begin(store, user, `meanwhile ${index}`, index);
        assert.equal(await find(store, `meanwhile ${index}`), null);
      }
      assert.notEqual(await find(store, 'of bob'), null);
      await assert.rejects(store.endSessionsOfUser(99), { code: 'not_found' });
      await assert.rejects(store.setPasswordHash(99, 'x'), { code: 'not_found' });
      await assert.rejects(store.setUserBlocked(99, true), { code: 'not_found' });
    });

    it(`are at most ${MAX_SESSIONS_OF_USER} per user; those unused for longest are removed`, async () => {
      const { store } = harness();
      const user = await store.createUser(ada);
      const bob = await store.createUser({ ...ada, username: 'bob' });
      await begin(store, bob, 'of bob', 0, 1);
      for (let index = 0; index <= MAX_SESSIONS_OF_USER; index += 1)
        await begin(store, user, `${index}`, 0, 1000 + index);
      assert.equal(await find(store, '0'), null);
      assert.notEqual(await find(store, '1'), null);
      await store.touchSession(hexId('1', 64), 9000, null);
      await begin(store, user, 'newest', 0, 9001);
      assert.equal(await find(store, '2'), null);
      assert.notEqual(await find(store, '1'), null);
      assert.notEqual(await find(store, 'of bob'), null);
    });

    it('are found right after their start, also where all began at the same time', async () => {
      const { store } = harness();
      const user = await store.createUser(ada);
      for (let index = 0; index < MAX_SESSIONS_OF_USER + 10; index += 1) {
        await begin(store, user, `${index}`);
        assert.notEqual(await find(store, `${index}`), null, `${index}`);
      }
    });

    it('are removed when they have expired', async () => {
      const { store } = harness();
      const user = await store.createUser(ada);
      const now = Date.now();
      const over = {
        hash: hexId('over', 64),
        userId: user.id,
        epoch: 0,
        createdAt: now - 10,
        endsAt: now - 1,
        ...FROM,
      };
      await store.createSession(over);
      await begin(store, user, 'lasting', 0, now);
      while (!(await store.prune(KEEP_EVENTS)).done);
      assert.equal(await store.sessionByHash(over.hash), null);
      assert.notEqual(await find(store, 'lasting'), null);
    });
  });
}
