import assert from 'node:assert/strict';
import { axisEnd } from '../../../ui/src/lib/chart-scale.ts';
import { axisTicks, bucketTimes } from '../../../ui/src/lib/chart-times.ts';
import { passwordProblem } from '../../../ui/src/lib/password-problem.ts';
import { warningsOf } from '../../../ui/src/pages/members/risky-change.ts';
import { seriesOf, usageOfKeys } from '../../../ui/src/pages/outcomes/usage.ts';
import { shownKey } from '../../../ui/src/pages/settings/shown-key.ts';

const HOUR = 3_600_000;

describe('the scale of a chart', () => {
  it('ends at a round number that is not below the greatest count', () => {
    const most = [0, 1, 4, 5, 11, 20, 21, 99, 101, 4_001];
    assert.deepEqual(most.map(axisEnd), [4, 4, 4, 5, 20, 20, 40, 100, 200, 5_000]);
  });

  it('has ticks on days at their true distances, also where buckets begin at other hours', () => {
    const now = new Date(2026, 2, 12, 15, 30).getTime();
    const times = bucketTimes(7 * 24 * HOUR, 6 * HOUR, now);
    const ticks = axisTicks(times, 6 * HOUR, 7);
    assert.deepEqual(
      ticks.map(({ text }) => text),
      ['Fri 6', 'Sat 7', 'Sun 8', 'Mon 9', 'Tue 10', 'Wed 11', 'Thu 12'].slice(-ticks.length),
    );
    assert.ok(ticks.length >= 6);
    for (const [index, { place, text }] of ticks.entries()) {
      const at = (times[0] ?? 0) + place * times.length * 6 * HOUR;
      assert.equal(new Date(Math.round(at)).getHours(), 0, text);
      const next = ticks[index + 1];
      if (next !== undefined) assert.ok(Math.abs(next.place - place - 1 / 7) < 1e-9, text);
    }
  });

  it('has ticks at round hours, and at the first of every few days', () => {
    const now = new Date(2026, 2, 12, 15, 30).getTime();
    const hours = axisTicks(bucketTimes(24 * HOUR, HOUR, now), HOUR, 7);
    assert.ok(hours.length >= 5);
    for (const { text } of hours) assert.match(text, /^(00|04|08|12|16|20):00$/);
    const days = bucketTimes(30 * 24 * HOUR, 24 * HOUR, Date.UTC(2026, 2, 12, 12));
    const ticks = axisTicks(days, 24 * HOUR, 7);
    assert.deepEqual([ticks[0], ticks[1]?.text], [{ place: 0, text: 'Feb 11' }, 'Feb 16']);
    assert.equal(ticks.length, 6);
    assert.deepEqual(axisTicks([], HOUR, 7), []);
  });

  it('has whole buckets, the last of which contains now', () => {
    const now = Date.UTC(2026, 2, 10, 12, 30);
    const hours = bucketTimes(24 * HOUR, HOUR, now);
    assert.equal(hours.length, 24);
    assert.equal(hours.at(-1), Date.UTC(2026, 2, 10, 12));
    assert.deepEqual(bucketTimes(7 * 24 * HOUR, 6 * HOUR, now).slice(-2), [
      Date.UTC(2026, 2, 10, 6),
      Date.UTC(2026, 2, 10, 12),
    ]);
  });
});

