import {
  cutGlitchTip,
  cutSentry,
  cutUrgentry,
  CursorError,
  glitchTipLink,
  sentryLink,
  urgentryLink,
  type Cut,
} from '../fake-tracker/paging.ts';
import { json, sizeOf, SourceRefusal, type SourceCall, type SourceReply } from './source-call.ts';

/** Cuts with a tracker's error for cursors of another form. */
function cutOr<T>(cut: () => Cut<T>, status: number, body: (message: string) => unknown): Cut<T> {
  try {
    return cut();
  } catch (error) {
    if (!(error instanceof CursorError)) throw error;
    throw new SourceRefusal(status, body(error.message));
  }
}

export interface SourceList<T> {
  /** Newest first, or in the order of the tracker. */
  readonly rows: readonly T[];
  /** Value in cursors; null: cursors are offsets. */
  readonly score: ((row: T) => number) | null;
  readonly render: (row: T) => unknown;
  /** Name of the page size parameter. */
  readonly size: 'limit' | 'per_page';
}

/** Page of Sentry. A cursor with the value 0 counts from the start. */
export function sentryPage<T>({ url, query }: SourceCall, { rows, score, render, size }: SourceList<T>): SourceReply {
  const limit = sizeOf(query, size);
  const cursor = query.get('cursor');
  const cut = cutOr(
    () =>
      score === null || (cursor?.startsWith('0:') ?? false)
        ? cutUrgentry(rows, limit, cursor)
        : cutSentry(rows, score, limit, cursor),
    400,
    (message) => ({ detail: message }),
  );
  // From an offset cursor on, cursors have values again.
  const next =
    score === null || cut.next.split(':')[0] !== '0' ? cut : cutSentry(rows, score, limitUpTo(cut, rows), null);
  return json(cut.items.map(render), { link: sentryLink(url, { ...cut, next: next.next }) });
}

const limitUpTo = <T>(cut: Cut<T>, rows: readonly T[]): number => {
  const last = cut.items.at(-1);
  return last === undefined ? rows.length : rows.indexOf(last) + 1;
};

export function glitchTipPage<T>({ url, query }: SourceCall, { rows, score, render }: SourceList<T>): SourceReply {
  const limit = sizeOf(query, 'limit');
  const cursor = query.get('cursor');
  const scored = score ?? ((row: T) => rows.length - rows.indexOf(row));
  const offset = offsetOnly(cursor);
  const cut = cutOr(
    () => (offset === null ? cutGlitchTip(rows, scored, limit, cursor) : fromOffset(rows, scored, limit, offset)),
    422,
    (message) => ({ detail: [{ type: 'value_error', loc: ['query', 'cursor'], msg: message }] }),
  );
  return json(cut.items.map(render), { link: glitchTipLink(url, cut), 'x-hits': String(rows.length) });
}

/** Offset of a cursor without a position; null for others. */
function offsetOnly(cursor: string | null): number | null {
  if (cursor === null) return null;
  const form = new URLSearchParams(Buffer.from(cursor, 'base64').toString('utf8'));
  return form.has('o') && !form.has('p') && !form.has('r') ? Number(form.get('o')) : null;
}

/** Page that begins at an offset from the start. */
function fromOffset<T>(rows: readonly T[], score: (row: T) => number, limit: number, offset: number): Cut<T> {
  const whole = cutGlitchTip(rows, score, offset + limit, null);
  return { ...whole, items: rows.slice(offset, offset + limit) };
}

export function urgentryPage<T>({ url, query }: SourceCall, { rows, render }: SourceList<T>): SourceReply {
  const cut = cutOr(
    () => cutUrgentry(rows, sizeOf(query, 'per_page'), query.get('cursor')),
    400,
    (message) => ({ detail: message }),
  );
  return json(cut.items.map(render), { link: urgentryLink(url, cut) });
}

/** Rows of one page of Bugsink, unless a test makes them fewer. */
export const BUGSINK_PAGE = 250;

export function bugsinkPage<T>({ url, query }: SourceCall, { rows, score, render }: SourceList<T>): SourceReply {
  const scored = score ?? ((row: T) => rows.length - rows.indexOf(row));
  const cut = cutOr(
    () => cutGlitchTip(rows, scored, BUGSINK_PAGE, query.get('cursor')),
    404,
    () => ({ detail: 'Invalid cursor' }),
  );
  const next = new URL(url);
  next.searchParams.set('cursor', cut.next);
  return json({ next: cut.hasNext ? next.href : null, previous: null, results: cut.items.map(render) });
}
