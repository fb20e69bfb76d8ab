import { LRUCache } from 'lru-cache';
import type { Clock } from '../domain/ports/clock.ts';
import type { FoundTracker, TrackerKind } from '../domain/projects/tracker-kind.ts';
import type { TrackingSettings } from '../domain/projects/tracking-settings.ts';
import { parseApiUrl } from './http/api-url.ts';
import type { TrackerClient } from './http/client.ts';
import { probeServer } from './endpoints/server.ts';
import { askTrackerWithin } from './http/ask-within.ts';

/** Milliseconds until a tracker is checked again: it may have been upgraded or replaced. */
const VALID_MS = 24 * 3_600_000;
/** Minimum milliseconds between two checks of an address. */
const PAUSE_MS = 600_000;
/** Milliseconds for one check. */
const LIMIT_MS = 4000;
/** Maximum of remembered addresses; the least recently used is evicted. */
const MAX_BASES = 1000;

export interface TrackerFinderParts {
  readonly client: Pick<TrackerClient, 'request'>;
  readonly clock: Clock;
  /** Stores the detected tracker with the settings of a project. Failures are ignored: the next check repeats it. */
  readonly save: (projectId: number, tracker: FoundTracker) => Promise<unknown>;
}

type LinkSettings = Pick<TrackingSettings, 'projectId' | 'apiUrl' | 'tracker'>;

interface Look {
  /** Null: the tracker is unavailable. */
  readonly found: FoundTracker | null;
}

/** Detects the kind of tracker at an address from public pages, without the token. */
export class TrackerFinder {
  readonly #parts: TrackerFinderParts;
  /** Latest check of each address, shared by all its projects. An evicted one still answers those that wait for it. */
  readonly #looks: LRUCache<string, Look>;

  constructor(parts: TrackerFinderParts) {
    this.#parts = parts;
    this.#looks = new LRUCache({
      ...{ max: MAX_BASES, ttl: PAUSE_MS, perf: parts.clock, ttlResolution: 0, ignoreFetchAbort: true },
      fetchMethod: async (base): Promise<Look> => ({ found: await this.#ask(base).catch(() => null) }),
    });
  }

  /** Stored kind, or `unknown`. Starts a background check when it is missing or old. */
  kindOf(settings: LinkSettings): TrackerKind {
    const stored = storedFor(settings);
    if (stored === null || this.#isOld(stored)) void this.look(settings);
    return stored?.kind ?? 'unknown';
  }

  /** Called when a response contradicts the kind: checks in the background, at most every ten minutes. */
  doubt(settings: LinkSettings): void {
    void this.#lookAt(settings, storedFor(settings));
  }

  /** Checks and stores the result, unless checked within a day. Takes at most four seconds; never throws. */
  async look(settings: LinkSettings): Promise<void> {
    const stored = storedFor(settings);
    if (stored === null || this.#isOld(stored)) await this.#lookAt(settings, stored);
  }

  #isOld({ checkedAt }: FoundTracker): boolean {
    return this.#parts.clock.now() - checkedAt >= VALID_MS;
  }

  async #lookAt({ projectId, apiUrl }: LinkSettings, stored: FoundTracker | null): Promise<void> {
    const base = parseApiUrl(apiUrl)?.base;
    if (base === undefined) return;
    const { found } = await this.#looks.forceFetch(base);
    if (found === null || found.checkedAt === stored?.checkedAt) return;
    await this.#parts.save(projectId, found).catch(() => undefined);
  }

  async #ask(base: string): Promise<FoundTracker | null> {
    const { client, clock } = this.#parts;
    const access = { client, target: { baseUrl: base, token: () => null } };
    const server = await askTrackerWithin(access, LIMIT_MS, probeServer);
    return server === null ? null : { base, ...server, checkedAt: clock.now() };
  }
}

/** Detected tracker for the address of these settings; null when stored for another address. */
function storedFor({ apiUrl, tracker }: LinkSettings): FoundTracker | null {
  return tracker !== null && tracker.base === parseApiUrl(apiUrl)?.base ? tracker : null;
}
