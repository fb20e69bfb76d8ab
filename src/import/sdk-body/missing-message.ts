import type { RemoteEvent } from '../tracker-reader.ts';

/** Members without which an event needs a message to be told from others. */
const TOLD_BY = ['exception', 'logentry', 'message', 'csp', 'hpkp', 'expectct', 'expectstaple'] as const;

/** Returns true for an event without exception and message: GlitchTip leaves messages out of the stored form. */
export function lacksMessage({ body }: RemoteEvent): boolean {
  return TOLD_BY.every((name) => body[name] === undefined);
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
