import { suspicionsOf } from '../../../domain/events/suspicious-text.ts';
import type { TrackedEvent } from '../../../domain/events/tracked-event.ts';
import { agentError, readEventId, type AgentError, type Reference } from '../agent-scope.ts';
import type { AgentCall } from '../agent-tool.ts';
import { AgentAnswer } from '../texts/agent-answer.ts';
import { staleFact } from '../texts/stale-fact.ts';

export const event = {
  type: 'string',
  maxLength: 40,
  description: 'Id of an event; default: the latest one, or that of the address',
} as const;

export interface ChosenEvent {
  readonly error: AgentError;
  readonly tracked: TrackedEvent;
  /** Arguments that name it in hints. */
  readonly argument: string;
}

/** Reads the event that a call names, else the latest one. Throws as `agentError` and the backend. */
export async function chosenEvent(
  call: AgentCall,
  given: Reference & { readonly event?: string | undefined },
): Promise<ChosenEvent> {
  const error = await agentError(call, given);
  const { backend, errorId, eventId, argument } = error;
  const { project, signal } = error.call;
  const named = given.event ?? eventId;
  const tracked =
    named === null
      ? await backend.latestEvent(project, errorId, signal)
      : await backend.event(project, errorId, readEventId(named), signal);
  return { error, tracked, argument: `${argument} event="${tracked.event.event_id}"` };
}

/** Begins the answer about an event: its first fact, its age where it is a copy, and its marks. `more`: as of AgentAnswer. */
export function eventAnswer(tracked: TrackedEvent, fact: string, more: string): AgentAnswer {
  const answer = new AgentAnswer(more);
  answer.fact(fact);
  staleFact(answer, tracked);
  answer.suspicious(suspicionsOf(tracked.event));
  return answer;
}
