import { createHash } from 'node:crypto';
import { AppError } from '../domain/app-error.ts';

/** Position in a tracker's list: its cursor (null for the first page), and the number of rows to skip. */
export interface TrackerPosition {
  readonly cursor: string | null;
  readonly skip: number;
}

export const FIRST_POSITION: TrackerPosition = { cursor: null, skip: 0 };

const FORM = /^t1\.([\w-]{12})\.(\d{1,4})\.([\w-]*)$/;

/** Hash of the query, so that cursors of another query are recognised. */
function mark(question: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(question)).digest('base64url').slice(0, 12);
}

/** Encodes a position as a cursor; null for null. */
export function writeCursor(question: readonly unknown[], position: TrackerPosition | null): string | null {
  if (position === null) return null;
  return `t1.${mark(question)}.${position.skip}.${Buffer.from(position.cursor ?? '').toString('base64url')}`;
}

/** Decodes a cursor; null is the start. Throws `bad_request` for an invalid cursor or one of another query. */
export function readCursor(question: readonly unknown[], cursor: string | null): TrackerPosition {
  if (cursor === null) return FIRST_POSITION;
  const [, marked, skip, rest] = FORM.exec(cursor) ?? [];
  if (marked !== mark(question) || skip === undefined || rest === undefined) {
    throw new AppError('bad_request', 'the cursor does not belong to this list: start again without one');
  }
  const inner = Buffer.from(rest, 'base64url').toString('utf8');
  return { cursor: inner === '' ? null : inner, skip: Number(skip) };
}

export interface CutPage<T> {
  readonly items: readonly T[];
  readonly previous: TrackerPosition | null;
  readonly next: TrackerPosition | null;
}

/** Cuts the requested page out of a possibly longer page of the tracker. */
export function cutPage<T>(
  rows: readonly T[],
  at: TrackerPosition,
  limit: number,
  around: { readonly previous: string | null; readonly next: string | null },
): CutPage<T> {
  const end = at.skip + limit;
  const before = around.previous === null ? null : { cursor: around.previous, skip: 0 };
  const after = around.next === null ? null : { cursor: around.next, skip: 0 };
  return {
    items: rows.slice(at.skip, end),
    previous: at.skip > 0 ? { cursor: at.cursor, skip: Math.max(0, at.skip - limit) } : before,
    next: rows.length > end ? { cursor: at.cursor, skip: end } : after,
  };
}
