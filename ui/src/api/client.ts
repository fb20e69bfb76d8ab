import createClient, { type Middleware } from 'openapi-fetch';
import { basePath } from '../lib/base-path.ts';
import { reportAnswer } from '../app/connection.ts';
import { ApiFailure, failureFor } from './api-failure.ts';
import type { paths } from './schema.d.ts';

/** Every write that a cookie vouches for carries it; null while nobody is signed in. */
let csrfToken: string | null = null;
let onSignedOut: () => void = () => undefined;

export function setCsrfToken(token: string | null): void {
  csrfToken = token;
}

/** Called whenever the service says that nobody is signed in any more. */
export function whenSignedOut(listener: () => void): void {
  onSignedOut = listener;
}

const csrf: Middleware = {
  onRequest({ request }) {
    if (request.method !== 'GET' && csrfToken !== null) request.headers.set('X-CSRF-Token', csrfToken);
  },
};

/** The REST and web JSON routes, typed by docs/openapi.json. Use it through `answered`. */
export const api = createClient<paths>({
  baseUrl: basePath,
  credentials: 'same-origin',
  headers: { Accept: 'application/json' },
});
api.use(csrf);

export interface Answered<T> {
  readonly data: T;
  readonly headers: Headers;
}

interface FetchResult<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

/**
 * Waits for an answer. Throws an `ApiFailure` for everything that is no success, and what an abort throws.
 * `signsOut`: whether a 401 means that the session is over; else it is about the password in the request.
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
  if (failure.kind === 'signed-out' && signsOut) onSignedOut();
  throw failure;
}
