import { Counter, type Registry } from './prometheus.ts';

/** Creates the metrics of polls of external trackers. */
export function createPollMetrics(registry: Registry) {
  return {
    polls: new Counter({
      name: 'errgate_alerts_tracker_polls_total',
      help: 'Polls of linked projects in external trackers for alerts, by outcome',
      labelNames: ['outcome'] as const,
      registers: [registry],
    }),
  };
}
