import { answered, api } from './client.ts';
import type { components } from './schema.d.ts';

/** Who is signed in, and what the pages need to know about the service. */
export type Session = components['schemas']['Session'];
export type Person = NonNullable<Session['user']>;

// A 401 of these routes is about the password, and the session need not be over.
const ABOUT_PASSWORD = false;

export async function fetchSession(): Promise<Session> {
  return (await answered(api.GET('/-/session'))).data;
}

/** Throws an `ApiFailure`: `signed-out` for a wrong name or password, `busy` when it was tried too often. */
export async function createSession(username: string, password: string): Promise<Session> {
  return (await answered(api.POST('/-/session', { body: { username, password } }), ABOUT_PASSWORD)).data;
}

export async function endSession(): Promise<void> {
  await answered(api.DELETE('/-/session'));
}

/** In every browser. Access tokens stay. */
export async function endAllSessions(): Promise<void> {
  await answered(api.DELETE('/-/sessions'));
}

/** Every other browser is signed out, this one gets a new session. Throws an `ApiFailure` that says what is wrong. */
export async function changePassword(currentPassword: string, password: string): Promise<Session> {
  const body = { current_password: currentPassword, password };
  return (await answered(api.PUT('/-/session/password', { body }))).data;
}
