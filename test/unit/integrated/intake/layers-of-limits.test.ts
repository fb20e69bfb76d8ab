import assert from 'node:assert/strict';
import { NO_OVERRIDES } from '../../../../src/domain/ingest/protection-overrides.ts';
import type { LimitReason } from '../../../../src/integrated/intake/limits/rate-limits.ts';
import { RateLimits } from '../../../../src/integrated/intake/limits/rate-limits.ts';
import { ProjectOverrides } from '../../../../src/integrated/project-overrides.ts';
import { limitsWith } from '../../../support/ingest-app.ts';

const MINUTE = 60_000;
const [SHOP, BLOG, DOCS] = [42, 43, 44];

const LAYERS = [
  'key',
  'project',
  'instance',
  'sessions',
  'spike guard',
  'of one project',
  'asked by a project',
] as const;
type Layer = (typeof LAYERS)[number];

/** All layers at values that an operator might choose, but for one. */
function gatewayWithout(off: Layer | null) {
  const clock = { at: 0, now: () => clock.at };
  const unless = <T>(layer: Layer, value: T): T | undefined => (off === layer ? undefined : value);
  const config = limitsWith({
    key: {
      eventsPerMinute: unless('key', 100) ?? 0,
      sessionsPerMinute: unless('sessions', 50) ?? 0,
    },
    project: { eventsPerMinute: unless('project', 250) ?? 0 },
    instance: { eventsPerMinute: unless('instance', 600) ?? 0 },
    spikeGuard: { enabled: off !== 'spike guard' },
    projects: unless('of one project', { [String(BLOG)]: { key: { eventsPerMinute: 30 } } }) ?? {},
  });
  const own = new ProjectOverrides();
  if (off !== 'asked by a project') own.replace([[DOCS, { ...NO_OVERRIDES, keyEventsPerMinute: 20 }]]);
  const usual = () => ({ perMinute: 30, burst: 300 });
  return { clock, rates: new RateLimits({ config, own: own.of, clock, projectPath: () => null, usual }) };
}

/** Sends `count` items with each of the keys and answers why the first was refused; null: none was. */
type Sending = { readonly project: number; readonly keys: readonly number[]; readonly count: number };

function refusal(off: Layer | null, { minutes = 1, kind = 'events', sendings }: Traffic): LimitReason | null {
  const { clock, rates } = gatewayWithout(off);
  for (let minute = 0; minute < minutes; minute += 1) {
    for (const { project, keys, count } of sendings) {
      for (const keyId of keys) {
        for (let sent = 0; sent < count; sent += 1) {
          const hit = rates.take({ projectId: project, keyId }, kind, 1);
          if (hit !== null) return hit.reason;
        }
      }
    }
    clock.at += MINUTE;
  }
  return null;
}

interface Traffic {
  readonly minutes?: number;
  readonly kind?: 'events' | 'sessions';
  readonly sendings: readonly Sending[];
}

/** Of each layer the traffic that it alone stops. */
const STOPPED: Readonly<Record<Layer, Traffic & { readonly reason: LimitReason }>> = {
  key: { reason: 'key_limit', sendings: [{ project: SHOP, keys: [1], count: 150 }] },
  project: { reason: 'project_limit', sendings: [{ project: SHOP, keys: [1, 2, 3], count: 90 }] },
  instance: {
    reason: 'instance_limit',
    sendings: [45, 46, 47].map((project) => ({ project, keys: [1, 2, 3].map((key) => 10 * project + key), count: 80 })),
  },
  sessions: { reason: 'key_limit', kind: 'sessions', sendings: [{ project: SHOP, keys: [1], count: 80 }] },
  'spike guard': { reason: 'spike_guard', minutes: 10, sendings: [{ project: SHOP, keys: [1, 2], count: 90 }] },
  'of one project': { reason: 'key_limit', sendings: [{ project: BLOG, keys: [4], count: 60 }] },
  'asked by a project': { reason: 'key_limit', sendings: [{ project: DOCS, keys: [5], count: 60 }] },
};

describe('each layer of the limits per minute', () => {
  for (const layer of LAYERS) {
    it(`stops what no other does: ${layer}`, () => {
      const { reason, ...traffic } = STOPPED[layer];
      assert.equal(refusal(null, traffic), reason);
      assert.equal(refusal(layer, traffic), null, 'let through by all the others together');
    });
  }
});
