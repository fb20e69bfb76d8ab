/** Maximum milliseconds of a pause that a target may ask for; then it is asked again. */
const MAX_PAUSE_MS = 3_600_000;
/** Pause after a 429 that names none, as SDKs do. */
const DEFAULT_PAUSE_MS = 60_000;
/** Name that stands for all categories. */
const ALL = '';

/**
 * Data categories that a target takes no more of for a time, by `X-Sentry-Rate-Limits` and `Retry-After`. Times in
 * milliseconds since the epoch.
 */
export class CategoryPauses {
  readonly #until = new Map<string, number>();

  /** Takes the headers of an answer. Returns the categories that it names; `''` stands for all of them. */
  take(status: number, rateLimits: string | null, retryAfter: string | null, now: number): readonly string[] {
    const limits = rateLimits === null ? [] : limitsIn(rateLimits);
    if (limits.length === 0 && status === 429) limits.push([ALL, retryAfterMs(retryAfter, now) ?? DEFAULT_PAUSE_MS]);
    for (const [category, ms] of limits) {
      const until = now + Math.min(ms, MAX_PAUSE_MS);
      this.#until.set(category, Math.max(until, this.#until.get(category) ?? 0));
    }
    return limits.map(([category]) => category);
  }

  /** Milliseconds for which items of the category must not be sent; 0: they may be. */
  waitMs(category: string, now: number): number {
    const until = Math.max(this.#until.get(category) ?? 0, this.#until.get(ALL) ?? 0);
    return Math.max(0, until - now);
  }

  /** Milliseconds for which nothing must be sent. */
  allMs(now: number): number {
    return Math.max(0, (this.#until.get(ALL) ?? 0) - now);
  }
}

/** Parses `seconds:category;category:scope, …`. Unreadable entries pause nothing. */
function limitsIn(header: string): [category: string, ms: number][] {
  return header.split(',').flatMap((entry) => {
    const [seconds = '', categories = ''] = entry.trim().split(':');
    const ms = Number(seconds) * 1000;
    if (seconds.trim() === '' || !Number.isFinite(ms) || ms < 0) return [];
    return categories.split(';').map((category): [string, number] => [category.trim().toLowerCase(), ms]);
  });
}

/** Reads `Retry-After`, in seconds or as a date; null when absent or unreadable. */
export function retryAfterMs(text: string | null, now: number): number | null {
  if (text === null || text.trim() === '') return null;
  const seconds = Number(text);
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(text) - now;
  return Number.isFinite(wait) && wait >= 0 ? wait : null;
}
