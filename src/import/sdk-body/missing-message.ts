import { isRecord } from '../../lib/own-property.ts';
import { filledText, listOf } from '../../thirdparty/map/values.ts';
import type { RemoteEvent } from '../tracker-reader.ts';

/** Members that are, or stand for, the message of an event. */
const MESSAGES = ['logentry', 'message', 'csp', 'hpkp', 'expectct', 'expectstaple'] as const;

const isTyped = (exception: unknown): boolean => isRecord(exception) && filledText(exception.type) !== null;

/**
 * Returns true for an event that needs a message to be told from others and has none. GlitchTip leaves messages out of
 * the stored form. Exceptions without a type only carry the stack of a message.
 */
export function lacksMessage({ body }: RemoteEvent): boolean {
  const { exception } = body;
  const exceptions = listOf(isRecord(exception) ? exception.values : exception);
  return MESSAGES.every((name) => body[name] === undefined) && !exceptions.some(isTyped);
}

/** Adds the message of the same event in another shape to all forms of an event. */
export function withMessageOf(event: RemoteEvent, { body }: RemoteEvent): RemoteEvent {
  const message = Object.fromEntries(
    Object.entries(body).filter(([name]) => name === 'logentry' || name === 'message'),
  );
  return {
    ...event,
    body: { ...event.body, ...message },
    variants: event.variants.map((variant) => ({ ...variant, ...message })),
  };
}
