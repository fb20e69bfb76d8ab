import assert from 'node:assert/strict';
import { RefusalCounts } from '../../../../src/gateway/ingest/refused-requests.ts';

const counts = () =>
  new RefusalCounts({ clock: { now: () => 7 }, metrics: { refused: { inc: () => undefined } } as never });

describe('counts of requests with a wrong key', () => {
  it('are kept for each project, and only where no other user can see them', () => {
    const refusals = counts();
    refusals.note('unknown_key', 1);
    refusals.note('other_project', 1);
    refusals.note('unknown_key', 1);
    refusals.note('inactive_key', 1);
    refusals.note('unknown_key', 2);
    refusals.note('unknown_project', null);
    const { since, refused } = refusals.ofProject(1);
    assert.equal(since, 7);
    assert.deepEqual(
      refused.map(({ reason, requests }) => [reason, requests]),
      [
        ['unknown_key', 2],
        ['other_project', 1],
      ],
    );
    assert.deepEqual(refusals.ofProject(3).refused, []);
  });

  it('of the project that was used longest ago are dropped first when there are too many', () => {
    const refusals = counts();
    for (let id = 1; id <= 1000; id += 1) refusals.note('unknown_key', id);
    refusals.note('unknown_key', 1);
    refusals.note('unknown_key', 1001);
    assert.equal(refusals.ofProject(1).refused[0]?.requests, 2);
    assert.deepEqual(refusals.ofProject(2).refused, []);
    assert.equal(refusals.ofProject(3).refused.length, 1);
  });
});
