import { AppError } from '../../../domain/app-error.ts';
import { isObject } from './lenient-json.ts';

/**
 * Maximum bytes of a header line, of the envelope or of an item. Real ones stay below 2 KiB. A longer header counts as
 * malformed.
 */
const MAX_HEADER_BYTES = 64 * 1024;

/** Maximum number of items. An envelope with more is refused as a whole, and each of its items is counted. */
export const MAX_ITEMS = 1000;

const NEWLINE = 0x0a;
const RETURN = 0x0d;

export interface EnvelopeItem {
  readonly type: string;
  readonly header: Readonly<Record<string, unknown>>;
  /** A view of the envelope's buffer, not a copy. */
  readonly payload: Buffer;
}

/** Reason why the end of an envelope is unusable although the part before it was read. */
type MalformedEnd = 'malformed_envelope' | 'truncated_envelope';

export type EnvelopeProblem = MalformedEnd | 'too_many_items';

export interface EnvelopeItems {
  readonly items: readonly EnvelopeItem[];
  readonly problem: EnvelopeProblem | null;
}

/** Header of the envelope, and where its items begin. */
export interface EnvelopeHead {
  readonly header: Readonly<Record<string, unknown>>;
  readonly itemsAt: number;
}

/** Reads the first line. Returns null when it is no JSON object; `{}` is one. */
export function readEnvelopeHead(body: Buffer): EnvelopeHead | null {
  const start = skipBlankLines(body, body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? 3 : 0);
  const end = lineEnd(body, start);
  const header = readHeader(body, start, end);
  return header === null ? null : { header, itemsAt: end + 1 };
}

/**
 * Reads up to `MAX_ITEMS` items; `too_many_items` says that more follow.
 *
 * Throws `ingest_invalid` when there is something after the head and nothing of it is usable.
 */
export function readEnvelopeItems(body: Buffer, itemsAt: number): EnvelopeItems {
  const items: EnvelopeItem[] = [];
  const reading = walkItems(body, itemsAt);
  let step = reading.next();
  while (step.done !== true && items.length < MAX_ITEMS) {
    items.push(step.value);
    step = reading.next();
  }
  const problem = step.done === true ? step.value : 'too_many_items';
  if (problem !== null && items.length === 0) {
    throw new AppError('ingest_invalid', EXPLANATIONS[problem], { details: { outcome: problem } });
  }
  return { items, problem };
}

/**
 * Yields the items one by one, and returns the reason why the rest is unusable. `length` and the last newline are
 * optional, `\r` is trimmed from header lines. Blank lines are skipped where a header is due; unknown items are read by
 * the same rules. Reading ends at the first malformed part, because the start of the next item is unknown.
 */
export function* walkItems(body: Buffer, itemsAt: number): Generator<EnvelopeItem, MalformedEnd | null, undefined> {
  let at = skipBlankLines(body, itemsAt);
  while (at < body.length) {
    const headerEnd = lineEnd(body, at);
    const header = readHeader(body, at, headerEnd);
    const type = header?.['type'];
    const length = header === null ? null : payloadLength(header['length']);
    if (header === null || typeof type !== 'string' || length === null) {
      return 'malformed_envelope';
    }
    const payloadAt = Math.min(headerEnd + 1, body.length);
    const payloadEnd = length === undefined ? lineEnd(body, payloadAt) : payloadAt + length;
    if (payloadEnd > body.length) {
      return 'truncated_envelope';
    }
    const next = afterPayload(body, payloadEnd);
    if (next === null) {
      return 'malformed_envelope';
    }
    yield { type, header, payload: body.subarray(payloadAt, payloadEnd) };
    at = skipBlankLines(body, next);
  }
  return null;
}

export const EXPLANATIONS = {
  malformed_envelope:
    'The envelope is malformed: each item is a line with a JSON object that has a "type", a newline, the payload, a newline.',
  truncated_envelope: 'The envelope ends before an item does: check the "length" of its header.',
  too_many_items: `The envelope has more than ${MAX_ITEMS} items: send fewer in each.`,
} as const;

/** Returns undefined when no length is given: the payload ends with its line. Null: invalid. */
function payloadLength(value: unknown): number | undefined | null {
  if (value === undefined || value === null) {
    return undefined;
  }
  const length = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof length === 'number' && Number.isSafeInteger(length) && length >= 0 ? length : null;
}

function readHeader(body: Buffer, start: number, end: number): Record<string, unknown> | null {
  if (end - start > MAX_HEADER_BYTES || body[start] !== 0x7b) {
    return null;
  }
  try {
    // JSON.parse takes the `\r` before the newline for a blank.
    const value: unknown = JSON.parse(body.toString('utf8', start, end));
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** Position of the newline that ends the line, or of the end of the body. */
function lineEnd(body: Buffer, start: number): number {
  const end = body.indexOf(NEWLINE, start);
  return end === -1 ? body.length : end;
}

/** Position of the next header; null when something else than a newline follows the payload. */
function afterPayload(body: Buffer, end: number): number | null {
  if (end === body.length || body[end] === NEWLINE) {
    return end + 1;
  }
  return body[end] === RETURN && (end + 1 === body.length || body[end + 1] === NEWLINE) ? end + 2 : null;
}

function skipBlankLines(body: Buffer, start: number): number {
  let at = start;
  while (body[at] === NEWLINE || body[at] === RETURN || body[at] === 0x20 || body[at] === 0x09) {
    at += 1;
  }
  return at;
}
