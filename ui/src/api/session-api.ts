import { answered, api } from './client.ts';
import type { components } from './schema.d.ts';

/** Signed-in user, and facts about the service that pages need. */
export type Session = components['schemas']['Session'];
export type Person = NonNullable<Session['user']>;

// On these routes a 401 means a wrong password; the session may still be valid.
const ABOUT_PASSWORD = false;

export async function fetchSession(): Promise<Session> {
  return (await answered(api.GET('/-/session'))).data;
}

/** Signs in, or gets the challenge for the code of the second factor. Throws an `ApiFailure`: `signed-out` for a wrong name or password, `busy` after too many attempts. */
export async function createSession(username: string, password: string): Promise<Session> {
  return (await answered(api.POST('/-/session', { body: { username, password } }), ABOUT_PASSWORD)).data;
}

/** Finishes a sign-in with a code. Throws an `ApiFailure`: `signed-out` for a wrong code, `busy` after too many. */
export async function finishSession(challenge: string, code: string): Promise<Session> {
  return (await answered(api.POST('/-/session/second_factor', { body: { challenge, code } }), ABOUT_PASSWORD)).data;
}

/** Signs out. Returns the address at which the identity provider ends its session; null: there is none. */
export async function endSession(): Promise<string | null> {
  const { data } = await answered(api.DELETE('/-/session'));
  return data?.url ?? null;
}

/** Signs the user out of every browser. Access tokens stay valid. */
export async function endAllSessions(): Promise<void> {
  await answered(api.DELETE('/-/sessions'));
}

/** Ends the other sessions of the user; this browser gets a new one. */
export async function endOtherSessions(): Promise<Session> {
  const { data } = await answered(api.DELETE('/-/sessions', { params: { query: { others: true } } }));
  if (data === undefined) throw new TypeError('the service ended this session too');
  return data;
}

/**
 * Changes the password. Ends all other sessions and starts a new one here. Throws an `ApiFailure` with the reason.
 */
export async function changePassword(currentPassword: string, password: string): Promise<Session> {
  const body = { current_password: currentPassword, password };
  return (await answered(api.PUT('/-/session/password', { body }))).data;
}
