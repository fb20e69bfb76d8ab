import { createHash } from 'node:crypto';
import { AppError } from '../../domain/app-error.ts';
import { decodeCursorText, encodeCursorText } from '../../lib/text/cursor-text.ts';

/** Place in a list sorted by (value, id), newest or greatest first. */
export interface Place {
  readonly value: number;
  /** Number, or text that the store orders by its code units. */
  readonly id: number | string;
}

export interface Cursor extends Place {
  /** Direction of the page from this place: after it in the list's order, or before it. */
  readonly direction: 'next' | 'previous';
  /** True when a row at the place itself is part of the page. */
  readonly inclusive: boolean;
}

const LETTERS = { next: ['n', 'N'], previous: ['p', 'P'] } as const;

/** Hashes a query, so that a cursor is only valid for its list: another query has another order. */
export function queryHash(query: readonly (string | number | null)[]): string {
  return createHash('sha256').update(JSON.stringify(query)).digest('base64url').slice(0, 12);
}

export function encodeCursor({ value, id, direction, inclusive }: Cursor, hash: string): string {
  const letter = LETTERS[direction][inclusive ? 1 : 0];
  return encodeCursorText([value, id, letter, hash]);
}

/**
 * Decodes a cursor; null for null. `isId` checks for an id of the list. Throws `bad_request` for anything that
 * `encodeCursor` did not create for the same query.
 */
export function decodeCursor(text: string | null, hash: string, isId: (id: unknown) => boolean): Cursor | null {
  if (text === null) {
    return null;
  }
  const [value, id, letter, madeFor] = decodeCursorText(text);
  const direction = letter === 'n' || letter === 'N' ? 'next' : 'previous';
  const known = letter === 'p' || letter === 'P' || direction === 'next';
  if (!Number.isSafeInteger(value) || !isId(id) || !known) {
    throw new AppError('bad_request', 'cursor is not a cursor of this list');
  }
  if (madeFor !== hash) {
    throw new AppError(
      'bad_request',
      'cursor belongs to another query: after changing the query, start without a cursor',
    );
  }
  return { value: value as number, id: id as number | string, direction, inclusive: letter === 'N' || letter === 'P' };
}
