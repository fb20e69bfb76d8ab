import type { DigestedEvent } from '../domain/digest.ts';
import type { SessionCounts } from '../domain/session.ts';
import { HOUR_MS, hourOf } from './fold.ts';

/**
 * What is counted together. An empty environment stands for all of them, an empty release for all releases of
 * the project: neither can be the name of one.
 */
export interface ReleaseScope {
  readonly projectId: number;
  readonly environment: string;
  readonly release: string;
}

/** Everything a batch adds to a scope. Of a scope of all releases only the hours are kept. */
export interface ReleaseDelta extends ReleaseScope {
  readonly firstSeen: number;
  readonly lastSeen: number;
  readonly events: number;
  /** Distinct people that the scope had not had before, and of these the crashed. */
  readonly users: number;
  readonly crashedUsers: number;
  readonly counts: SessionCounts;
  /** By whole hour since the epoch, by the time the session began. */
  readonly hours: ReadonlyMap<number, SessionCounts>;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type Sum = Mutable<Omit<ReleaseDelta, 'counts' | 'hours'>> & {
  readonly counts: Mutable<SessionCounts>;
  readonly hours: Map<number, Mutable<SessionCounts>>;
};

/** The scopes in which something of a release and an environment counts, apart from those of all releases. */
export function scopesOf(projectId: number, release: string, environment: string | null): ReleaseScope[] {
  const all = { projectId, environment: '', release };
  return environment === null || environment === '' ? [all] : [all, { ...all, environment }];
}

/** The narrowest of the scopes: what tells whether two updates of a session agree. */
export function ownScope(item: {
  readonly projectId: number;
  readonly release: string;
  readonly environment: string | null;
}): ReleaseScope {
  const { projectId, release, environment } = item;
  return { projectId, environment: environment ?? '', release };
}

/** Adds up what the events and sessions of a batch change in the scopes that they belong to. */
export class ReleaseFold {
  readonly #sums = new Map<string, Sum>();
  /** Most events of a batch are of the release and environment of the one before. */
  #lastEvent: DigestedEvent | null = null;
  #lastSums: readonly Sum[] = [];

  /** A new event; one without a release counts nowhere. */
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
   * Sessions of a release and environment that began in an hour, or what became of some that were counted before.
   * What is counted in a scope must be seen in it, too.
   */
  addSessions(
    item: { readonly projectId: number; readonly release: string; readonly environment: string | null },
    hour: number,
    counts: SessionCounts,
  ): void {
    // Members are not negative: an orderly end alone adds nothing.
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

  /** The release was alive from one time to another. */
  see(
    item: { readonly projectId: number; readonly release: string; readonly environment: string | null },
    from: number,
    to: number,
  ): void {
    for (const scope of scopesOf(item.projectId, item.release, item.environment)) {
      widen(this.#sumOf(scope), from, to);
    }
  }

  /** A person the scope had not had before. */
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

/** The whole hour since the epoch in which a session counts. */
export function sessionHour(startedAt: number): number {
  return Math.max(hourOf(startedAt), 0);
}

/** Names a scope among those of a batch; releases and environments hold no NUL. */
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
