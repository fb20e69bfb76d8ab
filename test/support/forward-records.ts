import type { ForwardedRequest, JournalRecord } from '../../src/integrated/intake/journal-record.ts';
import { eventId, record } from './journal-world.ts';

/** Record of a request to be forwarded: an envelope with one event, unless `body` says otherwise. */
export function forwardRecord(
  i: number,
  over: Partial<JournalRecord> = {},
  forward: Partial<ForwardedRequest> = {},
): JournalRecord {
  const body = Buffer.from(`{"event_id":"${eventId(i)}"}\n{"type":"event"}\n{"message":"${i}"}\n`);
  return record(i, {
    body,
    ...over,
    forward: { form: 'envelope', encoding: null, via: null, userAgent: 'sdk/1', hasEvent: true, ...forward },
  });
}
