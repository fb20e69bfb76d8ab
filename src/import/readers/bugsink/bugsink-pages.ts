import { isRecord } from '../../../lib/own-property.ts';
import type { TrackerReply } from '../../../thirdparty/http/answer.ts';
import { filledText } from '../../../thirdparty/map/values.ts';
import { rowsIn } from '../../../thirdparty/http/shape.ts';
import { BUGSINK_ROOT } from './bugsink-routes.ts';
import { refusal, type SourceAccess } from '../access/source-access.ts';

/** Pages of one list, against trackers that never end. */
const MAX_PAGES = 20_000;
const MAX_CURSOR = 500;

export interface BugsinkList {
  readonly thing: 'projects' | 'issues' | 'events' | 'releases' | 'issue-history' | `issues/${string}/grouping`;
  /** Scope of the token; default `<thing>:read`. */
  readonly scope?: string;
  readonly query: readonly (readonly [name: string, value: string])[];
  /** Cursor; null: first page. */
  readonly from: string | null;
}

/** Cursor in the address of the next page; the address itself is never requested. */
function cursorIn(next: unknown): string | null {
  const text = filledText(next);
  if (text === null || !URL.canParse(text, 'http://relative/')) return null;
  const cursor = new URL(text, 'http://relative/').searchParams.get('cursor');
  return cursor === null || cursor === '' || cursor.length > MAX_CURSOR ? null : cursor;
}

/** Reads a list of Bugsink page by page; pages have 250 rows. A refused first cursor begins the list again. */
export async function* bugsinkPages(
  access: SourceAccess,
  { thing, query, from, scope = `${thing}:read` }: BugsinkList,
  signal: AbortSignal,
): AsyncGenerator<{ readonly rows: readonly unknown[]; readonly next: string | null; readonly reply: TrackerReply }> {
  const seen = new Set<string>();
  let cursor = from;
  for (let count = 0; count < MAX_PAGES; count += 1) {
    const at: [string, string][] = cursor === null ? [] : [['cursor', cursor]];
    const reply = await access.asker.ask({ path: `${BUGSINK_ROOT}${thing}/`, query: [...query, ...at], signal });
    // DRF answers 404 for a cursor that it does not know.
    if (count === 0 && cursor !== null && (reply.status === 404 || reply.status === 400)) {
      cursor = null;
      continue;
    }
    if (!reply.ok) throw refusal(access, reply, { doing: `list the ${thing}`, scope });
    const next = isRecord(reply.body) ? cursorIn(reply.body.next) : null;
    const rows = rowsIn(isRecord(reply.body) ? (reply.body.results ?? {}) : reply.body, thing);
    const isLast = next === null || seen.has(next);
    yield { rows, next: isLast ? null : next, reply };
    if (isLast) return;
    seen.add(next);
    cursor = next;
  }
}
