import { AppError } from '../../domain/app-error.ts';
import type { IntakeOutcome } from '../../domain/ingest/digest.ts';
import { inflateDeflate } from './inflate/inflate.ts';
import { objectSlice } from './read/lenient-json.ts';
import { type ReadEvent, readEvent } from './read/read-event.ts';

const FORM_FIELD = 'sentry_data=';
const BASE64 = /^[A-Za-z0-9+/_\-\s]+={0,2}\s*$/;
/**
 * Bytes that are tested for a transport form, so that the test is cheap for any body. Every form begins so, also with
 * blanks or the name of the form field.
 */
const FIRST_BYTES = 64;
const TRANSPORT_START = /^(?:\xef\xbb\xbf)?(?:sentry_data=|[A-Za-z0-9+/_\-\s]+={0,2}\s*$)/;
/** Maximum growth factor of a body in transport: base64 takes four thirds, escaping in a form three times that. */
const TRANSPORT_GROWTH = 4;

/**
 * Decodes the event in a `store` body: JSON, base64 of JSON, or base64 of zlib of JSON. The body is plain or in the
 * form field `sentry_data`, whatever the content type says.
 *
 * Throws `ingest_invalid` when it is no JSON object, `ingest_too_large` when it inflates beyond `maxEventBytes`.
 */
export async function decodeStoreBody(body: Buffer, maxEventBytes: number): Promise<ReadEvent> {
  const json = objectSlice(body) ?? (await undoTransport(body, maxEventBytes));
  if (json !== null && json.length > maxEventBytes) {
    throw eventTooLarge(maxEventBytes);
  }
  const event = json === null ? null : readEvent(json);
  if (event === null) {
    throw new AppError('ingest_invalid', 'The body is not an event: it must be one JSON object.', {
      details: { outcome: 'invalid_json' },
    });
  }
  return event;
}

/** Creates the error for an event of more than `maxEventBytes`. `items`: all items refused with it, where known. */
export function eventTooLarge(maxEventBytes: number, items?: readonly IntakeOutcome[]): AppError {
  return new AppError('ingest_too_large', `The event exceeds ${maxEventBytes} bytes: send less data with it.`, {
    details: items === undefined ? {} : { items },
  });
}

async function undoTransport(body: Buffer, maxEventBytes: number): Promise<Buffer | null> {
  if (!TRANSPORT_START.test(body.toString('latin1', 0, FIRST_BYTES))) {
    return null;
  }
  if (body.length > TRANSPORT_GROWTH * maxEventBytes) {
    throw eventTooLarge(maxEventBytes);
  }
  const text = formValue(body);
  const plain = objectSlice(Buffer.from(text));
  if (plain !== null) {
    return plain;
  }
  if (!BASE64.test(text)) {
    return null;
  }
  const decoded = Buffer.from(text, 'base64');
  return objectSlice(decoded) ?? objectSlice(await inflateTransport(decoded, maxEventBytes));
}

/**
 * Inflates a decoded body. Any word is valid base64, so only a body with a zlib header can be a corrupt compressed one.
 */
async function inflateTransport(decoded: Buffer, maxEventBytes: number): Promise<Buffer> {
  try {
    return await inflateDeflate(decoded, maxEventBytes);
  } catch (error) {
    if (hasZlibHeader(decoded) || !(error instanceof AppError) || error.code !== 'ingest_invalid') throw error;
    return Buffer.alloc(0);
  }
}

/** Checks the zlib header (RFC 1950, 2.2): method 8, a window of up to 32 KB, and a checksum of both bytes. */
function hasZlibHeader(bytes: Buffer): boolean {
  const [method = 0, flags = 0] = bytes;
  return (method & 0x0f) === 8 && method >> 4 <= 7 && ((method << 8) | flags) % 31 === 0;
}

function formValue(body: Buffer): string {
  const text = body.toString('latin1');
  if (!text.startsWith(FORM_FIELD)) {
    return text;
  }
  const value = new URLSearchParams(text).get('sentry_data') ?? '';
  // An unescaped plus sign of base64 is decoded as a blank in a form.
  return value.trimStart().startsWith('{') ? value : value.replaceAll(' ', '+');
}
