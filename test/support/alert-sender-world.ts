import { randomBytes } from 'node:crypto';
import { createAlertSender, type AlertSenderDeps } from '../../src/alerts/send-alert.ts';
import { createUnsubscribeLinks } from '../../src/auth/unsubscribe-links.ts';
import type { ChannelType } from '../../src/domain/alerts/alert-channel.ts';
import type { Recipient } from '../../src/domain/ports/alert-sender.ts';
import { createOutboundPost } from '../../src/thirdparty/http/outbound-post.ts';
import { createUrlGuard } from '../../src/thirdparty/guard/url-guard.ts';
import { EXTERNAL_URL, presentError } from './alert-messages.ts';

export const clock = { now: () => Date.now() };
export const links = createUnsubscribeLinks({
  externalUrl: () => EXTERNAL_URL,
  keys: () => [{ bytes: randomBytes(32) }],
});

/** Creates a sender that reaches receivers on this machine. */
export function testSender(patch: Partial<AlertSenderDeps> = {}) {
  const post = createOutboundPost(createUrlGuard({ allow: '127.0.0.1' }), clock);
  return createAlertSender({ post, mail: null, links, presentError, clock, ...patch });
}

export function channel(type: ChannelType, url: string, secret: string | null = null): Recipient {
  return { kind: 'channel', type, name: 'test', secrets: { url, secret } };
}

/** Options of a first attempt. */
export const firstAttempt = { mayRepeat: false, signal: new AbortController().signal };
