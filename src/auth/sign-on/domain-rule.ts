import type { PersonClaims } from './claims.ts';
import { refused } from './sign-on-errors.ts';
import { GOOGLE, type SignOnSettings } from './sign-on-settings.ts';

/** Throws `sign_on_refused` for people of no domain that may sign in. */
export function assertDomain(
  { issuer, email, hostedDomain }: Pick<PersonClaims, 'issuer' | 'email' | 'hostedDomain'>,
  { emailDomains, name }: Pick<SignOnSettings, 'emailDomains' | 'name'>,
): void {
  if (emailDomains.length === 0) return;
  const isGoogle = issuer === GOOGLE;
  const domain = (isGoogle ? hostedDomain : (email?.split('@').at(-1) ?? null))?.toLowerCase();
  if (emailDomains.some((allowed) => allowed.toLowerCase() === domain)) return;
  const allowed = emailDomains.join(', ');
  throw refused(
    isGoogle
      ? `Only accounts of the organization ${allowed} sign in here; ${name} does not say that yours is one.`
      : `Only people with a verified e-mail address of ${allowed} sign in here; ${name} names no such address of yours.`,
  );
}
