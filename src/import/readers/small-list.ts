import type { TrackerReply } from '../../thirdparty/http/answer.ts';
import { PagedList, type ListRequest } from './access/paged-list.ts';
import type { SourceAccess } from './access/source-access.ts';

export interface SmallListOptions {
  /** Further rows are left out, with a sentence in `cannot`. */
  readonly maxRows: number;
  /** Plural, for that sentence. */
  readonly what: string;
  /** Called for a refusal, which ends the list; throws for those that must not. */
  readonly refused: (reply: TrackerReply) => void;
  readonly signal: AbortSignal;
}

/** Reads the rows of a list page by page, at most `maxRows`. A repeated cursor ends it. */
export async function* smallList(
  access: SourceAccess,
  list: ListRequest,
  { maxRows, what, refused, signal }: SmallListOptions,
): AsyncGenerator<{ readonly row: unknown; readonly reply: TrackerReply }> {
  const pages = new PagedList(access.asker);
  const seen = new Set<string>();
  let cursor: string | null = null;
  let rows = 0;
  for (;;) {
    const page = await pages.read(list, cursor, signal);
    if (page.kind === 'refused') {
      refused(page.reply);
      return;
    }
    if (page.kind === 'too_big') {
      access.cannot.add(`one of the ${what}: ${page.reason}`);
    } else {
      for (const row of page.rows) {
        rows += 1;
        if (rows > maxRows) {
          access.cannot.add(`${what} beyond the first ${maxRows} of a list`);
          return;
        }
        yield { row, reply: page.reply };
      }
    }
    if (page.next === null || seen.has(page.next)) return;
    seen.add(page.next);
    cursor = page.next;
  }
}
