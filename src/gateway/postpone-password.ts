import type { Context } from 'koa';
import { fromLoopback } from './middleware/client-ip.ts';

const LOOPBACK_HOST = /^(localhost|.*\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Returns true when the forced password change may be skipped: service and client are both on loopback. */
export function mayPostponePassword(ctx: Context, externalUrl: string): boolean {
  return fromLoopback(ctx) && LOOPBACK_HOST.test(new URL(externalUrl).hostname);
}
