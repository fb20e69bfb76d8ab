import { LRUCache } from 'lru-cache';
import type { Clock } from '../../domain/ports/clock.ts';
import type { MisaddressedReason, MisaddressedRequests, RefusedRequests } from '../../domain/ports/health.ts';
import type { Metrics } from '../../observability/metrics.ts';

export interface RefusalCountsDeps {
  readonly clock: Clock;
  readonly metrics: Pick<Metrics, 'refused'>;
}

/** Returns true for the reasons of an unknown or foreign key: counted under the project id in the URL. */
function isMisaddressed(reason: string): reason is MisaddressedReason {
  return reason === 'unknown_key' || reason === 'other_project';
}

/** Maximum project ids with separate counts, because clients can send to any id. Evicts the least recently used. */
const MAX_PROJECTS = 1000;

type Counts<Reason extends string> = Map<Reason, RefusedRequests<Reason>>;

/** Counts the requests of SDKs that this process refused. Reasons are a fixed set, so there are few. */
export class RefusalCounts {
  readonly #deps: RefusalCountsDeps;
  readonly #since: number;
  readonly #reasons: Counts<string> = new Map();
  readonly #projects = new LRUCache<number, Counts<MisaddressedReason>>({ max: MAX_PROJECTS });

  constructor(deps: RefusalCountsDeps) {
    this.#deps = deps;
    this.#since = deps.clock.now();
  }

  /** Counts a refused request. `projectId`: the id in the URL, even when unknown; null when it has none. */
  note(reason: string, projectId: number | null): void {
    this.#deps.metrics.refused.inc({ reason });
    this.#add(this.#reasons, reason, projectId);
    if (projectId !== null && isMisaddressed(reason)) this.#add(this.#countsOf(projectId), reason, projectId);
  }

  #add<Reason extends string>(counts: Counts<Reason>, reason: Reason, lastProjectId: number | null): void {
    const requests = (counts.get(reason)?.requests ?? 0) + 1;
    counts.set(reason, { reason, requests, lastAt: this.#deps.clock.now(), lastProjectId });
  }

  /** Returns the counts of a project, and marks it as most recently used. */
  #countsOf(projectId: number): Counts<MisaddressedReason> {
    const known = this.#projects.get(projectId);
    if (known !== undefined) return known;
    const counts: Counts<MisaddressedReason> = new Map();
    this.#projects.set(projectId, counts);
    return counts;
  }

  /** Returns one entry per reason, the latest first. */
  list(): RefusedRequests[] {
    return latestFirst(this.#reasons);
  }

  /** Returns the requests to a project that were refused because the client key is not its own. */
  ofProject(projectId: number): MisaddressedRequests {
    return { since: this.#since, refused: latestFirst(this.#projects.peek(projectId)) };
  }
}

function latestFirst<Reason extends string>(counts: Counts<Reason> | undefined): RefusedRequests<Reason>[] {
  return [...(counts?.values() ?? [])].sort((a, b) => b.lastAt - a.lastAt);
}
