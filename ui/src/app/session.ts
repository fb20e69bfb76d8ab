import { computed, readonly, shallowRef } from 'vue';
import { ApiFailure } from '../api/api-failure.ts';
import { setCredentials, whenOutdated, whenSignedOut } from '../api/client.ts';
import {
  changePassword,
  createSession,
  endAllSessions,
  endOtherSessions,
  endSession,
  fetchSession,
  finishSession,
  type Person,
  type Session,
} from '../api/session-api.ts';
import { readStored, writeStored } from '../lib/stored.ts';
import { showNotice } from './toasts.ts';

/** Stores, until the next sign-in, that the change of the first password was postponed. */
const LATER = 'errgate.password-later';

const answer = shallowRef<Session | null>(null);
/** Whether the last session ended by itself, and not by signing out here. */
const ended = shallowRef(false);
const postponed = shallowRef(readStored(LATER) === 'yes');

function keep(next: Session): void {
  answer.value = next;
  setCredentials({ csrfToken: next.csrf_token, personId: next.user?.id ?? null });
}

function postpone(later: boolean): void {
  postponed.value = later;
  writeStored(LATER, later ? 'yes' : 'no');
}

/** Reads the current session; throws an `ApiFailure` when that fails. */
export async function loadSession(): Promise<void> {
  keep(await fetchSession());
}

/** Milliseconds in which the cookie of a sign-in in another tab arrives, after the session before it has ended. */
const SIGN_IN_MS = 1000;

/** Adopts the session that another tab started. Shows a notice when it belongs to another user. */
async function takeOver(): Promise<void> {
  const known = answer.value;
  const before = known?.user ?? null;
  try {
    let next = await fetchSession();
    if (next.user === null && before !== null) {
      await new Promise((resolve) => setTimeout(resolve, SIGN_IN_MS));
      next = await fetchSession();
    }
    // A sign-in here meanwhile is newer.
    if (answer.value !== known) return;
    ended.value ||= before !== null && next.user === null;
    keep(next);
  } catch (error) {
    // The refused request fails and reports the error itself.
    if (!(error instanceof ApiFailure)) throw error;
    return;
  }
  const now = answer.value?.user ?? null;
  if (before === null || now === null || before.id === now.id) return;
  showNotice(`Another tab of this browser signed in as ${now.username}. This tab uses that account now.`);
}

function begin(next: Session): void {
  ended.value = false;
  postpone(false);
  keep(next);
}

/**
 * Signs in. Returns the challenge for `finishSignIn` when a code is needed too, else null. Throws an `ApiFailure` for a
 * wrong name or password, and after too many attempts.
 */
export async function signIn(username: string, password: string): Promise<string | null> {
  const next = await createSession(username, password);
  if (next.second_factor_challenge === null) begin(next);
  return next.second_factor_challenge;
}

/** Finishes a sign-in. Throws an `ApiFailure` for a wrong code, one that comes too late, and after too many attempts. */
export async function finishSignIn(challenge: string, code: string): Promise<void> {
  begin(await finishSession(challenge, code));
}

/** Changes the password. Throws an `ApiFailure` with the reason. */
export async function choosePassword(current: string, password: string): Promise<void> {
  keep(await changePassword(current, password));
}

export function postponePasswordChange(): void {
  postpone(true);
}

/** Ends every session of the user, including this one. */
export async function signOutEverywhere(): Promise<void> {
  await endAllSessions();
  forget();
}

/** Ends every other session of the user. */
export async function signOutElsewhere(): Promise<void> {
  keep(await endOtherSessions());
}

/** Signs out. Returns the address at which the identity provider ends its session; null: there is none. */
export async function signOut(): Promise<string | null> {
  const elsewhere = await endSession();
  forget();
  return elsewhere;
}

/** Clears the state of an ended session. */
function forget(): void {
  if (answer.value !== null) keep({ ...answer.value, user: null, csrf_token: null });
}

/** Whether the session ended without a sign-out in this tab. */
export const sessionEnded = readonly(ended);
/** Current session; null until it was read. */
export const session = readonly(answer);
export const person = computed<Person | null>(() => answer.value?.user ?? null);
/** How a proxy in front of the service signs people in; null: it does not. */
export const proxy = computed(() => answer.value?.proxy ?? null);
/** Whether the user has to change the password before any other action. */
export const mustChangePassword = computed(() => {
  const { must_change_password: must, may_postpone: may } = answer.value ?? {};
  return person.value !== null && must === true && !(may === true && postponed.value);
});

/** Whether the user has to set up a second factor before any other action. */
export const mustSetUpSecondFactor = computed(
  () => person.value !== null && answer.value?.must_set_up_second_factor === true,
);

whenSignedOut(() => {
  ended.value ||= person.value !== null;
  forget();
});
whenOutdated(takeOver);
