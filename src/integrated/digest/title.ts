import type { EventException, NormalisedEvent } from '../../domain/events/event.ts';
import { cutText, firstLine } from '../../lib/text/clean-text.ts';
import { newestFrame, shownException, shownFrames } from './shown-stack.ts';

const MAX_TYPE = 128;
/** Maximum characters of the value or message in a title; the whole text is stored beside it. */
const MAX_TITLE_TEXT = 100;
const MAX_MESSAGE = 1024;

const UNKNOWN = '<unknown>';
const UNLABELED = '<unlabeled event>';
const NAMELESS = new Set(['?', '<anonymous>', '<lambda>', '{closure}']);

/**
 * Returns the title, one line: `Type: first line of the value`, or the first line of the message. An exception without a
 * type, or with one that the SDK invented, is titled by the message, else by its value, else by its function.
 */
export function titleOf(event: NormalisedEvent): string {
  const exception = shownException(event);
  if (exception === null) {
    return titleText(event.message) ?? UNLABELED;
  }
  const type = typeOfException(exception);
  const value = titleText(exception.value);
  if (type !== null && exception.type) {
    return value === null ? type : `${type}: ${value}`;
  }
  return titleText(event.message) ?? value ?? crashFunction(event) ?? (type || UNKNOWN);
}

/** Returns the shown exception's type; null for messages and synthetic exceptions. */
export function typeOf(event: NormalisedEvent): string | null {
  const exception = shownException(event);
  return exception === null ? null : typeOfException(exception);
}

/** Returns the shown exception's value, else the message; for synthetic exceptions the other way round. */
export function messageOf(event: NormalisedEvent): string | null {
  const exception = shownException(event);
  const value = exception?.value ?? null;
  const text = exception?.mechanism?.synthetic === true ? (event.message ?? value) : (value ?? event.message);
  return text === null ? null : cutText(text, MAX_MESSAGE);
}

function typeOfException(exception: EventException): string | null {
  return exception.mechanism?.synthetic === true ? null : cutText(exception.type ?? 'Error', MAX_TYPE);
}

function titleText(text: string | null): string | null {
  const line = text === null ? '' : firstLine(text);
  return line === '' ? null : cutText(line, MAX_TITLE_TEXT);
}

function crashFunction(event: NormalisedEvent): string | null {
  const frame = newestFrame(shownFrames(event), ({ function: name }) => name !== null && !NAMELESS.has(name));
  return frame?.function ?? null;
}
