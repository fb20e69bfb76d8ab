import type { NormalisedEvent } from '../../../../domain/event.ts';
import { part, TAGS } from './component.ts';
import { parameterise } from './parameterise.ts';

/** The component of an event's message: its template where the SDK sent one, else the text; empty without either. */
export function messageComponent(event: NormalisedEvent): string {
  const text = event.logentry?.message || event.message;
  if (!text) return '';
  const message = parameterise(text);
  return message === '' ? '' : part(TAGS.message, message);
}

/**
 * Newer SDKs of JavaScript send a message as an exception without a type, only to add a stack. Such an
 * event stays a message: older SDKs sent it without the stack, and its title is the message.
 */
export function isMessageEvent(event: NormalisedEvent): boolean {
  const [only] = event.exceptions;
  if (only === undefined) return true;
  return event.exceptions.length === 1 && !only.type && messageComponent(event) !== '';
}
