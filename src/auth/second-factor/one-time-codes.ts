import { decodeBase32IgnorePadding, encodeBase32NoPadding } from '@oslojs/encoding';
import { createTOTPKeyURI, verifyHOTP } from '@oslojs/otp';
import { randomBytes } from 'node:crypto';

/** Seconds of a time step, and digits of a code: what all authenticator apps assume. */
const PERIOD_S = 30;
const DIGITS = 6;

/** Steps from the present one whose codes are taken: clocks may differ, and typing takes time. */
const OFFSETS = [0, -1, 1] as const;

/** Bytes of a secret: the size of the hash that the codes are made with (RFC 4226). */
const SECRET_BYTES = 20;

/** Returns a new random secret, as base32. */
export function newSecret(): string {
  return encodeBase32NoPadding(randomBytes(SECRET_BYTES));
}

/** Returns the address that authenticator apps read from a picture. `issuer`: name of the service, without a colon. */
export function secretUrl(secret: string, issuer: string, username: string): string {
  const url = createTOTPKeyURI(issuer, username, decodeBase32IgnorePadding(secret), PERIOD_S, DIGITS);
  // Apps do not read a plus as a space.
  return url.replaceAll('+', '%20');
}

/** Returns the time step whose code it is; null for any other text. Takes the same time for each code. */
export function stepOf(secret: string, code: string, now: number): number | null {
  const typed = code.replaceAll(' ', '');
  if (!/^\d{6}$/.test(typed)) return null;
  const key = decodeBase32IgnorePadding(secret);
  const present = Math.floor(now / 1000 / PERIOD_S);
  const steps = OFFSETS.map((offset) => present + offset).filter((step) => step >= 0);
  const right = steps.filter((step) => verifyHOTP(key, BigInt(step), DIGITS, typed));
  return right[0] ?? null;
}
