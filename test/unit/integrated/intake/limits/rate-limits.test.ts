import assert from 'node:assert/strict';
import { NO_OVERRIDES, type ProtectionOverrides } from '../../../../../src/domain/ingest/protection-overrides.ts';
import type { LimitsConfig } from '../../../../../src/integrated/intake/limits/limit-rules.ts';
import { RateLimits } from '../../../../../src/integrated/intake/limits/rate-limits.ts';
import { ProjectOverrides } from '../../../../../src/integrated/project-overrides.ts';
import type { Allowance } from '../../../../../src/lib/token-bucket.ts';
import { limitsWith } from '../../../../support/ingest-app.ts';

const MINUTE = 60_000;
const KEY = { projectId: 42, keyId: 1 };
const SECOND_KEY = { projectId: 42, keyId: 2 };
const NEIGHBOUR = { projectId: 43, keyId: 3 };

function setUp(config: LimitsConfig, usual: Allowance | null = null) {
  const clock = { at: 0, now: () => clock.at };
  const own = new ProjectOverrides();
  const projectPath = (id: number) => `demo/p${id}`;
  const rates = new RateLimits({ config, own: own.of, clock, projectPath, usual: () => usual });
  /** How many events of the key are let through at once. */
  const letThrough = (grant = KEY, kind: 'events' | 'sessions' = 'events'): number => {
    let count = 0;
    while (count < 1000 && rates.take(grant, kind, 1) === null) count += 1;
    return count;
  };
  const asks = (given: Partial<ProtectionOverrides>) => own.replace([[KEY.projectId, { ...NO_OVERRIDES, ...given }]]);
  return { clock, rates, letThrough, asks };
}

