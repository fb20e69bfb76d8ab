import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  isZone,
  lastTimeOfDay,
  nextTimeOfDay,
  quietUntil,
  shownTime,
} from '../../../../src/alerts/routing/zoned-time.ts';

const BERLIN = 'Europe/Berlin';
const at = (text: string): number => Date.parse(text);
const iso = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString());

describe('times of day in zones', () => {
  it('takes a time that is skipped as much later', () => {
    // Clocks of Berlin go from 02:00 to 03:00 on 29 March 2026.
    assert.equal(iso(nextTimeOfDay(BERLIN, '02:30', at('2026-03-28T12:00:00Z'))), '2026-03-29T01:30:00.000Z');
    assert.equal(shownTime(BERLIN, at('2026-03-29T01:30:00Z')), '03:30');
    assert.equal(iso(nextTimeOfDay(BERLIN, '02:30', at('2026-03-29T01:30:00Z'))), '2026-03-30T00:30:00.000Z');
  });

  it('takes the first of a time that occurs twice, once that day', () => {
    // Clocks of Berlin go from 03:00 back to 02:00 on 25 October 2026.
    const first = nextTimeOfDay(BERLIN, '02:30', at('2026-10-24T12:00:00Z'));
    assert.equal(iso(first), '2026-10-25T00:30:00.000Z');
    assert.equal(iso(nextTimeOfDay(BERLIN, '02:30', first)), '2026-10-26T01:30:00.000Z');
    assert.equal(lastTimeOfDay(BERLIN, '02:30', at('2026-10-25T01:45:00Z')), first);
  });

  it('ends quiet hours over midnight, and in the night of a change of clocks', () => {
    const night = { from: '22:00', to: '07:00' };
    assert.equal(quietUntil(BERLIN, night, at('2026-07-01T19:59:59Z')), null);
    assert.equal(iso(quietUntil(BERLIN, night, at('2026-07-01T20:00:00Z'))), '2026-07-02T05:00:00.000Z');
    assert.equal(iso(quietUntil(BERLIN, night, at('2026-07-02T04:59:59Z'))), '2026-07-02T05:00:00.000Z');
    assert.equal(quietUntil(BERLIN, night, at('2026-07-02T05:00:00Z')), null);
    assert.equal(iso(quietUntil(BERLIN, night, at('2026-03-28T22:00:00Z'))), '2026-03-29T05:00:00.000Z');
    assert.equal(iso(quietUntil(BERLIN, night, at('2026-10-24T22:00:00Z'))), '2026-10-25T06:00:00.000Z');
  });

  it('ends quiet hours at a time that is skipped or occurs twice, once', () => {
    const night = { from: '22:00', to: '02:30' };
    assert.equal(iso(quietUntil(BERLIN, night, at('2026-03-29T00:59:00Z'))), '2026-03-29T01:30:00.000Z');
    assert.equal(iso(quietUntil(BERLIN, night, at('2026-10-25T00:29:00Z'))), '2026-10-25T00:30:00.000Z');
    assert.equal(quietUntil(BERLIN, night, at('2026-10-25T01:10:00Z')), null, '02:10 for the second time');
  });

  it('has quiet hours within a day, and none between equal times', () => {
    const noon = { from: '12:00', to: '13:00' };
    assert.equal(iso(quietUntil('UTC', noon, at('2026-01-01T12:30:00Z'))), '2026-01-01T13:00:00.000Z');
    assert.equal(quietUntil('UTC', noon, at('2026-01-01T13:00:00Z')), null);
    assert.equal(quietUntil('UTC', { from: '08:00', to: '08:00' }, at('2026-01-01T08:00:00Z')), null);
    assert.equal(quietUntil('UTC', null, at('2026-01-01T08:00:00Z')), null);
  });

  it('takes an unknown zone as UTC', () => {
    assert.equal(isZone('Mars/Olympus'), false);
    assert.equal(iso(nextTimeOfDay('Mars/Olympus', '09:00', at('2026-01-01T08:00:00Z'))), '2026-01-01T09:00:00.000Z');
  });

  it('finds the next time within 26 hours, and quiet hours that end later than now, for any zone and time', () => {
    const zone = fc.constantFrom(
      BERLIN,
      'UTC',
      'America/St_Johns',
      'Australia/Lord_Howe',
      'Pacific/Apia',
      'Asia/Kolkata',
    );
    const time = fc.tuple(fc.nat(23), fc.nat(59)).map((pair) => pair.map((n) => String(n).padStart(2, '0')).join(':'));
    const instant = fc.integer({ min: at('2025-01-01T00:00:00Z'), max: at('2028-01-01T00:00:00Z') });
    fc.assert(
      fc.property(zone, time, time, instant, (inZone, from, to, now) => {
        const next = nextTimeOfDay(inZone, from, now);
        assert.ok(next > now && next <= now + 26 * 3_600_000, `${next - now}`);
        assert.ok(lastTimeOfDay(inZone, from, now) <= now);
        assert.equal(lastTimeOfDay(inZone, from, next), next);
        const end = quietUntil(inZone, { from, to }, now);
        if (end !== null) assert.ok(end > now && quietUntil(inZone, { from, to }, end) === null);
      }),
      { numRuns: 300 },
    );
  });
});
