import type { NormalisedEvent } from '../../../../domain/event.ts';
import { exceptionsComponent } from './exceptions.ts';
import { isMessageEvent, messageComponent } from './message.ts';
import { threadsComponent } from './threads.ts';

/** Of events that say nothing at all: they share one group per project. */
const FALLBACK = 'fallback\0';

/** What groups an event unless its fingerprint says otherwise: exceptions, else a thread, else the message. */
export function defaultComponent(event: NormalisedEvent): string {
  if (!isMessageEvent(event)) {
    const exceptions = exceptionsComponent(event);
    if (exceptions !== '') return exceptions;
  }
  // The stack says where a message was logged, not what was said: one place may log different things.
  return threadsComponent(event) + messageComponent(event) || FALLBACK;
}
