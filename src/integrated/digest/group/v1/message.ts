import type { NormalisedEvent } from '../../../../domain/events/event.ts';
import { part, TAGS } from './component.ts';
import { parameterise } from './values/parameterise.ts';
import { inNewestWording } from './ruby-wording.ts';

/**
 * Returns the component of an event's message: of a template that says something, else of the text. Empty without
 * either.
 */
export function messageComponent(event: NormalisedEvent): string {
  const template = event.logentry?.message;
  const text = template && !isBare(template) ? template : event.message || template;
  if (!text) return '';
  const message = parameterise(event.platform === 'ruby' ? inNewestWording(text) : text);
  return message === '' ? '' : part(TAGS.message, message);
}

/** Placeholders in a template, and words that name only the kind of line. */
const PLACES =
  /%(?:\(\w{1,64}\))?[-+ #0]{0,5}\d{0,3}(?:\.\d{1,3})?[a-zA-Z]|\{[^{}\n]{0,64}\}|\b(?:error|err|exception|warning|message|msg)\b/gi;

/** Returns true for a template such as `%s` or `Error: {}`, whose whole content is in its values. */
function isBare(template: string): boolean {
  return template.length <= 64 && !/\p{L}/u.test(template.replace(PLACES, ''));
}

/**
 * Returns true for an event without exceptions, and for one whose only exception has no type. Newer JavaScript SDKs
 * send a message so, to add a stack. Older SDKs sent it without the stack, and its title is the message.
 */
export function isMessageEvent(event: NormalisedEvent): boolean {
  const [only] = event.exceptions;
  if (only === undefined) return true;
  return event.exceptions.length === 1 && !only.type && messageComponent(event) !== '';
}
