import { nullBareNumbers } from '../../../lib/json/json-tolerant.ts';

/** JSON object and its text. The text differs from the input only where that was no JSON. */
export interface JsonObject {
  readonly value: Record<string, unknown>;
  readonly bytes: Buffer;
}

/**
 * Reads a JSON object. Old Python clients write bare `NaN`, `Infinity` and `-Infinity`; they become null in value and
 * bytes. Returns null for anything else than one object.
 */
export function parseJsonObject(bytes: Buffer): JsonObject | null {
  const text = bytes.toString('utf8');
  const value = parse(text);
  if (value !== undefined) {
    return isObject(value) ? { value, bytes } : null;
  }
  const repaired = nullBareNumbers(text);
  const repairedValue = repaired === text ? undefined : parse(repaired);
  return isObject(repairedValue) ? { value: repairedValue, bytes: Buffer.from(repaired) } : null;
}

/** Returns true when a value from `JSON.parse` is an object. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Returns the bytes between the first `{` and the last `}`, where only blanks and a byte order mark stand around them;
 * else null. A cheap test for input that cannot be a JSON object.
 */
export function objectSlice(bytes: Buffer): Buffer | null {
  let start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  let end = bytes.length;
  while (start < end && isBlank(bytes[start])) {
    start += 1;
  }
  while (end > start && isBlank(bytes[end - 1])) {
    end -= 1;
  }
  if (bytes[start] !== 0x7b || bytes[end - 1] !== 0x7d) {
    return null;
  }
  return start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end);
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
