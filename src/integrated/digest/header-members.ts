import type { NormalisedEvent } from '../../domain/events/event.ts';
import { TRANSACTION_OF_TRACE } from '../../domain/events/trace-transaction.ts';
import { isRecord } from '../../lib/own-property.ts';
import type { HeaderParts } from '../intake/journal-record.ts';
import { lenientText } from './normalise/bounds/lenient-text.ts';
import { MAX_NOTES, TEXT } from './normalise/bounds/limits.ts';
import { Notes } from './normalise/bounds/notes.ts';

/** Form of a trace id. */
const TRACE_ID = /^[0-9a-f]{32}$/i;

/**
 * Adds members that only the envelope's header has: transaction, trace id and SDK. Runs after grouping, so that the key
 * is that of the event as it was sent.
 */
export function addHeaderMembers(event: NormalisedEvent, header: HeaderParts): void {
  const notes = new Notes();
  const transaction = lenientText(header.transaction, TEXT.transaction, notes, 'transaction');
  if (event.transaction === null && transaction !== null) {
    event.transaction = transaction;
    if (event.notes.length <= MAX_NOTES) event.notes.push(...notes.list);
    // Never left out: whether the transaction is part of the key depends on it.
    event.notes.push(TRANSACTION_OF_TRACE);
  }
  const { traceId } = header;
  if (traceId !== null && TRACE_ID.test(traceId) && !isRecord(event.contexts.trace)) {
    event.contexts.trace = { trace_id: traceId.toLowerCase() };
  }
  const name = lenientText(header.sdkName, TEXT.sdk, notes, 'sdk.name');
  const version = lenientText(header.sdkVersion, TEXT.sdk, notes, 'sdk.version');
  if (event.sdk === null && (name !== null || version !== null)) event.sdk = { name, version };
}
