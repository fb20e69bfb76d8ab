import type { NormalisedEvent } from '../../../../domain/event.ts';
import { part, TAGS } from './component.ts';
import { parameterise } from './parameterise.ts';
import { inNewestWording } from './ruby-wording.ts';

/** The component of an event's message: its template where the SDK sent one, else the text; empty without either. */
export function messageComponent(event: NormalisedEvent): string {
  const template = event.logentry?.message;
  const text = template && !isBare(template) ? template : event.message || template;
  if (!text) return '';
  const message = parameterise(event.platform === 'ruby' ? inNewestWording(text) : text);
  return message === '' ? '' : part(TAGS.message, message);
}

/** What a template holds for values, and words that say only what kind of line it is. */
const PLACES =
  /%(?:\(\w{1,64}\))?[-+ #0]{0,5}\d{0,3}(?:\.\d{1,3})?[a-zA-Z]|\{[^{}\n]{0,64}\}|\b(?:error|err|exception|warning|message|msg)\b/gi;

/** A template such as `%s` or `Error: {}` says nothing: what was said is in its values. */
function isBare(template: string): boolean {
  return template.length <= 64 && !/\p{L}/u.test(template.replace(PLACES, ''));
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
