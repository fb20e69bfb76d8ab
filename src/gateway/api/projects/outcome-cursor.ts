import { AppError } from '../../../domain/app-error.ts';
import { decodeCursorText, encodeCursorText } from '../../../lib/cursor-text.ts';
import type { OutcomePlace } from './outcome-sums.ts';

/** End of a page, and the span of its list: later pages use the same span although time passes. */
export interface OutcomeCursor {
  readonly since: number;
  readonly until: number;
  readonly place: OutcomePlace;
}

/** Encodes a cursor. `query`: all parameters of the list except its span, as one text. */
export function encodeOutcomeCursor({ since, until, place }: OutcomeCursor, query: string): string {
  return encodeCursorText([query, since, until, ...place]);
}

/**
 * Decodes a cursor. Throws `bad_request` for anything that `encodeOutcomeCursor` did not create for the same query and
 * number of dimensions. Throws it for spans over `maxSpanMs` too, which no list has.
 */
export function decodeOutcomeCursor(text: string, query: string, dimensions: number, maxSpanMs: number): OutcomeCursor {
  const [madeFor, since, until, ...place] = decodeCursorText(text);
  const scalar = place.every((value) => typeof value === 'string' || Number.isSafeInteger(value));
  const length = Number.isSafeInteger(since) && Number.isSafeInteger(until) ? Number(until) - Number(since) : -1;
  if (typeof madeFor !== 'string' || length < 0 || length > maxSpanMs || !scalar) {
    throw new AppError('bad_request', 'cursor is not a cursor of this list');
  }
  if (madeFor !== query || place.length !== dimensions) {
    throw new AppError(
      'bad_request',
      'cursor belongs to another query: after changing the query, start without a cursor',
    );
  }
  return { since: since as number, until: until as number, place: place as (string | number)[] };
}
