import type { AlertFact } from '../domain/alerts/alert-fact.ts';
import type { Conversation, Delivery } from '../domain/alerts/alert-delivery.ts';
import type { FactHistory, FactOutcome } from '../domain/ports/alert-setup.ts';
import type { AlertStore } from '../domain/ports/stores/alert-store.ts';
import type { Audience } from './routing/audience.ts';
import type { ErrorLookup } from './routing/error-lookup.ts';
import { hasPlace } from './messages/fact-runs.ts';
import { idOf, isChannel } from './sending/message-target.ts';
import { readyAt } from './sending/pace.ts';
import { routeFact } from './routing/routing.ts';

export interface HistoryParts {
  readonly store: Pick<AlertStore, 'factsOfError' | 'deliveriesAround' | 'listConversations'>;
  readonly audience: Audience;
  readonly errors: ErrorLookup;
  /** Place in the log up to which facts are routed. */
  readonly routed: number;
  readonly now: number;
}

const LEFT_OUT =
  'No message reports it: the error was resolved, ignored, merged or deleted before, or the rules were changed.';

/** Returns the facts of an error with what became of each, newest first. */
export async function historyOf(projectId: number, errorId: string, parts: HistoryParts): Promise<FactHistory[]> {
  const facts = await parts.store.factsOfError(projectId, errorId);
  if (facts.length === 0) return [];
  const conversations = await parts.store.listConversations();
  const histories: FactHistory[] = [];
  for (const fact of facts) histories.push(await factHistory(fact, conversations, parts));
  return histories;
}

async function factHistory(
  fact: AlertFact,
  conversations: readonly Conversation[],
  parts: HistoryParts,
): Promise<FactHistory> {
  const { projectId, seq } = fact;
  const around = await parts.store.deliveriesAround(projectId, seq);
  const recorded = around.filter(({ facts }) => hasPlace(facts, seq)).map(recordedOutcome);
  const open: FactOutcome[] = [];
  for (const row of conversations) {
    const outcome = (await pendingOutcome(row, fact, parts)) ?? (await waitingOutcome(row, fact, parts));
    // The delivery is recorded before the conversation lets go of it.
    if (outcome !== null && !recorded.some(({ messageId }) => messageId === outcome.messageId)) open.push(outcome);
  }
  const outcomes = [...open, ...recorded].sort((a, b) => b.at - a.at);
  const silence = fact.silence ?? (outcomes.length === 0 && seq <= parts.routed ? LEFT_OUT : null);
  return { fact, outcomes, silence: outcomes.length > 0 ? null : silence };
}

function recordedOutcome({ id, destination, name, state, at, attempts, answer }: Delivery): FactOutcome {
  return { destination, name, state, messageId: id, at, attempts, answer };
}

async function pendingOutcome(row: Conversation, { projectId, seq }: AlertFact, parts: HistoryParts) {
  const { destination, pending } = row;
  if (pending === null || !hasPlace(pending.facts, seq)) return null;
  if (!pending.message.parts.some(({ project }) => project.id === projectId)) return null;
  const outcome: FactOutcome = {
    destination,
    name: await nameOf(row, projectId, parts),
    state: 'sending',
    messageId: pending.message.id,
    at: pending.nextAt,
    attempts: pending.attempts,
    answer: pending.lastAnswer,
  };
  return outcome;
}

async function waitingOutcome(row: Conversation, fact: AlertFact, parts: HistoryParts): Promise<FactOutcome | null> {
  const { destination, cursor, firstWaiting } = row;
  const { audience, errors, now, routed } = parts;
  if (firstWaiting === null || fact.seq <= cursor || fact.seq > routed) return null;
  const { to } = await routeFact(fact, audience, errors, now);
  if (!to.has(destination)) return null;
  const at = readyAt({ ...row, pending: null }, now) ?? now;
  const name = await nameOf(row, fact.projectId, parts);
  return { destination, name, state: 'waiting', messageId: null, at, attempts: 0, answer: null };
}

async function nameOf({ destination }: Conversation, projectId: number, { audience }: HistoryParts): Promise<string> {
  const id = idOf(destination);
  if (!isChannel(destination)) return (await audience.person(id))?.user.name ?? destination;
  const project = await audience.project(projectId);
  return project?.channels.find((channel) => channel.id === id)?.name ?? destination;
}
