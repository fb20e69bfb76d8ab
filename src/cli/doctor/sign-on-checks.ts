import type { Config } from '../../../config/schema.ts';
import { IdentityProvider } from '../../auth/sign-on/identity-provider.ts';
import { CALLBACK_PATH } from '../../auth/sign-on/sign-on-settings.ts';
import { signOnSettings } from '../../compose/sign-on.ts';
import { systemClock } from '../../domain/ports/clock.ts';
import { fail, type Finding, ok, reasonOf, warn } from './finding.ts';

const CHECK = 'sign-on';

/** Checks that the identity provider answers, is the configured one, and knows the scopes that are asked for. */
export async function checkSignOn(
  config: Pick<Config, 'oidc' | 'passwordSignIn' | 'server'>,
  externalUrl: string,
): Promise<Finding> {
  const settings = signOnSettings(config);
  if (settings === null) {
    if (config.passwordSignIn || config.server.authHeader !== null) {
      return ok(CHECK, 'not configured (ERRGATE_OIDC_ISSUER)');
    }
    return fail(
      CHECK,
      'passwords are switched off, and no identity provider is configured: hardly anybody can sign in',
      'set ERRGATE_OIDC_ISSUER, or ERRGATE_PASSWORD_SIGN_IN=true; `errgate user allow-password` helps one user',
    );
  }
  const { issuer, scopes } = settings;
  const provider = new IdentityProvider({ settings, clock: systemClock });
  try {
    const metadata = (await provider.known()).configuration.serverMetadata();
    const unknown = scopes.split(' ').filter((scope) => metadata.scopes_supported?.includes(scope) === false);
    if (unknown.length > 0) {
      return warn(CHECK, `${issuer} does not list the scopes ${unknown.join(', ')}`, 'correct ERRGATE_OIDC_SCOPES');
    }
    const signOut =
      metadata.end_session_endpoint === undefined ? 'it has no sign-out address' : 'people sign out there too';
    return ok(CHECK, `${issuer} answers; ${signOut}; it sends people back to ${externalUrl}${CALLBACK_PATH}`);
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    return fail(
      CHECK,
      `${issuer} cannot be used: ${reasonsOf(cause)}`,
      'open ERRGATE_OIDC_ISSUER followed by /.well-known/openid-configuration from this machine; docs/sign-on.md',
    );
  }
}

/** Returns an error with what caused it, as libraries nest them. */
function reasonsOf(error: unknown): string {
  const reasons: string[] = [];
  for (
    let at = error;
    at !== undefined && at !== null && reasons.length < 4;
    at = at instanceof Error ? at.cause : null
  ) {
    const reason = reasonOf(at).slice(0, 200);
    if (at instanceof Error && reason !== '' && !reasons.includes(reason)) reasons.push(reason);
  }
  return reasons.join(': ');
}
