import { AppError } from '../../domain/app-error.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import type { SecondFactor, SecondFactorStore } from '../../domain/ports/stores/second-factor-store.ts';
import type { User } from '../../domain/projects/account.ts';
import { newSecret, secretUrl, stepOf } from './one-time-codes.ts';
import { newRecoveryCodes, recoveryHash } from './recovery-codes.ts';

/** Maximum of attempts to use a recovery code while others of the user are being used. */
const MAX_TRIES = 3;

/**
 * Wrong codes of the app after which its codes are refused. With three valid ones of a million, guessing succeeds in 1 of
 * 3300 cases until then. More can be counted by attempts at the same time, which the throttle limits.
 */
export const MAX_WRONG_CODES = 100;

/** Encryption of secrets at rest; a text decrypts only for its user. */
export interface SecretCipher {
  encrypt(secret: string, userId: number): string;
  decrypt(sealed: string, userId: number): string;
}

export interface SecondFactorState {
  /** Time since which sign-ins ask for it; null: they do not. */
  readonly confirmedAt: number | null;
  readonly recoveryCodesLeft: number;
}

/** What proves the second factor. */
export type UsedCode = 'one-time code' | 'recovery code';

export interface BegunSecondFactor {
  /** Base32. */
  readonly secret: string;
  /** `otpauth://…`, with the secret. */
  readonly url: string;
}

export interface SecondFactors {
  /** True: whoever signs in with a password must have one. */
  readonly required: boolean;
  state(userId: number): Promise<SecondFactorState>;
  /** Users whose sign-ins ask for a code. */
  users(): Promise<ReadonlySet<number>>;
  /** Makes a new secret, which a code confirms. Throws `conflict` when the user has a second factor. */
  begin(user: User): Promise<BegunSecondFactor>;
  /**
   * Turns it on with a code of the begun secret. Returns the recovery codes, which are not stored; null for a wrong code.
   * Throws `conflict` when none was begun.
   */
  confirm(userId: number, code: string): Promise<readonly string[] | null>;
  /**
   * Uses a code; null for a wrong one, for one that was used, and without a second factor. After `MAX_WRONG_CODES` throws
   * `second_factor_locked` for codes of the app, until a recovery code is used or the second factor is removed.
   */
  use(userId: number, code: string): Promise<UsedCode | null>;
  /**
   * Replaces the recovery codes, of which none of before works then. Returns the new ones, which are not stored. Throws
   * `conflict` without a second factor.
   */
  renewRecoveryCodes(userId: number): Promise<readonly string[]>;
  /** Turns it off. False without one. */
  remove(userId: number): Promise<boolean>;
}

export interface SecondFactorsDeps {
  readonly store: SecondFactorStore;
  readonly clock: Clock;
  readonly cipher: SecretCipher;
  readonly required: boolean;
  /** External address, by whose host apps name the account. */
  readonly externalUrl: () => string;
}

/** Creates the second factors: time-based codes (RFC 6238) and recovery codes. */
export function createSecondFactors({ store, clock, cipher, required, externalUrl }: SecondFactorsDeps): SecondFactors {
  async function confirmed(userId: number): Promise<SecondFactor | null> {
    const found = await store.secondFactor(userId);
    return found === null || found.confirmedAt === null ? null : found;
  }

  async function useRecoveryCode(userId: number, hash: string): Promise<boolean> {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const left = (await confirmed(userId))?.recoveryHashes ?? [];
      if (!left.includes(hash)) return false;
      if (await store.useRecoveryCode(userId, left, hash)) return true;
    }
    return false;
  }

  async function useOneTimeCode(factor: SecondFactor, code: string): Promise<boolean> {
    const { userId, sealedSecret, lastUsedStep, wrongCodes } = factor;
    if (wrongCodes >= MAX_WRONG_CODES) {
      throw new AppError(
        'second_factor_locked',
        'Codes of the app are refused after too many wrong ones. Use a recovery code, or ask an administrator to reset your second factor.',
      );
    }
    const step = stepOf(cipher.decrypt(sealedSecret, userId), code, clock.now());
    if (step !== null && step > lastUsedStep) return store.useOneTimeStep(userId, lastUsedStep, step);
    await store.countWrongCode(userId);
    return false;
  }

  return {
    required,
    async state(userId) {
      const found = await confirmed(userId);
      return { confirmedAt: found?.confirmedAt ?? null, recoveryCodesLeft: found?.recoveryHashes.length ?? 0 };
    },
    async users() {
      const all = await store.listSecondFactors();
      return new Set(all.filter(({ confirmedAt }) => confirmedAt !== null).map(({ userId }) => userId));
    },
    async begin({ id, username }) {
      const secret = newSecret();
      if (!(await store.beginSecondFactor(id, cipher.encrypt(secret, id)))) {
        throw new AppError('conflict', 'You have a second factor already. Turn it off first.');
      }
      return { secret, url: secretUrl(secret, `errgate ${new URL(externalUrl()).hostname}`, username) };
    },
    async confirm(userId, code) {
      const begun = await store.secondFactor(userId);
      if (begun === null || begun.confirmedAt !== null) {
        throw new AppError('conflict', 'There is no second factor to confirm. Set one up first.');
      }
      const step = stepOf(cipher.decrypt(begun.sealedSecret, userId), code, clock.now());
      if (step === null) return null;
      const codes = newRecoveryCodes();
      const confirmation = { at: clock.now(), step, recoveryHashes: hashes(codes) };
      if (await store.confirmSecondFactor(userId, begun.sealedSecret, confirmation)) return codes;
      throw new AppError('conflict', 'Another browser has changed your second factor meanwhile. Set it up again.');
    },
    async use(userId, code) {
      const factor = await confirmed(userId);
      if (factor === null) return null;
      const hash = recoveryHash(code);
      // Recovery codes work also where the secret cannot be decrypted any longer.
      if (hash !== null) return (await useRecoveryCode(userId, hash)) ? 'recovery code' : null;
      return (await useOneTimeCode(factor, code)) ? 'one-time code' : null;
    },
    async renewRecoveryCodes(userId) {
      const sealedSecret = (await confirmed(userId))?.sealedSecret;
      const codes = newRecoveryCodes();
      const isNew =
        sealedSecret !== undefined && (await store.replaceRecoveryCodes(userId, sealedSecret, hashes(codes)));
      if (!isNew) throw new AppError('conflict', 'Your second factor was turned off meanwhile.');
      return codes;
    },
    remove: (userId) => store.removeSecondFactor(userId),
  };
}

function hashes(codes: readonly string[]): string[] {
  return codes.map((each) => recoveryHash(each) ?? '');
}
