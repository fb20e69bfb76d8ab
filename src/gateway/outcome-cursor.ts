import { AppError } from '../domain/app-error.ts';
import { decodeCursorText, encodeCursorText } from '../lib/cursor-text.ts';
import type { OutcomePlace } from './outcome-sums.ts';

/** Where a page ended, and the span it was of: pages go on in the same span although time passes. */
export interface OutcomeCursor {
  readonly since: number;
  readonly until: number;
  readonly place: OutcomePlace;
}

/** `query`: what the list is of besides its span, in one text. */
export function encodeOutcomeCursor({ since, until, place }: OutcomeCursor, query: string): string {
  return encodeCursorText([query, since, until, ...place]);
}

/**
 * Throws `bad_request` for anything that `encodeOutcomeCursor` did not make for the same query of so many
 * dimensions, and for spans of more than `maxSpanMs`, which nobody was answered.
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
