import type { Level } from '../../domain/events/event.ts';
import type { RemoteIssue } from '../tracker-reader.ts';

/** What an event tells of its issue. */
export interface EventFacts {
  /** Milliseconds. */
  readonly at: number;
  readonly culprit: string | null;
  readonly level: Level;
  readonly platform: string;
  readonly release: string | null;
}

/** Milliseconds by which the first event may come after the time that the tracker calls the first: it is rounded. */
const ROUNDING_MS = 1000;

/** Newest and oldest of the events of an issue that were read. */
export class EventEnds {
  #newest: EventFacts | null = null;
  #oldest: EventFacts | null = null;
  #count = 0;

  /** Adds an event; each comes once. */
  add(facts: EventFacts): void {
    this.#count += 1;
    if (this.#newest === null || facts.at > this.#newest.at) this.#newest = facts;
    if (this.#oldest === null || facts.at < this.#oldest.at) this.#oldest = facts;
  }

  /** Time of the newest event, milliseconds; null: there is none. */
  get newestAt(): number | null {
    return this.#newest?.at ?? null;
  }

  /**
   * Returns the issue with what only its events tell. The first release is that of the oldest event, if it is the first
   * one of the issue: trackers remove old events.
   */
  complete(issue: RemoteIssue): RemoteIssue {
    const [newest, oldest] = [this.#newest, this.#oldest];
    if (newest === null || oldest === null) return issue;
    const isFirst = oldest.at <= issue.firstSeen + ROUNDING_MS || this.#count >= (issue.count ?? Infinity);
    return {
      ...issue,
      culprit: issue.culprit ?? newest.culprit,
      level: issue.level ?? newest.level,
      platform: issue.platform ?? newest.platform,
      firstRelease: issue.firstRelease ?? (isFirst ? oldest.release : null),
      lastRelease: issue.lastRelease ?? newest.release,
    };
  }
}

/** True: an event has told what the issue did not. */
export function tellsMore(issue: RemoteIssue, listed: RemoteIssue): boolean {
  const names = ['culprit', 'level', 'platform', 'firstRelease', 'lastRelease'] as const;
  return names.some((name) => issue[name] !== listed[name]);
}
