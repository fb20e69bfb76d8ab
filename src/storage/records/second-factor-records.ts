import type { StoreTable } from '../store-table.ts';
import { secondFactors } from './kinds/account-kinds.ts';
import { requiredUser } from './owners.ts';
import type { Records } from './records.ts';
import { change, insert, remove } from './writes.ts';

/** Methods of the port about second factors. A write names what it was decided on, so that no code works twice. */
export const SECOND_FACTOR_RECORDS = {
  secondFactor: (records, userId) => records.get(secondFactors, { userId }),
  listSecondFactors: (records) => records.list(secondFactors, {}),
  async beginSecondFactor(records, userId, sealedSecret) {
    const begun = { userId, sealedSecret, confirmedAt: null, lastUsedStep: 0, recoveryHashes: [], wrongCodes: 0 };
    const [inserted] = await records.write([insert(secondFactors, begun)], [requiredUser(userId)]);
    if (inserted !== null) return true;
    return (await records.write([change(secondFactors, { userId }, { sealedSecret }, { confirmedAt: null })]))[0];
  },
  async confirmSecondFactor(records, userId, sealedSecret, { at, step, recoveryHashes }) {
    const set = { confirmedAt: at, lastUsedStep: step, recoveryHashes };
    return (await records.write([change(secondFactors, { userId }, set, { confirmedAt: null, sealedSecret })]))[0];
  },
  async countWrongCode(records, userId) {
    await records.write([change(secondFactors, { userId }, {}, {}, { add: { wrongCodes: 1 } })]);
  },
  async useOneTimeStep(records, userId, before, step) {
    const used = change(secondFactors, { userId }, { lastUsedStep: step, wrongCodes: 0 }, { lastUsedStep: before });
    return (await records.write([used]))[0];
  },
  async useRecoveryCode(records, userId, before, hash) {
    const recoveryHashes = before.filter((each) => each !== hash);
    const used = change(secondFactors, { userId }, { recoveryHashes, wrongCodes: 0 }, { recoveryHashes: before });
    return (await records.write([used]))[0];
  },
  async replaceRecoveryCodes(records, userId, sealedSecret, recoveryHashes) {
    const found = await records.get(secondFactors, { userId });
    if (found === null || found.confirmedAt === null) return false;
    const when = { sealedSecret, confirmedAt: found.confirmedAt };
    return (await records.write([change(secondFactors, { userId }, { recoveryHashes }, when)]))[0];
  },
  removeSecondFactor: async (records, userId) => (await records.write([remove(secondFactors, { userId })]))[0],
  async replaceSealedSecret(records, userId, before, sealedSecret) {
    return (await records.write([change(secondFactors, { userId }, { sealedSecret }, { sealedSecret: before })]))[0];
  },
} as const satisfies StoreTable<Records>;
