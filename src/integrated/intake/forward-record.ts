import type { IngestGrant, IngestRequest } from '../../domain/ports/intake.ts';
import { FORWARDED_HEADER } from '../../domain/ingest/forward.ts';
import type { EnvelopeItem } from './read/envelope.ts';
import type { ForwardedRequest, JournalRecord } from './journal-record.ts';
import type { ReadEvent } from './read/read-event.ts';
import type { RequestDraft } from './request-draft.ts';

/** Maximum characters of a header that goes along; longer ones are cut, since real ones are far shorter. */
const MAX_HEADER = 1000;

/** Types of `store` bodies with an item type of their own; all others are events. */
const FORMS: ReadonlySet<unknown> = new Set(['transaction', 'feedback']);

/**
 * Builds the record of an envelope that is forwarded with all of its items: also those that limits drop or that are not
 * stored. The body stays as it came: what is compressed takes less of the disk, and the worker inflates it, not the
 * request of an SDK. Null after the end of the forward.
 */
export function forwardOfEnvelope(
  request: IngestRequest,
  grant: IngestGrant,
  now: number,
  wire: Uint8Array,
  items: readonly EnvelopeItem[],
  draft: RequestDraft,
): JournalRecord | null {
  const hasEvent = items.some(({ type }) => type === 'event');
  const encoding = request.contentEncoding ?? null;
  return recordOf(request, grant, now, wire, draft, { form: 'envelope', encoding, hasEvent });
}

/** Builds the record of a `store` request, whose event is sent on in an envelope. Null after the end of the forward. */
export function forwardOfStore(
  request: IngestRequest,
  grant: IngestGrant,
  now: number,
  event: ReadEvent,
  draft: RequestDraft,
): JournalRecord | null {
  const form = FORMS.has(event.type) ? (event.type as 'transaction' | 'feedback') : 'event';
  return recordOf(request, grant, now, event.bytes, draft, { form, encoding: null, hasEvent: form === 'event' });
}

function recordOf(
  { clientIp, client, headers = {} }: IngestRequest,
  { projectId, keyId, forwardUntil = 0 }: IngestGrant,
  receivedAt: number,
  body: Uint8Array,
  { events, sentAt }: RequestDraft,
  forward: Pick<ForwardedRequest, 'form' | 'encoding' | 'hasEvent'>,
): JournalRecord | null {
  if (receivedAt >= forwardUntil) return null;
  const via = textOf(headers[FORWARDED_HEADER.toLowerCase()]);
  const userAgent = textOf(headers['user-agent']);
  const eventId = events[0]?.id ?? null;
  const outcomes: JournalRecord['outcomes'] = [];
  return {
    ...{ projectId, keyId, receivedAt, eventId, sentAt, clientIp, client, outcomes },
    forward: { ...forward, via, userAgent },
    body,
  };
}

function textOf(value: string | string[] | undefined): string | null {
  const text = Array.isArray(value) ? value.join(', ') : value;
  return text === undefined || text === '' ? null : text.slice(0, MAX_HEADER);
}
