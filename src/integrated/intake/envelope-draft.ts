import type { IntakeOutcome } from '../../domain/ingest/digest.ts';
import { countClientReport } from './client-report.ts';
import type { EnvelopeHead, EnvelopeItem, EnvelopeItems } from './read/envelope.ts';
import { newEventId, normaliseEventId } from './read/event-id.ts';
import { categoryOf, mayBeUnsupported, quantityOf, unsupportedCategory } from './read/item-category.ts';
import { draftOfItem, isKept } from './item-draft.ts';
import type { HeaderParts } from './journal-record.ts';
import { isObject, objectSlice } from './read/lenient-json.ts';
import type { LimitedKind } from './limits/limit-rules.ts';
import type { LimitHit } from './limits/rate-limits.ts';
import { OutcomeTally } from './outcome-tally.ts';
import { readEvent } from './read/read-event.ts';
import type { Admit, EventDraft, ItemDraft, RequestDraft } from './request-draft.ts';
import { eventTooLarge } from './store-body.ts';

/** Maximum characters of each text that is taken from a header; the digest cuts further. */
const MAX_HEADER_TEXT = 1000;

/**
 * Sorts the items of an envelope: events, sessions and reports to keep, everything else as outcomes. The first event
 * takes the id of the envelope's header, further ones their own. Counts an event that is no JSON object as invalid and
 * keeps the others. Where the id is known, the digest checks that instead. Drops limited items unread and keeps the
 * rest.
 *
 * Throws `ingest_too_large` when an event exceeds `maxEventBytes` (every item is in its `items` then).
 */
export function draftOfEnvelope(
  envelope: EnvelopeHead['header'],
  { items, problem }: EnvelopeItems,
  maxEventBytes: number,
  admit: Admit,
): RequestDraft {
  if (items.some(({ type, payload }) => type === 'event' && payload.length > maxEventBytes)) {
    throw eventTooLarge(maxEventBytes, refused(items));
  }
  const tally = new OutcomeTally();
  const events: EventDraft[] = [];
  const kept: ItemDraft[] = [];
  const limits = new Map<LimitedKind, LimitHit>();
  const envelopeId = normaliseEventId(envelope['event_id']);
  let headerId = envelopeId;
  for (const { type, header, payload } of items) {
    const kind = KIND_OF_TYPE.get(type);
    const limit = kind === undefined ? null : (limits.get(kind) ?? admit(kind));
    if (kind !== undefined && limit !== null) {
      limits.set(kind, limit);
      tally.add(categoryOf(type), 'rate_limited', limit.reason);
    } else if (type === 'event') {
      const event = draftOfEvent(payload, headerId);
      headerId = null;
      if (event !== null && 'unsupported' in event) {
        tally.add(event.unsupported, 'filtered', 'unsupported_item');
      } else if (event === null) {
        tally.add('error', 'invalid', 'invalid_json');
      } else {
        events.push(withHeader(event, headerPartsOf(envelope, payload)));
      }
    } else if (type === 'client_report') {
      countClientReport(payload, tally);
    } else if (isKept(type)) {
      const draft = draftOfItem(type, { payload }, envelopeId, maxEventBytes, tally);
      if (draft !== null) {
        kept.push(draft);
      }
    } else {
      tally.add(categoryOf(type), 'filtered', 'unsupported_item', quantityOf(header));
    }
  }
  if (problem !== null) {
    tally.add('default', 'invalid', problem);
  }
  return {
    events,
    items: kept,
    outcomes: tally.list(),
    limits: [...limits.values()],
    sentAt: instantOf(envelope['sent_at']),
  };
}

function withHeader(event: EventDraft, header: HeaderParts | undefined): EventDraft {
  return header === undefined ? event : { ...event, header };
}

const KIND_OF_TYPE: ReadonlyMap<string, LimitedKind> = new Map([
  ['event', 'events'],
  ['user_report', 'events'],
  ['feedback', 'events'],
  ['session', 'sessions'],
  ['sessions', 'sessions'],
]);

/** Items of an envelope that is refused as a whole because one event is too large. */
function refused(items: readonly EnvelopeItem[]): readonly IntakeOutcome[] {
  const tally = new OutcomeTally();
  for (const { type, header } of items) {
    tally.add(categoryOf(type), 'invalid', 'too_large', quantityOf(header));
  }
  return tally.list();
}

/**
 * Reads the payload only where it must give the id, or may be something else than an event. `unsupported` is the
 * category of the latter; it gets no id.
 */
function draftOfEvent(payload: Buffer, headerId: string | null): EventDraft | { readonly unsupported: string } | null {
  const slice = objectSlice(payload);
  if (slice === null) {
    return null;
  }
  if (headerId !== null && !mayBeUnsupported(slice)) {
    return { id: headerId, body: slice };
  }
  const event = readEvent(slice);
  const unsupported = unsupportedCategory(event?.type);
  if (unsupported !== null) {
    return { unsupported };
  }
  if (headerId !== null) {
    return { id: headerId, body: slice };
  }
  return event === null ? null : { id: normaliseEventId(event.eventId) ?? newEventId(), body: event.bytes };
}

function instantOf(value: unknown): number | null {
  const instant = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isFinite(instant) ? instant : null;
}

/**
 * Returns what the header of an envelope says about an event whose own members may lack it; undefined: nothing. Release,
 * environment and user of the trace are not taken: they are those of the program that began it.
 */
function headerPartsOf(header: Readonly<Record<string, unknown>>, body: Buffer): HeaderParts | undefined {
  const trace = isObject(header['trace']) ? header['trace'] : {};
  const sdk = isObject(header['sdk']) && !body.includes('"sdk"') ? header['sdk'] : {};
  const parts: HeaderParts = {
    transaction: textOf(trace['transaction']),
    traceId: body.includes('"trace_id"') ? null : textOf(trace['trace_id']),
    sdkName: textOf(sdk['name']),
    sdkVersion: textOf(sdk['version']),
  };
  return Object.values(parts).every((part) => part === null) ? undefined : parts;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value.slice(0, MAX_HEADER_TEXT) : null;
}
