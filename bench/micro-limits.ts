/**
 * Nanoseconds that the limits per minute take of each event: `node --import=tsx bench/micro-limits.ts`. Counts this
 * process only.
 */
import { NO_OVERRIDES } from '../src/domain/ingest/protection-overrides.ts';
import { RateLimits } from '../src/integrated/intake/limits/rate-limits.ts';
import { ProjectOverrides } from '../src/integrated/project-overrides.ts';
import { limitsWith } from '../test/support/ingest-app.ts';
import { machineName } from './measure/machine.ts';
import { median } from './measure/statistics.ts';

const RUNS = 15;
const TAKES = 200_000;
const PLENTY = { eventsPerMinute: 1e9 };

const CONFIGS = {
  'nothing set': limitsWith(),
  key: limitsWith({ key: PLENTY }),
  'key, project and instance': limitsWith({ key: PLENTY, project: PLENTY, instance: PLENTY }),
  'these, the spike guard, limits of one project and its own': limitsWith({
    key: PLENTY,
    project: PLENTY,
    instance: PLENTY,
    spikeGuard: { enabled: true },
    projects: { '42': { key: { eventsPerMinute: 1e8 } } },
  }),
};

console.log(machineName());
for (const [name, config] of Object.entries(CONFIGS)) {
  const own = new ProjectOverrides();
  if (config.spikeGuard.enabled) own.replace([[42, { ...NO_OVERRIDES, keyEventsPerMinute: 1e8 }]]);
  const usual = () => ({ perMinute: 1e9, burst: 1e9 });
  const rates = new RateLimits({ config, own: own.of, clock: Date, projectPath: () => 'demo/shop', usual });
  const runs = Array.from({ length: RUNS }, () => {
    const before = process.cpuUsage();
    for (let take = 0; take < TAKES; take += 1) {
      if (rates.take({ projectId: 42, keyId: 1 }, 'events', 1) !== null) throw new Error('a limit was reached');
    }
    const { user, system } = process.cpuUsage(before);
    return ((user + system) * 1000) / TAKES;
  });
  console.log(`${name}: ${median(runs).toFixed(0)} ns, median of ${RUNS}`);
}
