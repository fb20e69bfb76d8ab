import type { Context } from 'koa';
import { fromLoopback } from './middleware/client-ip.ts';

const LOOPBACK_HOST = /^(localhost|.*\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Whether a password that somebody else knows may be kept for now: on a service for this machine only, from this machine. */
export function mayPostponePassword(ctx: Context, externalUrl: string): boolean {
  return fromLoopback(ctx) && LOOPBACK_HOST.test(new URL(externalUrl).hostname);
}
