import { LRUCache } from 'lru-cache';
import type { ErrorBackend } from '../domain/ports/error-backend.ts';
import type { Clock } from '../domain/ports/clock.ts';
import type { TrackerKind } from '../domain/projects/tracker-kind.ts';
import type { TrackingSettings } from '../domain/projects/tracking-settings.ts';
import { createThirdpartyBackend } from './backend.ts';
import type { TrackerCache } from './cache.ts';
import { CachedBackend, StatusChanges } from './cached-backend.ts';
import type { TrackerClient } from './http/client.ts';
import { Dialect } from './dialect/dialect.ts';
import type { TrackerAccess } from './session.ts';
import type { TrackerFinder } from './tracker-finder.ts';
import { unreadableToken, type TokenCipher } from './secrets/encrypted-token.ts';
import { grownTo } from '../lib/grown-to.ts';

/** Maximum of cached backends; an evicted one learns the behaviour of its tracker again. */
const MAX_BACKENDS = 10_000;

export interface TrackerBackendsDeps {
  readonly client: Pick<TrackerClient, 'request'>;
  readonly cipher: TokenCipher;
  readonly cache: TrackerCache;
  readonly clock: Clock;
  /** True: pages are asked to poll instead of waiting for a tracker. */
  readonly answerNotReady: boolean;
  /** Absent: uses the kind in the settings. */
  readonly finder?: Pick<TrackerFinder, 'kindOf' | 'doubt'>;
  /** See `TrackerAccess`. */
  readonly leftOut?: TrackerAccess['leftOut'];
}

/**
 * Backends of projects with external trackers. One per settings, because it holds the learnt behaviour and rate limits
 * of the tracker.
 */
export class TrackerBackends {
  readonly #deps: TrackerBackendsDeps;
  readonly #changes = new StatusChanges();
  readonly #backends = new LRUCache<string, ErrorBackend>(grownTo(MAX_BACKENDS));

  constructor(deps: TrackerBackendsDeps) {
    this.#deps = deps;
  }

  /** Throws `tracking_disabled` for settings without a project. `mayPoll`: the caller can repeat the request. */
  backendFor(settings: TrackingSettings, mayPoll = false): ErrorBackend {
    const { cache, clock, answerNotReady } = this.#deps;
    const atOnce = mayPoll && answerNotReady;
    const scope = cache.scopeOf(settings);
    const tracker = this.directFor(settings);
    return new CachedBackend(tracker, { cache, changes: this.#changes, scope, now: () => clock.now(), atOnce });
  }

  /** Backend that asks the tracker each time, for jobs. Throws `tracking_disabled` for settings without a project. */
  directFor(settings: TrackingSettings): ErrorBackend {
    const { cache, finder } = this.#deps;
    const kind = finder?.kindOf(settings) ?? settings.tracker?.kind ?? 'unknown';
    const version = settings.tracker?.kind === kind ? settings.tracker.version : null;
    const name = `${cache.scopeOf(settings)} ${kind} ${version ?? ''}`;
    const known = this.#backends.get(name);
    const tracker = known ?? this.#create(settings, kind, version);
    if (known === undefined) this.#backends.set(name, tracker);
    return tracker;
  }

  #create(settings: TrackingSettings, kind: TrackerKind, version: string | null): ErrorBackend {
    const { client, cipher, clock, leftOut, finder } = this.#deps;
    const { projectId, sealedToken } = settings;
    const token = (): string => {
      if (sealedToken === null) throw unreadableToken('there is none');
      return cipher.decrypt(sealedToken, projectId);
    };
    const dialect = new Dialect({ kind, version, now: () => clock.now(), doubted: () => finder?.doubt(settings) });
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
