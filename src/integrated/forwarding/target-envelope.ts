import type { TargetDsn } from '../../domain/projects/dsn.ts';
import { type EnvelopeItem, readEnvelopeHead, walkItems } from '../intake/read/envelope.ts';
import { normaliseEventId } from '../intake/read/event-id.ts';
import { inflate } from '../intake/inflate/inflate.ts';
import { categoryOf } from '../intake/read/item-category.ts';
import type { JournalRecord } from '../intake/journal-record.ts';

/** Envelope for a target, before it is compressed. */
export interface TargetEnvelope {
  readonly body: Buffer;
  /** Id of its event, which the target then has; null: it holds none. */
  readonly eventId: string | null;
  /** Items that were left out, by category. */
  readonly leftOut: readonly string[];
}

/** Reason for not sending an envelope: it cannot be read, or nothing is left of it. */
export type NoEnvelope = 'unreadable' | 'nothing_left';

const NEWLINE = Buffer.from('\n');

/**
 * Rewrites the first line for the target: `dsn` and the public key of its trace. Adds the event id that the answer to
 * the SDK named where the line has none, so that both trackers know the event by one id. Items stay as they are; those
 * of a category that `isPaused` names are left out.
 */
export async function targetEnvelope(
  record: JournalRecord,
  dsn: TargetDsn,
  isPaused: (category: string) => boolean,
  maxBytes: number,
): Promise<TargetEnvelope | NoEnvelope> {
  const envelope = await envelopeOf(record, maxBytes);
  const head = envelope === null ? null : readEnvelopeHead(envelope);
  if (envelope === null || head === null) return 'unreadable';
  const items = [...walkItems(envelope, head.itemsAt)];
  const hasEvent = items.some(({ type }) => type === 'event');
  const eventId = normaliseEventId(head.header['event_id']) ?? record.eventId;
  const line = Buffer.from(JSON.stringify(headerFor(head.header, dsn, hasEvent ? eventId : null)));
  const left = items.filter(({ type }) => !isPaused(categoryOf(type)));
  if (items.length > 0 && left.length === 0) return 'nothing_left';
  const leftOut = items.filter((item) => !left.includes(item)).map(({ type }) => categoryOf(type));
  const rest =
    leftOut.length === 0
      ? [NEWLINE, envelope.subarray(head.itemsAt)]
      : spansOf(envelope, head.itemsAt, items)
          .filter((_, index) => left.includes(items[index] as EnvelopeItem))
          .flatMap((span) => [NEWLINE, span]);
  return { body: Buffer.concat([line, ...rest]), eventId: hasEvent ? eventId : null, leftOut };
}

/** Inflates the request, and wraps the event of a `store` request. Null when it cannot be read. */
async function envelopeOf({ forward, body, eventId }: JournalRecord, maxBytes: number): Promise<Buffer | null> {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (forward === undefined) return null;
  if (forward.form === 'envelope') {
    return inflate(bytes, forward.encoding ?? undefined, maxBytes).catch(() => null);
  }
  const header = JSON.stringify(eventId === null ? {} : { event_id: eventId });
  const item = JSON.stringify({ type: forward.form, length: bytes.length });
  return Buffer.concat([Buffer.from(`${header}\n${item}\n`), bytes, NEWLINE]);
}

/** `eventId` null: the envelope holds no event, its header stays without an id. */
function headerFor(
  header: Readonly<Record<string, unknown>>,
  { base, publicKey, projectId }: TargetDsn,
  eventId: string | null,
): object {
  const { trace } = header;
  const changed: Record<string, unknown> = { ...header };
  if ('dsn' in header) changed['dsn'] = `${base.replace('://', `://${publicKey}@`)}/${projectId}`;
  if (typeof trace === 'object' && trace !== null && 'public_key' in trace) {
    changed['trace'] = { ...trace, public_key: publicKey };
  }
  if (eventId !== null && normaliseEventId(header['event_id']) === null) changed['event_id'] = eventId;
  return changed;
}

/** Returns the bytes of each item, header included, without the newlines around it. */
function spansOf(envelope: Buffer, itemsAt: number, items: readonly EnvelopeItem[]): Buffer[] {
  let from = itemsAt;
  return items.map(({ payload }) => {
    const end = payload.byteOffset - envelope.byteOffset + payload.length;
    while (envelope[from] === 0x0a || envelope[from] === 0x0d) from += 1;
    const span = envelope.subarray(from, end);
    from = end;
    return span;
  });
}
