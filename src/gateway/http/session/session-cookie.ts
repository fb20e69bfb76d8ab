import type { Context } from 'koa';
import { KNOWN_MS } from '../../../auth/known-browsers.ts';

const NAME = 'errgate_session';
const BROWSER_NAME = 'errgate_browser';
const SIGN_ON_NAME = 'errgate_sign_on';

/** Returns the session id that the browser sent; null without one. */
export function sessionIdOf(ctx: Context): string | null {
  return cookieOf(ctx, NAME);
}

/** Returns the mark of a browser that has signed in before, unchecked; null without one. */
export function browserMarkOf(ctx: Context): string | null {
  return cookieOf(ctx, BROWSER_NAME);
}

/** Returns what the browser keeps of a sign-in at an identity provider, unchecked; null without one. */
export function signOnCookieOf(ctx: Context): string | null {
  return cookieOf(ctx, SIGN_ON_NAME);
}

function cookieOf(ctx: Context, name: string): string | null {
  const value = ctx.cookies.get(name);
  return value === undefined || value === '' ? null : value;
}

function attributes(externalUrl: string): string {
  const { protocol, pathname } = new URL(externalUrl);
  const path = pathname.replace(/\/+$/, '') || '/';
  // With `Lax`, a link in a message opens the page signed in. Forms of other sites do not send the cookie.
  return `Path=${path}; HttpOnly; SameSite=Lax${protocol === 'https:' ? '; Secure' : ''}`;
}

/** Returns `Set-Cookie` for a session of at most `maxMs` milliseconds. */
export function sessionCookie(sessionId: string, externalUrl: string, maxMs: number): string {
  return `${NAME}=${sessionId}; Max-Age=${Math.floor(maxMs / 1000)}; ${attributes(externalUrl)}`;
}

/** Returns `Set-Cookie` for the mark of `KnownBrowsers`; it stays after a sign-out. */
export function browserCookie(mark: string, externalUrl: string): string {
  return `${BROWSER_NAME}=${mark}; Max-Age=${KNOWN_MS / 1000}; ${attributes(externalUrl)}`;
}

/** Returns `Set-Cookie` for a sign-in at an identity provider. `maxMs` of 0 removes it. */
export function signOnCookie(sealed: string, externalUrl: string, maxMs: number): string {
  return `${SIGN_ON_NAME}=${sealed}; Max-Age=${Math.floor(maxMs / 1000)}; ${attributes(externalUrl)}`;
}

/** Returns `Set-Cookie` that removes the session cookie. */
export function endedCookie(externalUrl: string): string {
  return `${NAME}=; Max-Age=0; ${attributes(externalUrl)}`;
}
