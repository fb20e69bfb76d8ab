import { isRecord } from '../../lib/own-property.ts';
import { eventIdOf, listOf, textOf } from '../../thirdparty/map/values.ts';
import { eventFromApi } from '../sdk-body/api-event.ts';
import type { RemoteEvent } from '../tracker-reader.ts';
import type { IssueOfProject } from './issue-of-project.ts';
import { PagedList } from './access/paged-list.ts';
import { refusal } from './access/source-access.ts';
import { DAY_MS } from '../../domain/durations.ts';

/** Window of lists of events, and their default. */
const WINDOW_MS = 90 * DAY_MS;
/** Windows, at most: five years. */
const MAX_WINDOWS = 20;
/** Rows of one page: whole events, of which several pages are in memory at once. */
const MAX_ROWS = 25;

export const EVENTS_NEEDED = { doing: 'list the events of an error', scope: 'event:read' } as const;

/** Row of a list of events. */
export interface ListedEvent {
  readonly id: string;
  /** The event in the shape of the API; null: the row lacks a part of it. */
  readonly shaped: RemoteEvent | null;
  /** Hashes of the tracker as one text; null: the row does not tell. */
  readonly hashes: string | null;
}

export interface EventPage {
  readonly rows: readonly ListedEvent[];
  /** True: the tracker has no further page of this window. */
  readonly isLast: boolean;
}

export const eventIdIn = (row: unknown): string | null =>
  isRecord(row) ? eventIdOf(row.eventID ?? row.eventId ?? row.id) : null;

/** Whole rows have entries and contexts. Urgentry lists events without contexts, release, user and fingerprint. */
const isWhole = (row: Record<string, unknown>): boolean => listOf(row.entries).length > 0 && isRecord(row.contexts);

function listedEvent({ access, dialect }: IssueOfProject, row: unknown): ListedEvent[] {
  const id = eventIdIn(row);
  if (id === null || !isRecord(row)) return [];
  const shaped = isWhole(row) ? eventFromApi(row, access.clock.now(), dialect.fingerprints) : null;
  const hashes = dialect.fingerprints === 'hashes' ? listOf(row.fingerprints).map((value) => textOf(value) ?? '') : [];
  return [{ id, shaped, hashes: hashes.length === 0 ? null : hashes.join() }];
}

/**
 * Reads pages of the newest `wanted` events, whole where the tracker lists them so. Goes back window by window to
 * `oldestAt()`, which is asked for after the first window; where it is null, as far as the default window.
 */
export async function* eventPages(
  of: IssueOfProject,
  wanted: number,
  oldestAt: () => number | null,
): AsyncGenerator<EventPage> {
  const { access, dialect, issueId, signal } = of;
  const path = dialect.events(access.organization, issueId);
  const now = access.clock.now();
  let left = wanted;
  for (let windows = 0; left > 0 && windows < MAX_WINDOWS; windows += 1) {
    const end = now - windows * WINDOW_MS;
    const until = windows === 0 ? now : oldestAt();
    if (!dialect.hasWindows && windows > 0) return;
    if (until === null || end < until) return;
    const query: [string, string][] = dialect.wholeEvents === null ? [] : [[...dialect.wholeEvents]];
    if (windows > 0) {
      query.push(['start', new Date(end - WINDOW_MS).toISOString().slice(0, 19)]);
      query.push(['end', new Date(end).toISOString().slice(0, 19)]);
    }
    const pages = new PagedList(access.asker, Math.min(left, MAX_ROWS));
    const list = { path, query, sizeName: dialect.pageSize, skipRow: dialect.skipRow };
    const cursors = new Set<string>();
    let cursor: string | null = null;
    do {
      const page = await pages.read(list, cursor, signal);
      if (page.kind === 'refused') {
        if (page.reply.status === 404) return;
        throw refusal(access, page.reply, EVENTS_NEEDED);
      }
      if (page.kind === 'too_big') access.cannot.add(`an event of issue ${issueId}: ${page.reason}`);
      const rows = page.kind === 'page' ? page.rows.slice(0, left) : [];
      left -= Math.max(rows.length, page.kind === 'page' ? 0 : 1);
      cursor = page.next;
      yield { rows: rows.flatMap((row) => listedEvent(of, row)), isLast: cursor === null };
      if (cursor !== null && cursors.has(cursor)) return;
      if (cursor !== null) cursors.add(cursor);
    } while (cursor !== null && left > 0);
  }
}
