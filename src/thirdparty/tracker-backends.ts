import { LRUCache } from 'lru-cache';
import type { ErrorBackend } from '../domain/ports/error-backend.ts';
import type { Clock } from '../domain/ports/clock.ts';
import type { TrackerKind } from '../domain/tracker-kind.ts';
import type { TrackingSettings } from '../domain/tracking-settings.ts';
import { createThirdpartyBackend } from './backend.ts';
import type { TrackerCache } from './cache.ts';
import { CachedBackend, StatusChanges } from './cached-backend.ts';
import type { TrackerClient } from './client.ts';
import { Dialect } from './dialect.ts';
import type { TrackerAccess } from './session.ts';
import type { TrackerFinder } from './tracker-finder.ts';
import { unreadableToken, type TokenSealer } from './sealed-token.ts';

/** Settings whose backend is kept at hand; what is dropped is learnt anew when it is read again. */
const MAX_BACKENDS = 10_000;

export interface TrackerBackendsDeps {
  readonly client: Pick<TrackerClient, 'request'>;
  readonly sealer: TokenSealer;
  readonly cache: TrackerCache;
  readonly clock: Clock;
  /** Pages are told to ask again instead of waiting for a tracker. */
  readonly answerNotReady: boolean;
  /** Absent: a tracker is what the settings say. */
  readonly finder?: Pick<TrackerFinder, 'kindOf' | 'doubt'>;
  /** Counts rows that are left out of lists. */
  readonly leftOut?: TrackerAccess['leftOut'];
}

/**
 * The backends of projects in external trackers, one per settings, so that what is learnt about a tracker stays:
 * its dialect, and how long it wants to be left alone. Other settings are another backend.
 */
export class TrackerBackends {
  readonly #deps: TrackerBackendsDeps;
  readonly #changes = new StatusChanges();
  readonly #backends = new LRUCache<string, ErrorBackend>({ max: MAX_BACKENDS });

  constructor(deps: TrackerBackendsDeps) {
    this.#deps = deps;
  }

  /** Throws `tracking_disabled` for settings that name no project. `mayPoll`: the caller can ask again. */
  backendFor(settings: TrackingSettings, mayPoll = false): ErrorBackend {
    const { cache, clock, answerNotReady, finder } = this.#deps;
    const scope = cache.scopeOf(settings);
    const kind = finder?.kindOf(settings) ?? settings.tracker?.kind ?? 'unknown';
    const name = `${scope} ${kind}`;
    const known = this.#backends.get(name);
    const tracker = known ?? this.#create(settings, kind);
    if (known === undefined) this.#backends.set(name, tracker);
    const atOnce = mayPoll && answerNotReady;
    return new CachedBackend(tracker, { cache, changes: this.#changes, scope, now: () => clock.now(), atOnce });
  }

  #create(settings: TrackingSettings, kind: TrackerKind): ErrorBackend {
    const { client, sealer, clock, leftOut, finder } = this.#deps;
    const { projectId, sealedToken } = settings;
    const token = (): string => {
      if (sealedToken === null) throw unreadableToken('there is none');
      return sealer.open(sealedToken, projectId);
    };
    const dialect = new Dialect({ kind, now: () => clock.now(), doubted: () => finder?.doubt(settings) });
    return createThirdpartyBackend({
      client,
      settings,
      token,
      dialect,
      clock,
      ...(leftOut === undefined ? {} : { leftOut }),
    });
  }
}
