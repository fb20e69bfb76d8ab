import type { Context } from 'koa';

const NAME = 'errgate_session';

/** The session id that the browser sent; null without one. */
export function sessionIdOf(ctx: Context): string | null {
  const value = ctx.cookies.get(NAME);
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

/** `Set-Cookie` that takes the cookie away. */
export function endedCookie(externalUrl: string): string {
  return `${NAME}=; Max-Age=0; ${attributes(externalUrl)}`;
}
