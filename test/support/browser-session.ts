import assert from 'node:assert/strict';
import { csrfTokenOf } from '../../src/auth/session-id.ts';
import type { User } from '../../src/domain/projects/account.ts';
import type { Answer, RunningApp } from './app.ts';

/** Headers of a signed-in browser. */
export interface BrowserHeaders {
  readonly Cookie: string;
  readonly 'X-CSRF-Token': string;
}

/** Headers for the session that an answer started. */
export function headersOf(answer: Answer): BrowserHeaders {
  const cookie = answer.headers.get('Set-Cookie')?.split(';', 1)[0] ?? '';
  assert.match(cookie, /^errgate_session=[\w-]{43}$/);
  return { Cookie: cookie, 'X-CSRF-Token': answer.json().csrf_token };
}

/** Starts a session for a user without a password check. */
export async function givenSession(app: RunningApp, user: User): Promise<BrowserHeaders> {
  const { epoch } = (await app.store.credentials(user.username)) ?? assert.fail('nobody of this name');
  const id = await app.deps.webSessions.begin({ user, epoch }, { userAgent: '', address: null, secondFactor: false });
  return { Cookie: `errgate_session=${id}`, 'X-CSRF-Token': csrfTokenOf(id) };
}
