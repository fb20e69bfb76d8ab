import assert from 'node:assert/strict';
import { NO_OVERRIDES } from '../../../../src/domain/ingest/protection-overrides.ts';
import type { Protection } from '../../../../src/domain/ingest/protection.ts';
import { protectionInForce } from '../../../../src/domain/ingest/protection-in-force.ts';

const NOTHING = { events: null, sessions: null };
const CONFIGURED: Protection = {
  scrubbing: { enabled: true, scrubIps: false, sensitiveFields: ['pin'], safeFields: ['Author', 'mode'] },
  limits: {
    key: { events: { perMinute: 60, burst: 120 }, sessions: { perMinute: 5, burst: 5 } },
    project: NOTHING,
    instance: NOTHING,
    spikeGuard: { factor: 10, minimumPerMinute: 100 },
  },
};
const OFF: Protection = { ...CONFIGURED, scrubbing: { ...CONFIGURED.scrubbing, enabled: false } };

const eventsWith = (configured: Protection, keyEventsPerMinute: number, projectEventsPerMinute: number | null) => {
  const { limits } = protectionInForce(configured, { ...NO_OVERRIDES, keyEventsPerMinute, projectEventsPerMinute });
  return [limits.key.events, limits.project.events];
};

describe('protection in force', () => {
  it('is what is configured where the project asks for nothing', () => {
    assert.deepEqual(protectionInForce(CONFIGURED, NO_OVERRIDES), CONFIGURED);
    assert.deepEqual(protectionInForce(OFF, NO_OVERRIDES), OFF);
  });

  it("adds the project's names to the configured ones, and takes them out of the safe ones, in any case", () => {
    const { scrubbing } = protectionInForce(CONFIGURED, {
      ...NO_OVERRIDES,
      sensitiveFields: ['iban', 'PIN', 'author'],
    });
    assert.deepEqual(scrubbing.sensitiveFields, ['pin', 'iban', 'author']);
    assert.deepEqual(scrubbing.safeFields, ['mode']);
    assert.equal(scrubbing.scrubIps, false);
  });

  it('removes addresses where either side wants it', () => {
    const keeping = { ...NO_OVERRIDES, sensitiveFields: ['iban'] };
    const removing = { ...CONFIGURED, scrubbing: { ...CONFIGURED.scrubbing, scrubIps: true } };
    assert.equal(protectionInForce(CONFIGURED, { ...NO_OVERRIDES, scrubIps: true }).scrubbing.scrubIps, true);
    assert.equal(protectionInForce(removing, keeping).scrubbing.scrubIps, true);
  });

  it('switches scrubbing on where the project has something to hide, not for its limits', () => {
    assert.equal(protectionInForce(OFF, { ...NO_OVERRIDES, sensitiveFields: ['iban'] }).scrubbing.enabled, true);
    assert.equal(protectionInForce(OFF, { ...NO_OVERRIDES, scrubIps: true }).scrubbing.enabled, true);
    assert.equal(protectionInForce(OFF, { ...NO_OVERRIDES, keyEventsPerMinute: 1 }).scrubbing.enabled, false);
  });

  it('takes the stricter of two limits, of the rate and of the burst', () => {
    assert.deepEqual(eventsWith(CONFIGURED, 100, null), [{ perMinute: 60, burst: 100 }, null]);
    assert.deepEqual(eventsWith(CONFIGURED, 1000, 30), [
      { perMinute: 60, burst: 120 },
      { perMinute: 30, burst: 30 },
    ]);
    assert.deepEqual(eventsWith(CONFIGURED, 10, 1), [
      { perMinute: 10, burst: 10 },
      { perMinute: 1, burst: 1 },
    ]);
  });

  it('leaves sessions, the whole service and the spike guard alone', () => {
    const own = { ...NO_OVERRIDES, keyEventsPerMinute: 1, projectEventsPerMinute: 1 };
    const { limits } = protectionInForce(CONFIGURED, own);
    assert.deepEqual(limits.key.sessions, CONFIGURED.limits.key.sessions);
    assert.deepEqual([limits.instance, limits.spikeGuard], [CONFIGURED.limits.instance, CONFIGURED.limits.spikeGuard]);
  });
});
