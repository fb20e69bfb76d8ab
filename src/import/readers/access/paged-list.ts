import { AppError } from '../../../domain/app-error.ts';
import type { TrackerReply } from '../../../thirdparty/http/answer.ts';
import { parseLinkHeader } from '../../../thirdparty/http/link-header.ts';
import { rowsIn } from '../../../thirdparty/http/shape.ts';
import type { PatientAsker } from './patient-asker.ts';

/** Rows of one request. */
const FULL_PAGE = 100;

export interface ListRequest {
  readonly path: string;
  readonly query: readonly (readonly [name: string, value: string])[];
  /** Name of the page size parameter. */
  readonly sizeName: 'limit' | 'per_page';
  /** Cursor behind one row at this cursor (null: the first one); null when it cannot be known. */
  readonly skipRow: (cursor: string | null) => string | null;
}

export type ListPage =
  | {
      readonly kind: 'page';
      readonly reply: TrackerReply;
      readonly rows: readonly unknown[];
      readonly next: string | null;
    }
  | { readonly kind: 'refused'; readonly reply: TrackerReply }
  /** The row at the cursor is larger than the bound of answers. */
  | { readonly kind: 'too_big'; readonly next: string; readonly reason: string };

export const isTooBig = (error: unknown): error is AppError =>
  error instanceof AppError && error.details?.reason === 'too_big';

/**
 * Reads pages of a list. When an answer passes the bound of the client, the page size is halved, down to one row, which
 * is then left out. It grows again with each page that fits. Only `results="false"` ends a list, never an empty page.
 * An answer that is no list is a failure.
 */
export class PagedList {
  readonly #asker: PatientAsker;
  readonly #fullSize: number;
  #size: number;

  /** `fullSize`: rows of a page, 1 to 100. */
  constructor(asker: PatientAsker, fullSize = FULL_PAGE) {
    this.#asker = asker;
    this.#fullSize = fullSize;
    this.#size = fullSize;
  }

  async read(list: ListRequest, cursor: string | null, signal: AbortSignal): Promise<ListPage> {
    for (;;) {
      const query = [...list.query, [list.sizeName, String(this.#size)] as const];
      if (cursor !== null) query.push(['cursor', cursor]);
      let reply: TrackerReply;
      try {
        reply = await this.#asker.ask({ path: list.path, query, signal });
      } catch (error) {
        if (!isTooBig(error)) throw error;
        if (this.#size > 1) {
          this.#size = Math.floor(this.#size / 2);
          continue;
        }
        const next = list.skipRow(cursor);
        if (next === null) throw error;
        return { kind: 'too_big', next, reason: error.message };
      }
      if (!reply.ok) return { kind: 'refused', reply };
      const rows = rowsIn(reply.body, thingIn(list.path));
      this.#size = Math.min(this.#fullSize, this.#size * 2);
      return { kind: 'page', reply, rows, next: parseLinkHeader(reply.link).next };
    }
  }
}

/** Last name in a path, such as `issues`. */
const thingIn = (path: string): string => path.split('/').findLast((part) => part !== '') ?? 'rows';

/** Cursor `value:offset:0` of Sentry. A null one is the start, for which value 0 stands. */
export function skipSentryRow(cursor: string | null): string | null {
  const [, value, offset] = /^([\d.-]+):(\d{1,9}):0$/.exec(cursor ?? '0:0:0') ?? [];
  return value === undefined ? null : `${value}:${Number(offset) + 1}:0`;
}

/** Cursor in Base64 with `o` (offset) and `p` (position), as of GlitchTip. */
export function skipEncodedRow(cursor: string | null): string | null {
  const form = new URLSearchParams(Buffer.from(cursor ?? '', 'base64').toString('utf8'));
  if (form.has('r') || (cursor !== null && !form.has('p') && !form.has('o'))) return null;
  const position = form.get('p');
  const offset = Number(form.get('o') ?? 0) + 1;
  const after = new URLSearchParams({ o: String(offset), ...(position === null ? {} : { p: position }) });
  return Number.isSafeInteger(offset) ? Buffer.from(after.toString()).toString('base64') : null;
}
