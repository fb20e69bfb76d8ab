import type { Seal } from '../../domain/ports/seal.ts';

/** Milliseconds in which a person may sign in at the provider. */
export const SIGN_ON_MS = 600_000;

/** What the browser keeps, encrypted, while its person is at the provider. */
export interface BegunSignOn {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** Where the person wanted to go; null: to the start page. */
  readonly returnTo: string | null;
  /** User that connects the account of the provider; null: a sign-in. */
  readonly connects: number | null;
  /** Milliseconds since the epoch. */
  readonly endsAt: number;
}

/** Owner of the cookie: nobody is signed in yet. */
const NOBODY = 0;

export function sealBegun(seal: Seal, begun: BegunSignOn): string {
  return seal.seal(JSON.stringify(begun), NOBODY);
}

/** Opens the cookie. Null without one, for a modified one and after its time. */
export function openBegun(seal: Seal, sealed: string | null, now: number): BegunSignOn | null {
  const text = sealed === null ? null : seal.open(sealed, NOBODY);
  // Only this service can have sealed it.
  const begun = text === null ? null : (JSON.parse(text) as BegunSignOn);
  return begun === null || begun.endsAt <= now ? null : begun;
}
