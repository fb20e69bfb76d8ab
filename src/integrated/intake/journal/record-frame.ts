import { crc32 } from 'node:zlib';
import { OUTCOMES, type IntakeOutcome } from '../../../domain/ingest/digest.ts';
import {
  FORWARD_FORMS,
  KEPT_ITEMS,
  type ForwardedRequest,
  type HeaderParts,
  type JournalRecord,
  type KeptItem,
} from '../journal-record.ts';

/** `u32 marker | u32 payload length | u32 CRC-32 of the payload`, little-endian. */
export const FRAME_HEADER_BYTES = 12;

/** Maximum length of a payload; a longer one is damage. Far above any bound of the intake. */
export const MAX_PAYLOAD_BYTES = 512 * 1024 * 1024;

/** The payload begins with the length of its JSON part. */
const META_LENGTH_BYTES = 4;

type Meta = [
  projectId: number,
  keyId: number,
  receivedAt: number,
  eventId: string | null,
  sentAt: number | null,
  clientIp: string | null,
  client: string | null,
  outcomes: readonly (readonly [
    category: string,
    outcome: IntakeOutcome['outcome'],
    reason: string,
    quantity: number,
  ])[],
  /** Absent for events, as older versions wrote and read them. */
  item?: KeptItem | typeof FORWARD | typeof EVENT,
  details?: ForwardDetails | HeaderDetails,
];

type ForwardDetails = readonly [
  form: ForwardedRequest['form'],
  encoding: string | null,
  via: string | null,
  userAgent: string | null,
  hasEvent: boolean,
];

type HeaderDetails = readonly [
  transaction: string | null,
  traceId: string | null,
  sdkName: string | null,
  sdkVersion: string | null,
];

/** Item of a record that holds a request to be forwarded. */
const FORWARD = 'forward';
/** Item of an event with parts of its envelope's header. Earlier versions cannot read it and set it aside. */
const EVENT = 'event';

/**
 * Encodes a whole frame as buffers to write in order, without copying the body. `stampMarker` sets the marker later,
 * when the segment is known.
 */
export function encodeRecord(record: JournalRecord): Buffer[] {
  const meta: Meta = [
    record.projectId,
    record.keyId,
    record.receivedAt,
    record.eventId,
    record.sentAt,
    record.clientIp,
    record.client,
    record.outcomes.map((o) => [o.category, o.outcome, o.reason, o.quantity] as const),
  ];
  if (record.item !== undefined) {
    meta.push(record.item);
  } else if (record.forward !== undefined) {
    const { form, encoding, via, userAgent, hasEvent } = record.forward;
    meta.push(FORWARD, [form, encoding, via, userAgent, hasEvent]);
  } else if (record.header !== undefined) {
    const { transaction, traceId, sdkName, sdkVersion } = record.header;
    meta.push(EVENT, [transaction, traceId, sdkName, sdkVersion]);
  }
  const json = JSON.stringify(meta);
  const metaBytes = Buffer.byteLength(json);
  const head = Buffer.allocUnsafe(FRAME_HEADER_BYTES + META_LENGTH_BYTES + metaBytes);
  head.writeUInt32LE(metaBytes, FRAME_HEADER_BYTES);
  head.write(json, FRAME_HEADER_BYTES + META_LENGTH_BYTES);
  const body = asBuffer(record.body);
  const headChecksum = crc32(head.subarray(FRAME_HEADER_BYTES));
  // Node's crc32 returns 0 for no bytes, not the value to continue from.
  const checksum = body.length === 0 ? headChecksum : crc32(body, headChecksum);
  head.writeUInt32LE(0, 0);
  head.writeUInt32LE(head.length - FRAME_HEADER_BYTES + body.length, 4);
  head.writeUInt32LE(checksum, 8);
  return body.length === 0 ? [head] : [head, body];
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Sets the marker of the segment into the first buffer of an encoded frame. */
export function stampMarker(head: Buffer, marker: number): void {
  head.writeUInt32LE(marker, 0);
}

/** Decodes a payload; the body is a view. Throws when `encodeRecord` did not write it; the message never quotes it. */
export function decodeRecord(payload: Buffer): JournalRecord {
  const metaBytes = payload.length < META_LENGTH_BYTES ? Infinity : payload.readUInt32LE(0);
  const bodyAt = META_LENGTH_BYTES + metaBytes;
  if (bodyAt > payload.length) {
    throw new Error('journal record: its lengths contradict each other');
  }
  const meta = parseMeta(payload.toString('utf8', META_LENGTH_BYTES, bodyAt));
  return {
    projectId: meta[0],
    keyId: meta[1],
    receivedAt: meta[2],
    eventId: meta[3],
    sentAt: meta[4],
    clientIp: meta[5],
    client: meta[6],
    outcomes: meta[7].map(([category, outcome, reason, quantity]) => ({ category, outcome, reason, quantity })),
    ...(meta[8] === undefined ? {} : kindOf(meta[8], meta[9])),
    body: payload.subarray(bodyAt),
  };
}

function kindOf(item: NonNullable<Meta[8]>, details: Meta[9]): Pick<JournalRecord, 'item' | 'forward' | 'header'> {
  if (item === EVENT) {
    const [transaction, traceId, sdkName, sdkVersion] = details as HeaderDetails;
    const header: HeaderParts = { transaction, traceId, sdkName, sdkVersion };
    return { header };
  }
  if (item !== FORWARD) return { item };
  const [form, encoding, via, userAgent, hasEvent] = details as ForwardDetails;
  return { forward: { form, encoding, via, userAgent, hasEvent } };
}

function parseMeta(json: string): Meta {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw new Error('journal record: its description is not JSON');
  }
  if (!isMeta(value)) {
    throw new Error('journal record: its description has another shape, perhaps a newer version wrote it');
  }
  return value;
}

function isMeta(value: unknown): value is Meta {
  if (!Array.isArray(value) || value.length < 8 || value.length > 10) {
    return false;
  }
  const [projectId, keyId, receivedAt, eventId, sentAt, clientIp, client, outcomes, item, details] = value as unknown[];
  return (
    [projectId, keyId, receivedAt].every((n) => typeof n === 'number') &&
    [eventId, clientIp, client].every(isTextOrNull) &&
    (sentAt === null || typeof sentAt === 'number') &&
    isKind(value.length, item, details) &&
    Array.isArray(outcomes) &&
    outcomes.every(isOutcome)
  );
}

function isKind(length: number, item: unknown, details: unknown): boolean {
  if (length === 8) return true;
  if (length === 9) return (KEPT_ITEMS as readonly unknown[]).includes(item);
  if (!Array.isArray(details)) return false;
  if (item === EVENT) return details.length === 4 && details.every(isTextOrNull);
  const [form, encoding, via, userAgent, hasEvent] = details as unknown[];
  return (
    item === FORWARD &&
    (FORWARD_FORMS as readonly unknown[]).includes(form) &&
    [encoding, via, userAgent].every(isTextOrNull) &&
    typeof hasEvent === 'boolean'
  );
}

function isTextOrNull(value: unknown): boolean {
  return value === null || typeof value === 'string';
}

function isOutcome(value: unknown): boolean {
  if (!Array.isArray(value)) {
    return false;
  }
  const [category, outcome, reason, quantity] = value as unknown[];
  return (
    typeof category === 'string' &&
    (OUTCOMES as readonly unknown[]).includes(outcome) &&
    typeof reason === 'string' &&
    typeof quantity === 'number'
  );
}
