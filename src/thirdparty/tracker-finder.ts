import { LRUCache } from 'lru-cache';
import type { Clock } from '../domain/ports/clock.ts';
import type { FoundTracker, TrackerKind } from '../domain/tracker-kind.ts';
import type { TrackingSettings } from '../domain/tracking-settings.ts';
import { parseApiUrl } from './api-url.ts';
import type { TrackerClient } from './client.ts';
import { probeServer } from './endpoints/server.ts';
import { within } from './within.ts';

/** Milliseconds after which a tracker is looked at once more: it may have been upgraded, or replaced. */
const VALID_MS = 24 * 3_600_000;
/** Milliseconds between two looks at the same address, for whatever reason. */
const PAUSE_MS = 600_000;
/** Milliseconds for one look. */
const LIMIT_MS = 4000;
/** Addresses that are remembered; the longest known one is forgotten. */
const MAX_BASES = 1000;

export interface TrackerFinderParts {
  readonly client: Pick<TrackerClient, 'request'>;
  readonly clock: Clock;
  /** Stores with the settings of a project what was found. A failure is not told: the next look stores it. */
  readonly save: (projectId: number, tracker: FoundTracker) => Promise<unknown>;
}

type LinkSettings = Pick<TrackingSettings, 'projectId' | 'apiUrl' | 'tracker'>;

interface Look {
  readonly startedAt: number;
  /** Null: the tracker could not be asked. */
  readonly found: Promise<FoundTracker | null>;
}

/** Finds out which kind of tracker stands behind an address, from pages that need no token and get none. */
export class TrackerFinder {
  readonly #parts: TrackerFinderParts;
  /** The last look at each address. */
  readonly #looks = new LRUCache<string, Look>({ max: MAX_BASES });

  constructor(parts: TrackerFinderParts) {
    this.#parts = parts;
  }

  /** The kind as it is stored; `unknown` while nothing is. Looks in the background where that is missing or old. */
  kindOf(settings: LinkSettings): TrackerKind {
    const stored = storedFor(settings);
    if (stored === null || this.#isOld(stored)) void this.look(settings);
    return stored?.kind ?? 'unknown';
  }

  /** The tracker gave an answer that its kind does not give: looks in the background, at most every ten minutes. */
  doubt(settings: LinkSettings): void {
    void this.#lookAt(settings, storedFor(settings));
  }

  /** Looks and stores what was found, unless that was done within a day. Takes four seconds at most; never throws. */
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
    const found = await this.#lookOnce(base);
    if (found === null || found.checkedAt === stored?.checkedAt) return;
    await this.#parts.save(projectId, found).catch(() => undefined);
  }

  /** All projects of one address share a look. */
  #lookOnce(base: string): Promise<FoundTracker | null> {
    const now = this.#parts.clock.now();
    const last = this.#looks.get(base);
    if (last !== undefined && now - last.startedAt < PAUSE_MS) return last.found;
    const found = this.#ask(base).catch(() => null);
    this.#looks.set(base, { startedAt: now, found });
    return found;
  }

  async #ask(base: string): Promise<FoundTracker | null> {
    const { client, clock } = this.#parts;
    const access = { client, target: { baseUrl: base, token: () => null } };
    const server = await within(access, LIMIT_MS, probeServer);
    return server === null ? null : { base, ...server, checkedAt: clock.now() };
  }
}

/** What is stored for the address of these settings; null where that is of another one. */
function storedFor({ apiUrl, tracker }: LinkSettings): FoundTracker | null {
  return tracker !== null && tracker.base === parseApiUrl(apiUrl)?.base ? tracker : null;
}
