import type { NormalisedEvent } from '../../../../domain/event.ts';
import { part, TAGS } from './component.ts';
import { parameterise } from './parameterise.ts';
import { inNewestWording } from './ruby-wording.ts';

/** Returns the component of an event's message: its template where sent, else the text; empty without either. */
export function messageComponent(event: NormalisedEvent): string {
  const template = event.logentry?.message;
  const text = template && !isBare(template) ? template : event.message || template;
  if (!text) return '';
  const message = parameterise(event.platform === 'ruby' ? inNewestWording(text) : text);
  return message === '' ? '' : part(TAGS.message, message);
}

/** Placeholders of a template, and words that name only the kind of line. */
const PLACES =
  /%(?:\(\w{1,64}\))?[-+ #0]{0,5}\d{0,3}(?:\.\d{1,3})?[a-zA-Z]|\{[^{}\n]{0,64}\}|\b(?:error|err|exception|warning|message|msg)\b/gi;

/** Returns true for a template such as `%s` or `Error: {}`: all content is in its values. */
function isBare(template: string): boolean {
  return template.length <= 64 && !/\p{L}/u.test(template.replace(PLACES, ''));
}

/**
 * Returns true for a message that newer JavaScript SDKs send as an exception without a type, to add a stack. Older SDKs
 * sent it without the stack, and its title is the message.
 */
export function isMessageEvent(event: NormalisedEvent): boolean {
  const [only] = event.exceptions;
  if (only === undefined) return true;
  return event.exceptions.length === 1 && !only.type && messageComponent(event) !== '';
}
