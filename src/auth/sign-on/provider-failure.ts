import { errors } from 'jose';
import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client';
import { AppError } from '../../domain/app-error.ts';
import { failed, misconfigured, refused, unavailable } from './sign-on-errors.ts';

/** Codes of answers that no working provider gives. */
const AWAY = new Set(['OAUTH_TIMEOUT', 'OAUTH_ABORT', 'OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_RESPONSE_IS_NOT_JSON']);
/** Errors of a provider that are about the settings here. */
const ABOUT_CLIENT = new Set(['invalid_client', 'unauthorized_client', 'invalid_scope', 'unsupported_grant_type']);

/** True when the provider refuses a refresh token: the session there has ended, or the person may not sign in. */
export function isRefusedGrant(error: unknown): boolean {
  return error instanceof ResponseBodyError && error.error === 'invalid_grant';
}

function isAway(error: unknown): boolean {
  if (error instanceof ResponseBodyError) return error.status >= 500;
  if (error instanceof ClientError) return AWAY.has(error.code ?? '');
  return error instanceof TypeError || error instanceof errors.JWKSTimeout;
}

/** True when the provider refuses this service, not the person. The userinfo endpoint refuses a `bearer`. */
function isAboutClient(error: unknown): boolean {
  if (error instanceof ResponseBodyError) return ABOUT_CLIENT.has(error.error);
  return error instanceof WWWAuthenticateChallengeError && error.cause.every(({ scheme }) => scheme !== 'bearer');
}

/** Name of an error in the protocol; providers put texts of their own elsewhere. */
const codeOf = (text: string): string => (/^[a-z_]{1,64}$/.test(text) ? text : 'an unknown error');

/**
 * Maps an error of the libraries to one for people. `otherwise`: code of errors that say nothing about their kind. The
 * cause is for the log alone.
 */
export function failureOf(
  error: unknown,
  name: string,
  otherwise: 'sign_on_failed' | 'sign_on_unavailable' = 'sign_on_failed',
): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof AuthorizationResponseError) {
    return refused(`${name} did not sign you in (${codeOf(error.error)}).`);
  }
  if (isAboutClient(error)) return misconfigured(name, error);
  if (otherwise === 'sign_on_unavailable' || isAway(error)) return unavailable(name, error);
  return failed(`The answer of ${name} is not valid, or was used before. Sign in again.`, error);
}
