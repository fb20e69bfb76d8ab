import type { TrackerReply } from './answer.ts';
import { parseLinkHeader } from './link-header.ts';
import { ask, type TrackerAccess } from './session.ts';

/** Trackers give 100 rows a page; beyond so many pages a person cannot choose from the list anyway. */
const MAX_PAGES = 50;

export interface Pages {
  /** The first refusal; null when all pages came. */
  readonly refusal: TrackerReply | null;
  readonly bodies: readonly unknown[];
  /** True when there was more than is read. */
  readonly cut: boolean;
}

/** All pages of a list, one after the other; a cursor that comes again ends it. */
export async function allPages(access: TrackerAccess, path: string): Promise<Pages> {
  const bodies: unknown[] = [];
  const seen = new Set<string>();
  let cursor: string | null = null;
  while (bodies.length < MAX_PAGES) {
    const reply: TrackerReply = await ask(access, cursor === null ? { path } : { path, query: [['cursor', cursor]] });
    if (!reply.ok) return { refusal: reply, bodies, cut: false };
    bodies.push(reply.body);
    const { next } = parseLinkHeader(reply.link);
    if (next === null || seen.has(next)) return { refusal: null, bodies, cut: false };
    seen.add(next);
    cursor = next;
  }
  return { refusal: null, bodies, cut: true };
}
