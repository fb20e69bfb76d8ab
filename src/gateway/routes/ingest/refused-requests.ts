import type { Clock } from '../../../domain/ports/clock.ts';
import type { RefusedRequests } from '../../../domain/ports/health.ts';
import type { Metrics } from '../../../observability/metrics.ts';

export interface RefusalCountsDeps {
  readonly clock: Clock;
  readonly metrics: Pick<Metrics, 'refused'>;
}

/** Counts the requests of SDKs that this process refused. Reasons are a closed set, so there are never many. */
export class RefusalCounts {
  readonly #deps: RefusalCountsDeps;
  readonly #reasons = new Map<string, RefusedRequests>();

  constructor(deps: RefusalCountsDeps) {
    this.#deps = deps;
  }

  /** `projectId`: the number in the address, whoever it belongs to; null where it has none. */
  note(reason: string, projectId: number | null): void {
    this.#deps.metrics.refused.inc({ reason });
    const requests = (this.#reasons.get(reason)?.requests ?? 0) + 1;
    this.#reasons.set(reason, { reason, requests, lastAt: this.#deps.clock.now(), lastProjectId: projectId });
  }

  /** One entry per reason, the one that was met last first. */
  list(): RefusedRequests[] {
    return [...this.#reasons.values()].sort((a, b) => b.lastAt - a.lastAt);
  }
}
