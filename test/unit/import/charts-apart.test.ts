import assert from 'node:assert/strict';
import type { RemoteIssue } from '../../../src/import/tracker-reader.ts';
import { faults } from '../../support/fake-tracker/faults.ts';
import { collect, useReader } from '../../support/reader-world.ts';

const { signal } = new AbortController();
const DAY = 86_400_000;

const sumOf = (points: RemoteIssue['hours']): number => points.reduce((sum, [, count]) => sum + count, 0);

describe('charts of GlitchTip, which has them apart from its issues', () => {
  const w = useReader('glitchtip');

  const listed = async (): Promise<RemoteIssue[]> =>
    (await collect(w.reader.issues('shop', 'all', null, signal))).flatMap(({ issues }) => issues);
  const chartsAsked = (): string[] => w.source.requests.filter((one) => one.includes('/issues-stats/'));

  it('are read for a whole page at once, of 24 hours and of 14 days', async () => {
    for (let index = 0; index < 120; index += 1) {
      const issue = w.source.world.addIssue(w.shop, {
        count: 3,
        lastSeen: w.now - 2 * 3_600_000,
        firstSeen: w.now - DAY,
      });
      w.source.world.touch(issue, w.now - 3 * DAY);
    }
    const issues = await listed();
    assert.equal(issues.length, 120);
    // Two pages, of which each has two charts.
    assert.equal(chartsAsked().length, 4);
    for (const { hours, days, users } of issues) {
      assert.deepEqual([hours.length, sumOf(hours), days.length, sumOf(days), users], [24, 3, 30, 4, null]);
      assert.ok([...hours, ...days].every(([start]) => start * 1000 <= w.now));
    }
    w.source.assertClean();
  });

  it('come with a single issue where they are wanted', async () => {
    const { id } = w.source.world.addIssue(w.shop, { count: 3, lastSeen: w.now });
    const found = await w.reader.issue('shop', id, signal);
    assert.deepEqual([sumOf(found?.issue.hours ?? []), sumOf(found?.issue.days ?? [])], [3, 3]);
    const without = await w.reader.issue('shop', id, signal, { charts: false });
    assert.deepEqual([without?.issue.hours, without?.issue.days, chartsAsked().length], [[], [], 2]);
  });

  it('are left out once, with the reason, where the version has none or the tracker fails for them alone', async () => {
    w.source.world.addIssues(w.shop, 120);
    for (const [fault, reason] of [
      [faults.status(404, '{"detail":"Not Found"}', { 'content-type': 'application/json' }), /has no such list/],
      [faults.status(500, '{}', { 'content-type': 'application/json' }), /fails with status 500/],
    ] as const) {
      w.source.fail(fault, /issues-stats/);
      w.source.requests.length = 0;
      const reader = await w.open();
      const issues = (await collect(reader.issues('shop', 'all', null, signal))).flatMap((page) => page.issues);
      assert.equal(issues.length, 120);
      assert.ok(issues.every(({ hours, days }) => hours.length + days.length === 0));
      assert.equal(reader.cannot.filter((one) => reason.test(one)).length, 1);
      const answers = new Set(chartsAsked());
      assert.equal(answers.size, 1, 'asked again for other issues');
      reader.close();
      w.source.heal();
    }
  });
});
