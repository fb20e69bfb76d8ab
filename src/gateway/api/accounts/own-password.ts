import { hashSessionId } from '../../../auth/session-id.ts';
import { AppError } from '../../../domain/app-error.ts';
import type { Credentials } from '../../../domain/ports/stores/web-session-store.ts';
import type { AccountCall } from '../../http/route.ts';
import { addressOf } from './session-reply.ts';

/** Returns the name under which attempts of the caller count: as a known browser, so that others cannot lock them out. */
export function attemptsOf({ session, principal }: AccountCall<unknown>): string {
  return session === null ? `token ${principal.token?.id}` : `session ${hashSessionId(session.id) ?? ''}`;
}

/**
 * Checks the password of the caller. Throws `bad_request` for a wrong one, which must not look like an expired session,
 * and `rate_limited`.
 */
export async function checkOwnPassword(call: AccountCall<unknown>, password: string): Promise<Credentials> {
  const { username } = call.principal.user;
  try {
    return await call.deps.passwords.check(username, password, addressOf(call), attemptsOf(call));
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalid_credentials') throw error;
    throw new AppError('bad_request', 'The current password is wrong.');
  }
}
