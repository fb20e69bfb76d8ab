import type { TrackerReply } from './http/answer.ts';
import { parseLinkHeader } from './http/link-header.ts';
import { ask, type TrackerAccess } from './session.ts';

/** Maximum of pages with 100 rows each; longer lists are unusable for a manual choice. */
const MAX_PAGES = 50;

export interface Pages {
  /** First refusal; null when all pages were read. */
  readonly refusal: TrackerReply | null;
  readonly bodies: readonly unknown[];
  /** True when further pages were not read. */
  readonly cut: boolean;
}

/** Reads all pages of a list in sequence; a repeated cursor ends it. */
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
