import assert from 'node:assert/strict';
import type { SourceIssue } from '../../support/fake-source/source-records.ts';
import { faults } from '../../support/fake-tracker/faults.ts';
import { collect, sdkEvent, useReader, wanted } from '../../support/reader-world.ts';

const { signal } = new AbortController();
const HOUR = 3_600_000;
const sumOf = (points: readonly (readonly [number, number])[]): number =>
  points.reduce((sum, [, count]) => sum + count, 0);

describe('what Bugsink has since 2.6', () => {
  const w = useReader('bugsink');

  function addIssue(): SourceIssue {
    const issue = w.source.world.addIssue(w.shop, {
      bodies: [{ body: sdkEvent(1), at: w.now - 2 * HOUR }],
      ...{ count: 3, status: 'resolved', firstSeen: w.now - 100 * HOUR, lastSeen: w.now - 2 * HOUR },
      activity: [
        { type: 'resolved', at: w.now - 90 * HOUR },
        { type: 'regressed', at: w.now - 80 * HOUR },
        { type: 'resolved', at: w.now - HOUR },
      ],
    });
    w.source.world.touch(issue, w.now - 50 * HOUR);
    issue.notes.push({ id: '1', author: 'Ada', at: w.now - 1000, text: 'seen again' });
    return issue;
  }

  const readAll = async (reader = w.reader) => {
    await collect(reader.projects(signal));
    const [issue] = (await collect(reader.issues('shop', 'all', null, signal))).flatMap(({ issues }) => issues);
    assert.ok(issue);
    const found = issue.isWhole ? { issue } : await reader.issue('shop', issue.id, signal);
    assert.ok(found);
    return {
      changedAt: found.issue.status?.changedAt ?? null,
      hours: sumOf(found.issue.hours),
      days: sumOf(found.issue.days),
      comments: (await reader.comments('shop', issue.id, signal)).map(({ author, text }) => `${author}: ${text}`),
      ofProject: sumOf((await reader.days('shop', signal)) ?? []),
      event: (await reader.issueOfEvent('shop', sdkEvent(1).event_id as string, signal)) === issue.id,
    };
  };
  const NOTHING = { changedAt: null, hours: 0, days: 0, comments: [], ofProject: 0, event: false };
  const all = () => ({
    ...{
      changedAt: Math.floor(w.now - HOUR),
      hours: 3,
      days: 4,
      comments: ['Ada: seen again'],
      ofProject: 4,
      event: true,
    },
  });
  const lacks = (reader = w.reader) => reader.cannot.filter((one) => one.includes('from version 2.6')).length;

  it('is read where its API description has it, each history once', async () => {
    addIssue();
    assert.deepEqual(await readAll(), all());
    assert.deepEqual([w.reader.version, lacks()], ['2.6.2', 0]);
    assert.equal(w.source.requests.filter((one) => one.includes('issue-history')).length, 1);
    assert.equal(w.source.requests.filter((one) => one.includes('/schema/')).length, 1);
    w.source.assertClean();
  });

  it('is missing on an older version, which works and says what it lacks', async () => {
    addIssue();
    w.source.world.isOld = true;
    assert.deepEqual(await readAll(), NOTHING);
    assert.deepEqual([w.reader.version, lacks()], ['2.0.14', 5]);
    const events = await collect(w.reader.events('shop', [...w.shop.issues.keys()][0] ?? '', wanted(5), signal));
    assert.equal(events.length, 1);
    assert.ok(w.source.requests.every((one) => !/history|counts|grouping|lookup/.test(one)));
    w.source.assertClean();
  });

  it('is tried where the description cannot be read', async () => {
    addIssue();
    for (const isOld of [false, true]) {
      for (const fault of [faults.status(403, '{}', { 'content-type': 'application/json' }), faults.htmlLogin()]) {
        const reader = await w.open();
        w.source.world.isOld = isOld;
        w.source.fail(fault, /\/schema\//);
        // An unknown event and an unknown route look alike, so events are not looked up.
        const expected = isOld ? NOTHING : { ...all(), event: false };
        assert.deepEqual(await readAll(reader), expected);
        assert.equal(lacks(reader), isOld ? 3 : 0);
        reader.close();
        w.source.heal();
      }
    }
  });

  it('leads to one event of each grouping key, also behind the newest', async () => {
    const issue = w.source.world.addIssue(w.shop, {
      bodies: Array.from({ length: 600 }, (_, index) => ({
        body: { ...sdkEvent(1), event_id: index.toString(16).padStart(32, '0') },
        at: w.now - (600 - index) * 1000,
        hash: index === 200 ? 'b'.repeat(32) : 'a'.repeat(32),
      })),
    });
    const numbers = async () =>
      (await collect(w.reader.events('shop', issue.id, wanted(2), signal))).map(({ eventId }) => parseInt(eventId, 16));
    assert.deepEqual(await numbers(), [599, 598, 200, 0]);
    w.source.world.isOld = true;
    w.reader.close();
    w.reader = await w.open();
    assert.deepEqual(await numbers(), [599, 598, 0]);
  });
});
