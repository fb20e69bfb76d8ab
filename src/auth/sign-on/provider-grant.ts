import type { Seal } from '../../domain/ports/seal.ts';

/** Tokens of the provider that a session keeps. */
export interface ProviderGrant {
  /** For checks; null: the provider gave none. */
  readonly refreshToken: string | null;
  /** Names the session at the sign-out there; null: it is too long for an address. */
  readonly idToken: string | null;
}

/** Maximum characters of an ID token that is kept: with many groups it does not fit into the address of a sign-out. */
const MAX_ID_TOKEN = 4000;
/** Maximum characters of a refresh token; a longer one counts as none. */
const MAX_REFRESH_TOKEN = 16_000;

/** Encrypts tokens for the session of a user. */
export function sealGrant(seal: Seal, userId: number, { refreshToken, idToken }: ProviderGrant): string {
  const kept: ProviderGrant = {
    refreshToken: refreshToken !== null && refreshToken.length <= MAX_REFRESH_TOKEN ? refreshToken : null,
    idToken: idToken !== null && idToken.length <= MAX_ID_TOKEN ? idToken : null,
  };
  return seal.seal(JSON.stringify(kept), userId);
}

/** Decrypts the tokens of a session; null when the secret key has changed. */
export function openGrant(seal: Seal, userId: number, sealed: string): ProviderGrant | null {
  const text = seal.open(sealed, userId);
  return text === null ? null : (JSON.parse(text) as ProviderGrant);
}
