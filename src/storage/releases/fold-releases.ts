import type { DigestedEvent } from '../../domain/ingest/digest.ts';
import type { SessionCounts } from '../../domain/releases/session.ts';
import { hourOf } from '../fold.ts';
import { HOUR_MS } from '../../domain/durations.ts';

/**
 * Scope of counts. An empty environment stands for all of them, an empty release for all releases of the project:
 * neither is a valid name.
 */
export interface ReleaseScope {
  readonly projectId: number;
  readonly environment: string;
  readonly release: string;
}

/** All changes of a batch to a scope. A scope of all releases stores only the hours. */
export interface ReleaseDelta extends ReleaseScope {
  readonly firstSeen: number;
  readonly lastSeen: number;
  readonly events: number;
  /** Distinct users new in the scope, and of these the crashed. */
  readonly users: number;
  readonly crashedUsers: number;
  readonly counts: SessionCounts;
  /** Counts by whole hour since the epoch, by the start of the session. */
  readonly hours: ReadonlyMap<number, SessionCounts>;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type Sum = Mutable<Omit<ReleaseDelta, 'counts' | 'hours'>> & {
  readonly counts: Mutable<SessionCounts>;
  readonly hours: Map<number, Mutable<SessionCounts>>;
};

/** Returns the scopes for a release and an environment, without those of all releases. */
export function scopesOf(projectId: number, release: string, environment: string | null): ReleaseScope[] {
  const all = { projectId, environment: '', release };
  return environment === null || environment === '' ? [all] : [all, { ...all, environment }];
}

/** Returns the narrowest scope, by which updates of a session are compared. */
export function ownScope(item: {
  readonly projectId: number;
  readonly release: string;
  readonly environment: string | null;
}): ReleaseScope {
  const { projectId, release, environment } = item;
  return { projectId, environment: environment ?? '', release };
}

/** Sums up the changes of a batch's events and sessions in their scopes. */
export class ReleaseFold {
  readonly #sums = new Map<string, Sum>();
  /**
   * Last event, whose sums the next one mostly reuses: events of a batch mostly have the same release and environment.
   */
  #lastEvent: DigestedEvent | null = null;
  #lastSums: readonly Sum[] = [];

  /** Adds a new event; one without a release is not counted. */
  addEvent(event: DigestedEvent): void {
    const { projectId, release, environment, at } = event;
    if (release === null) {
      return;
    }
    const last = this.#lastEvent;
    if (last?.projectId !== projectId || last.release !== release || last.environment !== environment) {
      this.#lastSums = scopesOf(projectId, release, environment).map((scope) => this.#sumOf(scope));
      this.#lastEvent = event;
    }
    for (const sum of this.#lastSums) {
      sum.events += 1;
      widen(sum, at, at);
    }
  }

  /**
   * Adds sessions of a release and environment that began in an hour, or later changes of counted ones. Callers must
   * also call `see`, which sets the times of the scopes.
   */
  addSessions(
    item: { readonly projectId: number; readonly release: string; readonly environment: string | null },
    hour: number,
    counts: SessionCounts,
  ): void {
    // Counts are never negative, so a sum of 0 means no change, such as an orderly end.
    if (counts.sessions + counts.errored + counts.crashed + counts.abnormal + counts.unhandled === 0) {
      return;
    }
    for (const scope of scopesOf(item.projectId, item.release, item.environment)) {
      addAt(this.#sumOf(scope), hour, counts);
      const all = this.#sumOf({ ...scope, release: '' });
      addAt(all, hour, counts);
      widen(all, hour * HOUR_MS, hour * HOUR_MS);
    }
  }

  /** Records that the release was in use from one time to another. */
  see(
    item: { readonly projectId: number; readonly release: string; readonly environment: string | null },
    from: number,
    to: number,
  ): void {
    for (const scope of scopesOf(item.projectId, item.release, item.environment)) {
      widen(this.#sumOf(scope), from, to);
    }
  }

  /** Adds a user new in the scope. */
  addUser(scope: ReleaseScope, crashed: boolean): void {
    this.#sumOf(scope)[crashed ? 'crashedUsers' : 'users'] += 1;
  }

  values(): Iterable<ReleaseDelta> {
    return this.#sums.values();
  }

  #sumOf(scope: ReleaseScope): Sum {
    const key = scopeName(scope);
    let sum = this.#sums.get(key);
    if (sum === undefined) {
      const { projectId, environment, release } = scope;
      sum = {
        ...{ projectId, environment, release, firstSeen: Infinity, lastSeen: -Infinity },
        ...{ events: 0, users: 0, crashedUsers: 0 },
        counts: { ...NO_SESSIONS },
        hours: new Map(),
      };
      this.#sums.set(key, sum);
    }
    return sum;
  }
}

export const NO_SESSIONS: SessionCounts = { sessions: 0, errored: 0, crashed: 0, abnormal: 0, unhandled: 0 };

/** Returns the whole hour since the epoch in which a session counts. */
export function sessionHour(startedAt: number): number {
  return Math.max(hourOf(startedAt), 0);
}

/** Returns the name of a scope within a batch; releases and environments contain no NUL. */
export function scopeName({ projectId, environment, release }: ReleaseScope): string {
  return `${projectId}\0${environment}\0${release}`;
}

function widen(sum: Sum, from: number, to: number): void {
  if (from < sum.firstSeen) {
    sum.firstSeen = from;
  }
  if (to > sum.lastSeen) {
    sum.lastSeen = to;
  }
}

function addAt(sum: Sum, hour: number, counts: SessionCounts): void {
  let ofHour = sum.hours.get(hour);
  if (ofHour === undefined) {
    ofHour = { ...NO_SESSIONS };
    sum.hours.set(hour, ofHour);
  }
  for (const target of [sum.counts, ofHour]) {
    target.sessions += counts.sessions;
    target.errored += counts.errored;
    target.crashed += counts.crashed;
    target.abnormal += counts.abnormal;
    target.unhandled += counts.unhandled;
  }
}
