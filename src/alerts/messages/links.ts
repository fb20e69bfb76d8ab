import type { Project } from '../../domain/projects/project.ts';

const MINUTE_MS = 60_000;

/** Times of the errors of a message, milliseconds since the epoch. */
export interface ErrorTimes {
  /** Time of the first occurrence of the oldest and the newest error; null: not all are new. */
  readonly firstSeen: readonly [number, number] | null;
  /** Time of the last occurrence of the error that was quiet longest. */
  readonly lastSeen: number;
}

/** Absolute addresses of pages, for messages. */
export class AlertLinks {
  readonly #base: () => string;

  /** `externalUrl` without a slash at the end. */
  constructor(externalUrl: () => string) {
    this.#base = externalUrl;
  }

  error({ path }: Pick<Project, 'path'>, errorId: string): string {
    return `${this.#base()}/${path}/-/error_tracking/${encodeURIComponent(errorId)}/details`;
  }

  /** Returns the list of all errors that began, or occurred, in the times of a message; null: without bounds. */
  list({ path }: Pick<Project, 'path'>, times: ErrorTimes | null): string {
    const list = `${this.#base()}/${path}/-/error_tracking`;
    if (times === null) return list;
    const { firstSeen, lastSeen } = times;
    const bounds: Record<string, string> =
      firstSeen === null
        ? { last_seen_after: iso(lastSeen) }
        : { first_seen_after: iso(minuteBefore(firstSeen[0])), first_seen_before: iso(firstSeen[1]) };
    return `${list}?${new URLSearchParams(bounds).toString()}`;
  }

  alerts({ path }: Pick<Project, 'path'>): string {
    return `${this.#base()}/${path}/-/settings/alerts`;
  }
}

/**
 * Returns the beginning of the minute before. An earlier event of an error that arrives after the message moves its
 * first occurrence, and should not move it out of the list.
 */
function minuteBefore(at: number): number {
  return (Math.floor(at / MINUTE_MS) - 1) * MINUTE_MS;
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