describe('rate limits', () => {
  it('let everything through where nothing is configured', () => {
    const { rates, letThrough } = setUp(limitsWith());
    assert.equal(letThrough(), 1000);
    assert.equal(rates.flooded(KEY), null);
  });

  it('take those of a project where nothing is configured, and those of no other', () => {
    const { clock, rates, letThrough, asks } = setUp(limitsWith());
    asks({ keyEventsPerMinute: 5, projectEventsPerMinute: 8 });
    assert.deepEqual([letThrough(), letThrough(SECOND_KEY), letThrough(NEIGHBOUR)], [5, 3, 1000]);
    assert.deepEqual(rates.take(KEY, 'events', 1)?.reason, 'key_limit');
    assert.equal(letThrough(KEY, 'sessions'), 1000);
    clock.at += MINUTE;
    assert.deepEqual([letThrough(), letThrough(SECOND_KEY)], [5, 3]);
    asks({});
    assert.equal(letThrough(), 1000);
  });

  it('use the stricter of the configured limit and the one of the project', () => {
    const { letThrough, asks } = setUp(limitsWith({ key: { eventsPerMinute: 10, eventsBurst: 20 } }));
    asks({ keyEventsPerMinute: 1000 });
    assert.equal(letThrough(), 20);
    asks({ keyEventsPerMinute: 4 });
    assert.equal(letThrough(), 4);
  });

  it('keep counting when the settings of a project arrive again, or only scrubbing changes', () => {
    const { letThrough, asks } = setUp(limitsWith());
    asks({ projectEventsPerMinute: 4 });
    assert.equal(letThrough(), 4);
    asks({ projectEventsPerMinute: 4 });
    asks({ projectEventsPerMinute: 4, scrubIps: true });
    assert.equal(letThrough(), 0);
  });

  it('let a burst of one minute through where no burst is configured, and then what comes evenly', () => {
    const { clock, letThrough } = setUp(limitsWith({ key: { eventsPerMinute: 60 } }));
    assert.equal(letThrough(), 60);
    clock.at += 10_000;
    assert.equal(letThrough(), 10);
    clock.at += 10 * MINUTE;
    assert.equal(letThrough(), 60);
  });

  it('let as many through at once as the burst says', () => {
    const { letThrough } = setUp(limitsWith({ key: { eventsPerMinute: 60, eventsBurst: 7 } }));
    assert.equal(letThrough(), 7);
  });

  it('count each key for itself, and the keys of a project together', () => {
    const keys = setUp(limitsWith({ key: { eventsPerMinute: 10 } }));
    assert.deepEqual([keys.letThrough(), keys.letThrough(SECOND_KEY), keys.letThrough(NEIGHBOUR)], [10, 10, 10]);
    const projects = setUp(limitsWith({ project: { eventsPerMinute: 10 } }));
    assert.deepEqual(
      [projects.letThrough(), projects.letThrough(SECOND_KEY), projects.letThrough(NEIGHBOUR)],
      [10, 0, 10],
    );
    const instance = setUp(limitsWith({ instance: { eventsPerMinute: 10 } }));
    assert.deepEqual(
      [instance.letThrough(), instance.letThrough(SECOND_KEY), instance.letThrough(NEIGHBOUR)],
      [10, 0, 0],
    );
  });

  it('take nothing from the others where one limit is reached', () => {
    const { clock, letThrough } = setUp(limitsWith({ key: { eventsPerMinute: 10 }, project: { eventsPerMinute: 15 } }));
    assert.equal(letThrough(), 10);
    assert.equal(letThrough(), 0);
    assert.equal(letThrough(SECOND_KEY), 5);
    clock.at += MINUTE;
    assert.equal(letThrough(), 10);
  });

  it('say which limit it was, and what is to be held back for how long', () => {
    const hit = (config: LimitsConfig, kind: 'events' | 'sessions' = 'events', usual: Allowance | null = null) => {
      const { rates, letThrough } = setUp(config, usual);
      letThrough(KEY, kind);
      return rates.take(KEY, kind, 1);
    };
    const events = { categories: ['error', 'default'], retryAfterSeconds: 6 };
    assert.deepEqual(hit(limitsWith({ key: { eventsPerMinute: 600 } })), {
      reason: 'key_limit',
      scope: 'key',
      ...events,
    });
    assert.deepEqual(hit(limitsWith({ project: { eventsPerMinute: 600 } })), {
      reason: 'project_limit',
      scope: 'project',
      ...events,
    });
    assert.deepEqual(hit(limitsWith({ instance: { eventsPerMinute: 600 } })), {
      reason: 'instance_limit',
      scope: 'organization',
      ...events,
    });
    assert.deepEqual(hit(limitsWith({ spikeGuard: { enabled: true } }), 'events', { perMinute: 600, burst: 100 }), {
      reason: 'spike_guard',
      scope: 'project',
      ...events,
    });
    assert.deepEqual(hit(limitsWith({ key: { sessionsPerMinute: 600 } }), 'sessions'), {
      reason: 'key_limit',
      scope: 'key',
      categories: ['session'],
      retryAfterSeconds: 6,
    });
    assert.equal(hit(limitsWith({ key: { eventsPerMinute: 2 } }))?.retryAfterSeconds, 30);
  });

  it('keep sessions apart from events', () => {
    const { letThrough } = setUp(limitsWith({ key: { eventsPerMinute: 5, sessionsPerMinute: 3 } }));
    assert.deepEqual([letThrough(), letThrough(KEY, 'sessions')], [5, 3]);
    const eventsOnly = setUp(limitsWith({ key: { eventsPerMinute: 5 } }));
    assert.equal(eventsOnly.letThrough(KEY, 'sessions'), 1000);
  });

  it('hold for a project what is configured for it, by path or id', () => {
    const projects = { 'Demo/P42': { key: { eventsPerMinute: 3 } }, '43': { project: { eventsPerMinute: 0 } } };
    const { letThrough } = setUp(limitsWith({ project: { eventsPerMinute: 9 }, projects }));
    assert.deepEqual([letThrough(), letThrough(SECOND_KEY), letThrough(NEIGHBOUR)], [3, 3, 1000]);
  });

  it('have the spike guard where it is switched on, and nothing while it has learned nothing', () => {
    const config = limitsWith({ projects: { '42': { spikeGuard: { enabled: true } } } });
    const guarded = setUp(config, { perMinute: 100, burst: 20 });
    assert.deepEqual([guarded.letThrough(), guarded.letThrough(NEIGHBOUR)], [20, 1000]);
    assert.equal(setUp(config, null).letThrough(), 1000);
  });

  it('read envelopes for their other items until ten times the limit was refused', () => {
    const { clock, rates, letThrough } = setUp(limitsWith({ key: { eventsPerMinute: 60, eventsBurst: 6 } }));
    assert.equal(letThrough(), 6);
    let refused = 1;
    while (rates.flooded(KEY) === null) {
      assert.notEqual(rates.take(KEY, 'events', 1), null);
      refused += 1;
    }
    assert.equal(refused, 60);
    assert.deepEqual(rates.flooded(KEY), {
      reason: 'key_limit',
      scope: 'key',
      categories: ['error', 'default', 'session'],
      retryAfterSeconds: 6,
    });
    assert.equal(rates.flooded(SECOND_KEY), null);
    clock.at += 200;
    assert.equal(rates.flooded(KEY), null, 'with time, some are read again');
  });
});
