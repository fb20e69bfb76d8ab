import createClient, { type Middleware } from 'openapi-fetch';
import { basePath } from '../lib/base-path.ts';
import { reportAnswer } from '../app/connection.ts';
import { ApiFailure, failureFor, isOutdated } from './api-failure.ts';
import type { paths } from './schema.d.ts';
import { countWrite } from './writes.ts';

/** CSRF token of the page's session, and the user it belongs to. */
interface Credentials {
  /** CSRF token for writes with a session cookie; null without a session. */
  readonly csrfToken: string | null;
  readonly personId: number | null;
}

let credentials: Credentials = { csrfToken: null, personId: null };
let onSignedOut: () => void = () => undefined;
let renew: () => Promise<void> = () => Promise.resolve();

export function setCredentials(next: Credentials): void {
  credentials = next;
}

/** Registers a function that renews the credentials. It is called after another tab has signed in again. */
export function whenOutdated(renewal: () => Promise<void>): void {
  renew = renewal;
}

/** Registers a listener for responses that the session has ended. */
export function whenSignedOut(listener: () => void): void {
  onSignedOut = listener;
}

const csrf: Middleware = {
  onRequest({ request }) {
    const { csrfToken } = credentials;
    if (request.method !== 'GET' && csrfToken !== null) request.headers.set('X-CSRF-Token', csrfToken);
  },
};

/**
 * Checks whether the session of a request has ended meanwhile. Another tab may have begun a new one, whose cookie the
 * browser has. On the routes of the session itself a 401 is about a password.
 */
async function isOfEarlierSession({ url }: Request, response: Response): Promise<boolean> {
  if (response.status === 401) return credentials.personId !== null && !new URL(url).pathname.includes('/-/session');
  if (response.status !== 403) return false;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  return isOutdated(body);
}

let renewal: Promise<void> | undefined;

/** Renews the credentials, once for all requests that were refused at a time. */
function renewOnce(): Promise<void> {
  return (renewal ??= renew().finally(() => {
    renewal = undefined;
  }));
}

/**
 * Sends a request. One that was refused because of an earlier session is repeated with the current credentials. A write
 * is not repeated when another user has signed in.
 */
async function send(request: Request): Promise<Response> {
  const { personId } = credentials;
  const isWrite = request.method !== 'GET';
  const again = request.clone();
  const response = await fetch(request);
  if (!(await isOfEarlierSession(again, response))) return response;
  await renewOnce();
  const { csrfToken, personId: now } = credentials;
  if (csrfToken === null || (isWrite && personId !== null && personId !== now)) return response;
  if (isWrite) again.headers.set('X-CSRF-Token', csrfToken);
  return fetch(again);
}

/** Counts what was stored, so that pages read again what it changes: also after an undo, and in other tabs. */
const counting: Middleware = {
  onResponse({ request, response }) {
    if (request.method !== 'GET' && response.ok) countWrite();
  },
};

/** Client of the REST and web JSON routes, typed by docs/openapi.json. Use it through `answered`. */
export const api = createClient<paths>({
  baseUrl: basePath,
  credentials: 'same-origin',
  headers: { Accept: 'application/json' },
  fetch: send,
});
api.use(csrf, counting);

export interface Answered<T> {
  readonly data: T;
  readonly headers: Headers;
}

interface FetchResult<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

/** Message of every action that finds the session over. The page leads to the sign-in and back. */
const SESSION_ENDED = 'Your session has ended. Sign in again, then repeat it.';

function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

/**
 * Waits for an answer. Throws an `ApiFailure` for every unsuccessful answer; an abort throws its own error.
 * `signsOut`: whether a 401 means that the session is over. Otherwise it is about the password in the request.
 */
export async function answered<T>(request: Promise<FetchResult<T>>, signsOut = true): Promise<Answered<T>> {
  let result: FetchResult<T>;
  try {
    result = await request;
  } catch (error) {
    if (isAbort(error)) throw error;
    reportAnswer(false);
    throw new ApiFailure('offline', 'The server cannot be reached.');
  }
  const { response } = result;
  if (response.ok) {
    reportAnswer(true);
    return { data: result.data as T, headers: response.headers };
  }
  const failure = failureFor(response, result.error);
  reportAnswer(failure.kind !== 'offline');
  if (failure.kind !== 'signed-out' || !signsOut) throw failure;
  onSignedOut();
  throw new ApiFailure('signed-out', SESSION_ENDED, response.status);
}
