import { isObject } from './read/lenient-json.ts';
import type { HeaderParts } from './journal-record.ts';

/** Maximum characters of each text that is taken from a header; the digest cuts further. */
const MAX_TEXT = 1000;

/**
 * Returns what the header of an envelope says about an event whose own members may lack it; undefined: nothing. Release,
 * environment and user of the trace are not taken: they are those of the program that began it.
 */
export function headerPartsOf(header: Readonly<Record<string, unknown>>, body: Buffer): HeaderParts | undefined {
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
  return typeof value === 'string' && value !== '' ? value.slice(0, MAX_TEXT) : null;
}
