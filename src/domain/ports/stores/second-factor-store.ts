/** Second factor of a user who signs in with a password. */
export interface SecondFactor {
  readonly userId: number;
  /** Encrypted secret of the codes, as base32. */
  readonly sealedSecret: string;
  /** Time of the first right code; null: it was begun, and sign-ins do not ask for it. */
  readonly confirmedAt: number | null;
  /** Time step of the last code that was used, since the epoch; 0: none. Earlier ones are refused. */
  readonly lastUsedStep: number;
  /** Lower-case hex SHA-256 of the recovery codes that are left. */
  readonly recoveryHashes: readonly string[];
  /** Wrong codes of the app since the last right code of any kind. */
  readonly wrongCodes: number;
}

export interface SecondFactorConfirmation {
  readonly at: number;
  /** Time step of the code that confirms it. */
  readonly step: number;
  readonly recoveryHashes: readonly string[];
}

/** Second factors. Each code works once, also when gateways check it at the same time. */
export interface SecondFactorStore {
  secondFactor(userId: number): Promise<SecondFactor | null>;
  /** Those of all users. */
  listSecondFactors(): Promise<readonly SecondFactor[]>;
  /** Begins one, or replaces one that is not confirmed. False when it is. Throws `not_found` for an unknown user. */
  beginSecondFactor(userId: number, sealedSecret: string): Promise<boolean>;
  /** False unless it has this secret and is not confirmed. */
  confirmSecondFactor(userId: number, sealedSecret: string, confirmation: SecondFactorConfirmation): Promise<boolean>;
  /** Counts a wrong code of the app; ignores an unknown user. A right code of any kind begins the count again. */
  countWrongCode(userId: number): Promise<void>;
  /** Uses the code of a time step. False when `before` is not the last used step any longer. */
  useOneTimeStep(userId: number, before: number, step: number): Promise<boolean>;
  /** Uses a recovery code. False when `before` are not those that are left any longer. */
  useRecoveryCode(userId: number, before: readonly string[], hash: string): Promise<boolean>;
  /** Replaces all recovery codes. False unless it has this secret and is confirmed. */
  replaceRecoveryCodes(userId: number, sealedSecret: string, recoveryHashes: readonly string[]): Promise<boolean>;
  /** False without one. */
  removeSecondFactor(userId: number): Promise<boolean>;
  /** Replaces the encrypted secret by the same one under another key. False when it changed meanwhile. */
  replaceSealedSecret(userId: number, before: string, sealedSecret: string): Promise<boolean>;
}
