import { monitorEventLoopDelay as nodeLoopDelay } from 'node:perf_hooks';
import { Gauge, type Registry } from 'prom-client';

export { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Measures the p99 delay of the event loop since the last scrape, in seconds. */
export function monitorEventLoopDelay(registers: Registry[]): Gauge {
  const histogram = nodeLoopDelay({ resolution: 10 });
  histogram.enable();
  return new Gauge({
    name: 'errgate_event_loop_delay_p99_seconds',
    help: 'p99 delay of the main event loop since the last scrape',
    registers,
    collect() {
      const p99 = histogram.percentile(99);
      this.set(Number.isFinite(p99) ? p99 / 1e9 : 0);
      histogram.reset();
    },
  });
}
