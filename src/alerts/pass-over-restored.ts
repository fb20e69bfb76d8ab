import type { Conversation, Destination } from '../domain/alerts/alert-delivery.ts';
import type { AccountStore } from '../domain/ports/stores/account-store.ts';
import { ALERTS_RESTORED, type AlertStore } from '../domain/ports/stores/alert-store.ts';
import type { Clock } from '../domain/ports/clock.ts';
import type { MaintenanceStore } from '../domain/ports/stores/maintenance-store.ts';

/** Facts that are looked at together. */
const PAGE = 1000;
/** Maximum facts that get a reason; others show none. */
const MAX_FACTS = 10_000;

export const RESTORED_ANSWER =
  'Not sent: the store was restored from a backup or copied while this waited, so it may have been sent before.';

export interface RestoredParts {
  readonly store: Pick<
    AlertStore,
    | 'listConversations'
    | 'saveConversation'
    | 'saveDelivery'
    | 'listChannels'
    | 'listFacts'
    | 'silenceFacts'
    | 'deliveriesAround'
  > &
    Pick<MaintenanceStore, 'getMeta' | 'setMeta'> &
    Pick<AccountStore, 'userById'>;
  /** Place in the log up to which facts are routed; `passOver` moves it up to another one. */
  readonly router: { place(): Promise<number>; passOver(seq: number): Promise<void> };
  readonly clock: Clock;
}

/**
 * Passes over what waits in a store that was restored or copied: it may have been sent before. Messages on their way
 * become deliveries that were dropped. Called by the gateway with the lease before it reads conversations; safe to
 * repeat after a crash. Returns true when there was something to do.
 */
export async function passOverRestored(parts: RestoredParts): Promise<boolean> {
  const { store, router } = parts;
  const mark = (await store.getMeta(ALERTS_RESTORED)) ?? '';
  if (mark === '') return false;
  const until = Number(mark);
  const waiting = (await store.listConversations()).filter(
    ({ pending, firstWaiting }) => pending !== null || firstWaiting !== null,
  );
  const from = Math.min(await router.place(), ...waiting.map(({ cursor }) => cursor));
  for (const conversation of waiting) await passOver(parts, conversation, until);
  await silence(store, from, until);
  await router.passOver(until);
  await store.setMeta(ALERTS_RESTORED, '');
  return true;
}

async function passOver({ store, clock }: RestoredParts, conversation: Conversation, until: number): Promise<void> {
  const { destination, pending, version, cursor } = conversation;
  if (pending !== null) {
    const { message, facts, attempts } = pending;
    await store.saveDelivery({
      ...{ id: message.id, destination, name: await nameOf(store, destination) },
      ...{ projectIds: message.parts.map(({ project }) => project.id), facts, message },
      ...{ state: 'dropped', attempts, answer: RESTORED_ANSWER, at: clock.now() },
    });
  }
  await store.saveConversation({
    ...conversation,
    ...{ version: version + 1, cursor: Math.max(cursor, until), pending: null },
    ...{ firstWaiting: null, lastWaiting: null, notBefore: null, failingSince: null, troubleTo: null },
  });
}

async function nameOf(store: RestoredParts['store'], destination: Destination): Promise<string> {
  const [kind, id] = destination.split(':');
  if (kind === 'user') return (await store.userById(Number(id)))?.name ?? destination;
  return (await store.listChannels(null)).find((channel) => channel.id === Number(id))?.name ?? destination;
}

/** Gives facts that no message reports the reason. */
async function silence(store: RestoredParts['store'], from: number, until: number): Promise<void> {
  let after = Math.max(from, until - MAX_FACTS);
  while (after < until) {
    const facts = (await store.listFacts(after, PAGE)).filter(({ seq }) => seq <= until);
    const last = facts.at(-1);
    if (last === undefined) return;
    const reasons: { seq: number; reason: string }[] = [];
    for (const { seq, projectId, silence: known } of facts) {
      if (known !== null || (await store.deliveriesAround(projectId, seq)).length > 0) continue;
      reasons.push({ seq, reason: RESTORED_ANSWER });
    }
    await store.silenceFacts(reasons);
    after = last.seq;
  }
}
