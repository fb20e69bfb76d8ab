import { Secret, TOTP } from 'otpauth';

/** Seconds of a time step, and digits of a code: what all authenticator apps assume. */
const PERIOD_S = 30;
const DIGITS = 6;

/** Steps before and after the present one whose codes are taken: clocks may differ, and typing takes time. */
const WINDOW = 1;

/** Bytes of a secret: the size of the hash that the codes are made with (RFC 4226). */
const SECRET_BYTES = 20;

/** Returns a new random secret, as base32. */
export function newSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

function codesOf(secret: string, names: { readonly issuer?: string; readonly label?: string } = {}): TOTP {
  return new TOTP({ ...names, secret, algorithm: 'SHA1', digits: DIGITS, period: PERIOD_S });
}

/** Returns the address that authenticator apps read from a picture. `issuer`: name of the service, without a colon. */
export function secretUrl(secret: string, issuer: string, username: string): string {
  return codesOf(secret, { issuer, label: username }).toString();
}

/** Returns the time step whose code it is; null for any other text. Takes the same time for each code. */
export function stepOf(secret: string, code: string, now: number): number | null {
  const token = code.replaceAll(' ', '');
  if (!/^\d{6}$/.test(token)) return null;
  const delta = codesOf(secret).validate({ token, window: WINDOW, timestamp: now });
  return delta === null ? null : TOTP.counter({ period: PERIOD_S, timestamp: now }) + delta;
}
