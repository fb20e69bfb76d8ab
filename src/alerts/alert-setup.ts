import { AppError } from '../domain/app-error.ts';
import type { Delivery, Destination } from '../domain/alerts/alert-delivery.ts';
import type { AlertMessage } from '../domain/alerts/alert-message.ts';
import type { AlertSetup } from '../domain/ports/alert-setup.ts';
import type { SendResult } from '../domain/ports/alert-sender.ts';
import { attempt } from './sending/attempt.ts';
import { Audience } from './routing/audience.ts';
import type { DispatcherOptions } from './dispatcher.ts';
import { ErrorLookup } from './routing/error-lookup.ts';
import { ROUTED_KEY } from './fact-router.ts';
import { historyOf } from './history.ts';
import { AlertLinks } from './messages/links.ts';
import { deliveryOf, switchOff } from './sending/message-sending.ts';
import { findTarget, type Target } from './sending/message-target.ts';
import { outlookOf } from './outlook.ts';
import { testMessage } from './messages/test-message.ts';
import { unsentSince } from './unsent.ts';

export type AlertSetupOptions = Pick<
  DispatcherOptions,
  'store' | 'sender' | 'open' | 'tracked' | 'externalUrl' | 'clock' | 'logger'
>;

/** Creates the use cases of alerts for the API and for commands. */
export function createAlertSetup(options: AlertSetupOptions): AlertSetup {
  const { store, sender, open, tracked, clock, logger } = options;
  const links = new AlertLinks(options.externalUrl);
  const audience = (): Audience => new Audience(store, sender.mail !== null);
  /** Ends with the process; a person waits for the answer. */
  const never = new AbortController().signal;

  async function send(target: Target, message: AlertMessage, mayRepeat: boolean): Promise<SendResult> {
    const result = await attempt(target, message, mayRepeat, never, { sender, logger });
    if (result.outcome === 'gone') await switchOff(target, store);
    return result;
  }

  async function sendTest(destination: Destination, message: AlertMessage, target: Target): Promise<Delivery> {
    const { outcome, answer } = await send(target, message, false);
    const record = { destination, name: target.name, message, facts: [], attempts: 1, answer, at: clock.now() };
    const delivery = deliveryOf(record, outcome === 'sent' ? 'sent' : 'failed');
    await store.saveDelivery(delivery);
    return delivery;
  }

  return {
    // Mail may be configured only once the address of the service is known.
    get mail() {
      return sender.mail !== null;
    },

    async testChannel(projectId, channelId) {
      const view = audience();
      const project = await view.project(projectId);
      if (project?.channels.some(({ id }) => id === channelId) !== true) return null;
      const message = testMessage(project.project, links, clock.now());
      const target = await findTarget(`channel:${channelId}`, message, view, open);
      return 'dropped' in target ? null : sendTest(`channel:${channelId}`, message, target);
    },

    async testPerson(userId) {
      const view = audience();
      const person = await view.person(userId);
      if (person === null) throw new AppError('not_found', 'There is no such user.');
      if (!view.mail) throw new AppError('bad_request', 'Mail is not configured: an operator sets ERRGATE_MAIL_URL.');
      const message = testMessage(null, links, clock.now());
      const target = await findTarget(`user:${userId}`, message, view, open);
      if ('dropped' in target) throw new AppError('bad_request', 'The user has no mail address, or is blocked.');
      return sendTest(`user:${userId}`, message, target);
    },

    async sendAgain(projectId, deliveryId) {
      const delivery = await store.deliveryById(deliveryId);
      if (delivery?.projectIds.includes(projectId) !== true) return null;
      const { message, destination, state, attempts } = delivery;
      if (state !== 'failed') throw new AppError('conflict', 'Only a message that failed can be sent again.');
      const target = await findTarget(destination, message, audience(), open);
      if ('dropped' in target) throw new AppError('conflict', target.dropped);
      if (target.parts.length < message.parts.length) {
        throw new AppError('conflict', 'The person left a project of this message, or switched its mail off.');
      }
      const { outcome, answer } = await send(target, message, true);
      const sent = outcome === 'sent';
      const after: Delivery = {
        ...delivery,
        ...{ state: sent ? 'sent' : 'failed', attempts: attempts + 1, answer, at: clock.now() },
      };
      await store.saveDelivery(after);
      return after;
    },

    async removeChannel(projectId, channelId) {
      const destination: Destination = `channel:${channelId}`;
      const channel = (await store.listChannels(projectId)).find(({ id }) => id === channelId);
      if (channel === undefined) return false;
      const pending = (await store.listConversations()).find((row) => row.destination === destination)?.pending;
      if (pending !== undefined && pending !== null) {
        const { message, facts, attempts } = pending;
        const answer = 'The channel was deleted before the message was sent.';
        const record = { destination, name: channel.name, message, facts, attempts, answer, at: clock.now() };
        await store.saveDelivery(deliveryOf(record, 'dropped'));
      }
      return store.removeChannel(projectId, channelId);
    },

    async outlook(projectId) {
      const view = audience();
      const project = await view.project(projectId);
      return project === null ? [] : outlookOf(project, { store, audience: view, now: clock.now() });
    },

    async history(projectId, errorId) {
      const now = clock.now();
      const routed = Number((await store.getMeta(ROUTED_KEY)) ?? 0);
      const errors = new ErrorLookup({ store, tracked, now: () => now });
      return historyOf(projectId, errorId, { store, audience: audience(), errors, routed, now });
    },

    async health() {
      const now = clock.now();
      const [rows, failed] = await Promise.all([store.listConversations(), store.failedDeliveries(null)]);
      const since = unsentSince(rows, now);
      return {
        mail: sender.mail !== null,
        oldestUnsentMs: since === null ? 0 : now - since,
        failed,
        failing: rows.filter(({ failingSince }) => failingSince !== null).length,
      };
    },
  };
}
