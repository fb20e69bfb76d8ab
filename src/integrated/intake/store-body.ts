import { AppError } from '../../domain/app-error.ts';
import type { IntakeOutcome } from '../../domain/digest.ts';
import { inflateDeflate } from './inflate.ts';
import { type JsonObject, objectSlice, parseJsonObject } from './lenient-json.ts';

const FORM_FIELD = 'sentry_data=';
const BASE64 = /^[A-Za-z0-9+/_\-\s]+={0,2}\s*$/;
/** How every transport form begins: also of blanks and of the form's field. A look at this is cheap, however long the body is. */
const FIRST_BYTES = 64;
const TRANSPORT_START = /^(?:\xef\xbb\xbf)?(?:sentry_data=|[A-Za-z0-9+/_\-\s]+={0,2}\s*$)/;
/** Escaped in a form, a body takes up to three times its bytes, and its base64 four thirds of them before that. */
const TRANSPORT_GROWTH = 4;

/**
 * The event in a `store` body: JSON, base64 of JSON, or base64 of zlib of JSON, plain or in the form
 * field `sentry_data`, whatever the content type says.
 *
 * Throws `ingest_invalid` when it is no JSON object, `ingest_too_large` when it inflates beyond `maxEventBytes`.
 */
export async function decodeStoreBody(body: Buffer, maxEventBytes: number): Promise<JsonObject> {
  const json = objectSlice(body) ?? (await undoTransport(body, maxEventBytes));
  if (json !== null && json.length > maxEventBytes) {
    throw eventTooLarge(maxEventBytes);
  }
  const event = json === null ? null : parseJsonObject(json);
  if (event === null) {
    throw new AppError('ingest_invalid', 'The body is not an event: it must be one JSON object.', {
      details: { outcome: 'invalid_json' },
    });
  }
  return event;
}

/** The refusal of an event of more than `maxEventBytes`; `items`: what is refused with it, where that is known. */
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

/** Any word reads as base64: only what has the header of zlib is taken for a compressed body that is broken. */
async function inflateTransport(decoded: Buffer, maxEventBytes: number): Promise<Buffer> {
  try {
    return await inflateDeflate(decoded, maxEventBytes);
  } catch (error) {
    if (hasZlibHeader(decoded) || !(error instanceof AppError) || error.code !== 'ingest_invalid') throw error;
    return Buffer.alloc(0);
  }
}

/** RFC 1950, 2.2: method 8 with a window of up to 32 KB, and a checksum of both bytes. */
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
  // A plus sign of base64 that the sender did not escape reads as a blank in a form.
  return value.trimStart().startsWith('{') ? value : value.replaceAll(' ', '+');
}
