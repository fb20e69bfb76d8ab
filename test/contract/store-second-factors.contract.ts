import assert from 'node:assert/strict';
import type { User } from '../../src/domain/projects/account.ts';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import { hexId } from '../support/store-data.ts';
import type { StoreHarness } from '../support/store-harness.ts';

const HASHES = ['a', 'b', 'c'].map((name) => hexId(name, 64));
const CONFIRMATION = { at: 1000, step: 50, recoveryHashes: HASHES };

export function secondFactorContract(harness: () => StoreHarness): void {
  describe('second factors', () => {
    const person = (store: Store, username = 'ada') =>
      store.createUser({ username, name: username, admin: false, passwordHash: 'scrypt$1' });

    async function confirmed(store: Store): Promise<User> {
      const user = await person(store);
      assert.equal(await store.beginSecondFactor(user.id, 'v1.one'), true);
      assert.equal(await store.confirmSecondFactor(user.id, 'v1.one', CONFIRMATION), true);
      return user;
    }

    it('are begun, begun again, confirmed with the secret of the last beginning, and removed', async () => {
      const { store, other } = harness();
      const user = await person(store);
      assert.equal(await store.secondFactor(user.id), null);
      assert.equal(await store.beginSecondFactor(user.id, 'v1.one'), true);
      assert.equal(await store.beginSecondFactor(user.id, 'v1.two'), true);
      const begun = {
        userId: user.id,
        sealedSecret: 'v1.two',
        confirmedAt: null,
        lastUsedStep: 0,
        recoveryHashes: [],
        wrongCodes: 0,
      };
      const elsewhere = await other();
      assert.deepEqual(await elsewhere.secondFactor(user.id), begun);
      assert.equal(await store.confirmSecondFactor(user.id, 'v1.one', CONFIRMATION), false);
      assert.equal(await store.confirmSecondFactor(user.id, 'v1.two', CONFIRMATION), true);
      const { at: confirmedAt, step: lastUsedStep, recoveryHashes } = CONFIRMATION;
      const row = { ...begun, confirmedAt, lastUsedStep, recoveryHashes };
      assert.deepEqual(await elsewhere.secondFactor(user.id), row);
      assert.equal(await store.confirmSecondFactor(user.id, 'v1.two', CONFIRMATION), false);
      assert.equal(await store.beginSecondFactor(user.id, 'v1.three'), false);
      const bob = await person(store, 'bob');
      await store.beginSecondFactor(bob.id, 'v1.bob');
      assert.deepEqual(await elsewhere.listSecondFactors(), [row, await store.secondFactor(bob.id)]);
      assert.equal(await elsewhere.removeSecondFactor(user.id), true);
      assert.equal(await store.removeSecondFactor(user.id), false);
      assert.equal(await store.secondFactor(user.id), null);
      await assert.rejects(store.beginSecondFactor(99, 'v1.x'), { code: 'not_found' });
    });

    it('have their recovery codes replaced while they have the secret and are confirmed', async () => {
      const { store, other } = harness();
      const user = await confirmed(store);
      const hashes = [hexId('new', 64)];
      assert.equal(await store.replaceRecoveryCodes(user.id, 'v1.other', hashes), false);
      assert.equal(await store.replaceRecoveryCodes(user.id, 'v1.one', hashes), true);
      const row = await (await other()).secondFactor(user.id);
      assert.deepEqual([row?.recoveryHashes, row?.lastUsedStep, row?.confirmedAt], [hashes, 50, 1000]);
      const bob = await person(store, 'bob');
      await store.beginSecondFactor(bob.id, 'v1.bob');
      assert.equal(await store.replaceRecoveryCodes(bob.id, 'v1.bob', hashes), false, 'not confirmed');
      assert.equal(await store.replaceRecoveryCodes(99, 'v1.bob', hashes), false);
    });

    it('use the code of a time step once, also when it is checked at the same time', async () => {
      const { store, other } = harness();
      const user = await confirmed(store);
      const elsewhere = await other();
      const uses = await Promise.all([store, elsewhere, store].map((each) => each.useOneTimeStep(user.id, 50, 51)));
      assert.deepEqual(uses.toSorted(), [false, false, true]);
      assert.equal((await store.secondFactor(user.id))?.lastUsedStep, 51);
    });

    it('use each recovery code once, also when they are used at the same time', async () => {
      const { store, other } = harness();
      const user = await confirmed(store);
      const elsewhere = await other();
      const [first = '', second = '', third = ''] = HASHES;
      const uses = await Promise.all(
        [store, elsewhere, store].map((each) => each.useRecoveryCode(user.id, HASHES, first)),
      );
      assert.deepEqual(uses.toSorted(), [false, false, true]);
      assert.equal(await store.useRecoveryCode(user.id, HASHES, second), false);
      assert.equal(await store.useRecoveryCode(user.id, [second, third], third), true);
      assert.equal(await store.useRecoveryCode(user.id, [second], second), true);
      assert.deepEqual((await elsewhere.secondFactor(user.id))?.recoveryHashes, []);
    });

    it('count wrong codes, also at the same time, until a right code', async () => {
      const { store, other } = harness();
      const user = await confirmed(store);
      const elsewhere = await other();
      const count = () => Promise.all([store, elsewhere, store].map((each) => each.countWrongCode(user.id)));
      const counted = async () => (await elsewhere.secondFactor(user.id))?.wrongCodes;
      await count();
      assert.equal(await counted(), 3);
      assert.equal(await store.useOneTimeStep(user.id, 49, 51), false);
      assert.equal(await counted(), 3);
      assert.equal(await store.useOneTimeStep(user.id, 50, 51), true);
      assert.equal(await counted(), 0);
      await count();
      assert.equal(await store.useRecoveryCode(user.id, HASHES, HASHES[0] ?? ''), true);
      assert.equal(await counted(), 0);
      await store.countWrongCode(99);
      assert.equal(await store.secondFactor(99), null);
    });

    it('get the same secret under another key', async () => {
      const { store } = harness();
      const user = await confirmed(store);
      assert.equal(await store.replaceSealedSecret(user.id, 'v1.other', 'v1.new'), false);
      assert.equal(await store.replaceSealedSecret(user.id, 'v1.one', 'v1.new'), true);
      assert.equal((await store.secondFactor(user.id))?.sealedSecret, 'v1.new');
    });
  });
}
