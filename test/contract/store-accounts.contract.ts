import assert from 'node:assert/strict';
import type { StoreHarness } from '../support/store-harness.ts';
import { hexId } from '../support/store-data.ts';

const ada = { username: 'Ada', name: 'Ada L.', admin: true, passwordHash: 'scrypt$1' };

export function accountContract(harness: () => StoreHarness): void {
  describe('users', () => {
    it('gives a created user back by id and by name without regard to case', async () => {
      const { store } = harness();
      const before = Date.now();
      const user = await store.createUser(ada);
      assert.deepEqual(
        { ...user, id: 0, createdAt: 0 },
        {
          ...{ id: 0, username: 'Ada', name: 'Ada L.', admin: true, blocked: false, email: null, createdAt: 0 },
          ...{ emailConfirmed: false, passwordAllowed: null, signedOnAt: null },
        },
      );
      assert.ok(user.createdAt >= before && user.createdAt <= Date.now());
      assert.deepEqual(await store.userById(user.id), user);
      assert.deepEqual(await store.userByName('aDA'), user);
      assert.equal(await store.passwordHash(user.id), 'scrypt$1');
    });

    it('answers null for unknown users', async () => {
      const { store } = harness();
      assert.equal(await store.userById(99), null);
      assert.equal(await store.userByName('nobody'), null);
      assert.equal(await store.passwordHash(99), null);
    });

    it('refuses a name that is taken, also in another case, and leaves the first user as it was', async () => {
      const { store } = harness();
      const user = await store.createUser(ada);
      await assert.rejects(store.createUser({ ...ada, username: 'ADA', name: 'Other' }), { code: 'conflict' });
      assert.deepEqual(await store.listUsers(), [user]);
    });

    it('changes password and blocked state', async () => {
      const { store } = harness();
      const user = await store.createUser(ada);
      await store.setPasswordHash(user.id, 'scrypt$2');
      await store.setUserBlocked(user.id, true);
      assert.equal(await store.passwordHash(user.id), 'scrypt$2');
      assert.equal((await store.userById(user.id))?.blocked, true);
      await store.setUserBlocked(user.id, false);
      assert.equal((await store.userById(user.id))?.blocked, false);
    });

    it('changes only the name and rights of a user', async () => {
      const { store } = harness();
      const user = await store.createUser(ada);
      assert.deepEqual(await store.updateUser(user.id, { name: 'Ada King' }), { ...user, name: 'Ada King' });
      assert.deepEqual(await store.updateUser(user.id, { admin: false }), { ...user, name: 'Ada King', admin: false });
      assert.equal((await store.updateUser(user.id, { email: 'ada@example.org' }))?.email, 'ada@example.org');
      assert.equal((await store.userById(user.id))?.email, 'ada@example.org');
      assert.equal((await store.updateUser(user.id, { email: null }))?.email, null);
      assert.deepEqual(await store.updateUser(user.id, {}), await store.userById(user.id));
      assert.equal(await store.passwordHash(user.id), 'scrypt$1');
      assert.equal(await store.updateUser(99, { admin: true }), null);
    });

    it('lists users by id', async () => {
      const { store } = harness();
      const first = await store.createUser({ ...ada, username: 'zoe' });
      const second = await store.createUser({ ...ada, username: 'bob', admin: false });
      assert.deepEqual(await store.listUsers(), [first, second]);
    });
  });

  describe('access tokens', () => {
    it('gives a token back by its hash, expired and revoked ones too', async () => {
      const { store } = harness();
      const user = await store.createUser(ada);
      const hash = hexId('token', 64);
      const token = await store.createToken({ userId: user.id, name: 'ci', hash, scopes: ['read_api'], expiresAt: 5 });
      assert.deepEqual(token.scopes, ['read_api']);
      assert.equal(token.expiresAt, 5);
      assert.equal(token.revokedAt, null);
      assert.deepEqual(await store.tokenByHash(hash), token);
      assert.equal(await store.tokenByHash(hexId('other', 64)), null);
      assert.deepEqual(await store.tokenById(token.id), token);
      assert.equal(await store.tokenById(token.id + 1), null);

      assert.equal(await store.revokeToken(token.id), true);
      const revoked = await store.tokenByHash(hash);
      assert.ok(revoked !== null && revoked.revokedAt !== null);
      assert.equal(await store.revokeToken(token.id), true);
      assert.deepEqual(await store.tokenByHash(hash), revoked);
      assert.equal(await store.revokeToken(token.id + 1), false);
    });

    it('keeps when a token was last used, and the text about it', async () => {
      const { store } = harness();
      const { id: userId } = await store.createUser(ada);
      const make = (name: string, description?: string) =>
        store.createToken({
          userId,
          name,
          hash: hexId(name, 64),
          scopes: ['api'],
          expiresAt: null,
          ...(description === undefined ? {} : { description }),
        });
      const [used, unused] = [await make('used', 'for the nightly report'), await make('unused')];
      assert.deepEqual([used.lastUsedAt, used.description], [null, 'for the nightly report']);
      assert.deepEqual([unused.lastUsedAt, unused.description], [null, null]);
      await store.touchToken(used.id, 5000);
      // Another gateway's, which came late.
      await store.touchToken(used.id, 4000);
      await store.touchToken(unused.id + 1, 6000);
      assert.deepEqual(await store.listTokens(userId), [{ ...used, lastUsedAt: 5000 }, unused]);
      assert.deepEqual(await store.tokenByHash(hexId('used', 64)), { ...used, lastUsedAt: 5000 });
    });

    it('lists the tokens of one user or of all', async () => {
      const { store } = harness();
      const [one, two] = [await store.createUser(ada), await store.createUser({ ...ada, username: 'bob' })];
      const make = (userId: number, name: string) =>
        store.createToken({ userId, name, hash: hexId(name, 64), scopes: ['api'], expiresAt: null });
      const tokens = [await make(one.id, 'a'), await make(two.id, 'b'), await make(one.id, 'c')];
      assert.deepEqual(await store.listTokens(null), tokens);
      assert.deepEqual(await store.listTokens(one.id), [tokens[0], tokens[2]]);
      assert.deepEqual(await store.listTokens(99), []);
    });
  });
}
