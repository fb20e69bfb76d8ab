import type { NormalisedEvent } from '../../../../src/domain/events/event.ts';
import type { DigestDeps } from '../../../../src/integrated/digest/digest-deps.ts';
import { createRecordDigester } from '../../../../src/integrated/digest/digest-record.ts';
import { normaliseEvent, type EventOrigin } from '../../../../src/integrated/digest/normalise/normalise-event.ts';
import { scrubbersFor } from '../../../../src/integrated/digest/scrub/scrubbers-for.ts';
import { readEnvelopeHead, readEnvelopeItems } from '../../../../src/integrated/intake/read/envelope.ts';
import type { JournalRecord } from '../../../../src/integrated/intake/journal-record.ts';
import { captures, type Capture } from '../../../support/ingest-captures.ts';

export const RECEIVED_AT = Date.parse('2026-11-20T19:00:00Z');
export const EVENT_ID = '0123456789abcdef0123456789abcdef';
export const NO_RULES = { inAppInclude: [], inAppExclude: [] };

export function normalise(raw: unknown, origin: Partial<EventOrigin> = {}, rules = NO_RULES): NormalisedEvent {
  const whole = { eventId: EVENT_ID, receivedAt: RECEIVED_AT, sentAt: null, clientIp: null, ...origin };
  const result = normaliseEvent(raw, whole, rules);
  if (result.kind !== 'event') {
    throw new Error(`dropped as ${result.reason}`);
  }
  return result.event;
}

export function record(body: string | Uint8Array, members: Partial<JournalRecord> = {}): JournalRecord {
  return {
    projectId: 42,
    keyId: 5,
    receivedAt: RECEIVED_AT,
    eventId: EVENT_ID,
    sentAt: null,
    clientIp: null,
    client: null,
    outcomes: [],
    body: typeof body === 'string' ? Buffer.from(body) : body,
    ...members,
  };
}

export function digester(deps: Partial<DigestDeps> = {}) {
  return createRecordDigester({
    group: () => ({ version: 1, key: 'key' }),
    scrubberFor: scrubbersFor(
      { enabled: true, scrubIps: false, sensitiveFields: [], safeFields: [], projects: {} },
      () => undefined,
    ),
    inApp: NO_RULES,
    userSalt: 'salt',
    projectPath: () => null,
    ...deps,
  });
}

/** The event of a captured request as the journal would hold it; null for requests without one. */
export function captureRecord(name: string): JournalRecord | null {
  const capture = ALL.get(name);
  if (capture === undefined) {
    throw new Error(`no capture ${name}`);
  }
  const members = { clientIp: '203.0.113.9' };
  if (capture.path.includes('/store/')) {
    return record(capture.body, members);
  }
  const head = readEnvelopeHead(capture.body);
  const sentAt = head?.header.sent_at;
  const item = readEnvelopeItems(capture.body, head?.itemsAt ?? 0).items.find(({ type }) => type === 'event');
  return item === undefined
    ? null
    : record(item.payload, { ...members, sentAt: typeof sentAt === 'string' ? Date.parse(sentAt) : null });
}

const ALL = new Map<string, Capture>(captures().map((capture) => [capture.name, capture]));
export const CAPTURE_NAMES: readonly string[] = [...ALL.keys()];
