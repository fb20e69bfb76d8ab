import type { NormalisedEvent } from './event.ts';

/** Note of an event whose transaction is the one that began its trace, as the header of the envelope named it. */
export const TRANSACTION_OF_TRACE = 'transaction: taken from the trace header';

/** Returns the event without a transaction that its trace header gave, as it was grouped. */
export function withoutTransactionOfTrace(event: NormalisedEvent): NormalisedEvent {
  return event.notes.includes(TRANSACTION_OF_TRACE) ? { ...event, transaction: null } : event;
}

/**
 * Returns whether such a transaction, sent as a member of the event, would change the key of the event. Members are
 * absent in damaged events.
 */
export function keyDependsOnTrace({
  notes = [],
  fingerprint = [],
}: Partial<Pick<NormalisedEvent, 'notes' | 'fingerprint'>>): boolean {
  return notes.includes(TRANSACTION_OF_TRACE) && fingerprint.some((part) => /\{\{.*transaction/i.test(part));
}
