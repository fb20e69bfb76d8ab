import { Counter, Gauge, Histogram, type Registry } from './prometheus.ts';

/** Creates the metrics of external trackers. Labels contain neither hosts nor content of trackers. */
export function createTrackerMetrics(registry: Registry) {
  const registers = [registry];
  return {
    requests: new Counter({
      name: 'errgate_tracker_requests_total',
      help: 'Requests to external trackers, repeats included, by kind (read, write) and outcome',
      labelNames: ['kind', 'outcome'] as const,
      registers,
    }),
    requestSeconds: new Histogram({
      name: 'errgate_tracker_request_seconds',
      help: 'Time of requests to external trackers, without waiting for a turn, by kind',
      labelNames: ['kind'] as const,
      buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers,
    }),
    cacheReads: new Counter({
      name: 'errgate_tracker_cache_reads_total',
      help: 'Reads of copies of what external trackers answered, by how they were answered',
      labelNames: ['outcome'] as const,
      registers,
    }),
    rowsLeftOut: new Counter({
      name: 'errgate_tracker_rows_left_out_total',
      help: 'Unusable rows left out of lists of external trackers, counted at each reading of a list, by what they list',
      labelNames: ['thing'] as const,
      registers,
    }),
    /** Reads the memory use of the cache at each scrape. */
    watchCache: (bytes: () => number) => watchCache(registers, bytes),
  };
}

function watchCache(registers: Registry[], bytes: () => number): void {
  new Gauge({
    name: 'errgate_tracker_cache_bytes',
    help: 'Memory of copies of what external trackers answered',
    registers,
    collect() {
      this.set(bytes());
    },
  });
}
