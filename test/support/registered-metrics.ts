import { createMetrics } from '../../src/observability/metrics.ts';
import { createPollMetrics } from '../../src/observability/poll-metrics.ts';
import { createTrackerMetrics } from '../../src/observability/tracker-metrics.ts';

/** Labels of every metric of the service by its name. */
export function registeredMetrics(): Map<string, readonly string[]> {
  const metrics = createMetrics();
  const { registry } = metrics;
  createPollMetrics(registry);
  createTrackerMetrics(registry).watchCache(() => 0);
  metrics.watchAlerts(() => null);
  metrics.watchJournal(() => ({ bytes: 0, maxBytes: 0, diskFreeBytes: 0, oldestSeconds: 0 }));
  // The types of prom-client leave the labels out.
  const registered: readonly { name: string; labelNames?: readonly string[] }[] = registry.getMetricsAsArray();
  return new Map(registered.map(({ name, labelNames = [] }) => [name, labelNames]));
}
