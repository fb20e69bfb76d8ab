import type { Context } from 'koa';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Reply } from './route.ts';

function textOf(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body);
}

/**
 * Returns a weak tag: equal tags mean equal content, not necessarily equal bytes. It includes the answer's headers
 * (links to other pages, age of a copy). Otherwise a browser would show outdated ones after a 304.
 */
function entityTag(text: string, headers: Reply['headers']): string {
  const content = createHash('sha1').update(text);
  for (const [name, value] of Object.entries(headers ?? {})) content.update(`\n${name}: ${String(value)}`);
  return `W/"${content.digest('base64url')}"`;
}

/** Writes an answer; 304 without a body when the client already has this content. */
export function sendReply(ctx: Context, reply: Reply): void {
  ctx.status = reply.status;
  ctx.set({ ...reply.headers });
  if (reply.body === null || reply.body === undefined) {
    ctx.body = null;
    // A null body turns the status into 204.
    ctx.status = reply.status;
    ctx.set('Content-Length', '0');
    return;
  }
  if (reply.body instanceof Readable) {
    // After a failure the connection ends before the answer does, so that its reader does not take it for complete.
    reply.body.once('error', () => ctx.res.destroy());
    ctx.type = reply.contentType ?? 'application/octet-stream';
    ctx.body = reply.body;
    return;
  }
  const text = textOf(reply.body);
  ctx.type = reply.contentType ?? 'application/json';
  ctx.body = text;
  if (reply.status !== 200 || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return;
  ctx.set('ETag', entityTag(text, reply.headers));
  if (ctx.fresh) {
    ctx.body = null;
    ctx.status = 304;
  }
}