describe('usage', () => {
  it('is added up per bucket and outcome, and per key', () => {
    const at = (hour: number) => new Date(Date.UTC(2026, 2, 10, hour)).toISOString();
    const times = [Date.UTC(2026, 2, 10, 0), Date.UTC(2026, 2, 10, 6)];
    const rows = [
      { hour: at(1), outcome: 'accepted', quantity: 2 },
      { hour: at(5), outcome: 'accepted', quantity: 3 },
      { hour: at(6), outcome: 'invalid', quantity: 4 },
      { hour: at(23), outcome: 'invalid', quantity: 9 },
    ] as const;
    const counted = seriesOf(rows, times, 6 * HOUR).filter(({ counts }) => counts.some((count) => count > 0));
    assert.deepEqual(
      counted.map(({ name, counts }) => [name, counts]),
      [
        ['Accepted', [5, 0]],
        ['Invalid', [0, 4]],
      ],
    );
    const byKey = usageOfKeys([
      { key_id: 1, outcome: 'accepted', quantity: 5 },
      { key_id: 2, outcome: 'accepted', quantity: 6 },
      { key_id: 1, outcome: 'invalid', quantity: 2 },
    ]);
    assert.deepEqual(byKey, [
      { keyId: 1, accepted: 5, dropped: 2 },
      { keyId: 2, accepted: 6, dropped: 0 },
    ]);
  });
});

describe('the key whose DSN is shown', () => {
  const key = (id: number, last_used_at: string | null, active = true) => ({
    ...{ id, active, public_key: `key${id}`, last_used_at },
    thirdparty_dsn: `https://key${id}@localhost/1`,
  });
  const all = [
    key(1, '2026-03-10T12:00:00Z'),
    key(2, '2026-03-09T12:00:00Z'),
    key(3, null),
    key(4, '2026-03-11T12:00:00Z', false),
  ] as const;

  it('is the active one used last, the newest where none was used, and never one that is being replaced', () => {
    assert.equal(shownKey(all, [])?.id, 1);
    assert.equal(shownKey(all, [{ old: 1 }])?.id, 2);
    assert.equal(shownKey([key(1, null), key(2, null)], [])?.id, 2);
    assert.equal(shownKey([key(1, null)], [{ old: 1 }])?.id, 1);
    assert.equal(shownKey([key(1, null, false)], []), null);
  });
});

describe('a change of members', () => {
  const member = (id: number, access_level: 40 | 50, state: 'active' | 'blocked' = 'active') => ({
    ...{ id, access_level, state, username: `user${id}`, name: `User ${id}` },
    origins: [{ kind: 'project' as const, path: 'a/b', access_level }],
  });
  /** The same, with a role in the group beside it. */
  const inGroup = (of: ReturnType<typeof member>, access_level: 20 | 50) => ({
    ...of,
    origins: [...of.origins, { kind: 'group' as const, path: 'a', access_level }],
  });
  const me = { id: 1, admin: false };

  it('warns of the last owner, and of what the user loses', () => {
    const alone = [member(1, 50), member(2, 40), member(3, 50, 'blocked')];
    assert.equal(warningsOf(member(1, 50), 40, alone, me).length, 1);
    assert.equal(warningsOf(member(1, 50), 0, alone, me).length, 2);
    assert.match(warningsOf(member(1, 50), 0, alone, { id: 1, admin: true })[0] ?? '', /only owner/);
    assert.match(warningsOf(member(2, 40), 0, [member(2, 40)], { id: 2, admin: false })[0] ?? '', /lose access/);
    assert.deepEqual(warningsOf(member(2, 40), 0, alone, me), []);
    assert.deepEqual(warningsOf(member(1, 50), 40, [...alone, member(4, 50)], me), []);
  });

  it('warns of less where a role by a group stays', () => {
    const owner = inGroup(member(1, 50), 50);
    assert.deepEqual(warningsOf(owner, 0, [owner], me), []);
    const reporter = inGroup(member(1, 50), 20);
    assert.match(warningsOf(reporter, 0, [reporter, member(2, 50)], me).join(), /^You can no longer change/);
  });
});

describe('a new password', () => {
  it('is judged once it is long enough', () => {
    assert.equal(passwordProblem('short', 'ada'), '');
    assert.equal(passwordProblem('long enough', 'ada'), '');
    assert.match(passwordProblem('ADALOVELACE', 'adalovelace'), /differs from your username/);
    assert.match(passwordProblem('x'.repeat(129), 'ada'), /at most 128/);
  });
});
