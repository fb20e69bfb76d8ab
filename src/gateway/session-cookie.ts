import type { Context } from 'koa';
import { KNOWN_MS } from '../auth/known-browsers.ts';

const NAME = 'errgate_session';
const BROWSER_NAME = 'errgate_browser';

/** The session id that the browser sent; null without one. */
export function sessionIdOf(ctx: Context): string | null {
  return cookieOf(ctx, NAME);
}

/** The mark of a browser that has signed in before, unchecked; null without one. */
export function browserMarkOf(ctx: Context): string | null {
  return cookieOf(ctx, BROWSER_NAME);
}

function cookieOf(ctx: Context, name: string): string | null {
  const value = ctx.cookies.get(name);
  return value === undefined || value === '' ? null : value;
}

function attributes(externalUrl: string): string {
  const { protocol, pathname } = new URL(externalUrl);
  const path = pathname.replace(/\/+$/, '') || '/';
  // Lax: a link in a message opens the page signed in, and no other site's form gets to send it.
  return `Path=${path}; HttpOnly; SameSite=Lax${protocol === 'https:' ? '; Secure' : ''}`;
}

/** `Set-Cookie` for a session that lasts `maxMs` milliseconds at most. */
export function sessionCookie(sessionId: string, externalUrl: string, maxMs: number): string {
  return `${NAME}=${sessionId}; Max-Age=${Math.floor(maxMs / 1000)}; ${attributes(externalUrl)}`;
}

/** `Set-Cookie` for the mark of `KnownBrowsers`; stays after a sign-out. */
export function browserCookie(mark: string, externalUrl: string): string {
  return `${BROWSER_NAME}=${mark}; Max-Age=${KNOWN_MS / 1000}; ${attributes(externalUrl)}`;
}

/** `Set-Cookie` that takes the cookie away. */
export function endedCookie(externalUrl: string): string {
  return `${NAME}=; Max-Age=0; ${attributes(externalUrl)}`;
}
