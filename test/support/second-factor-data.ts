import assert from 'node:assert/strict';
import { recoveryHash } from '../../src/auth/second-factor/recovery-codes.ts';
import type { Store } from '../../src/domain/ports/stores/store.ts';

/** Recovery code of `givenSecondFactor`. */
export const RECOVERY_CODE = 'abcd-efgh-ijkm-npqr';

/** Gives a user a second factor with one recovery code, whose secret nobody knows. */
export async function givenSecondFactor(store: Store, userId: number): Promise<void> {
  await store.removeSecondFactor(userId);
  await store.beginSecondFactor(userId, 'v1.sealed');
  const recoveryHashes = [recoveryHash(RECOVERY_CODE) ?? ''];
  const confirmed = await store.confirmSecondFactor(userId, 'v1.sealed', { at: 1, step: 0, recoveryHashes });
  assert.equal(confirmed, true);
}
