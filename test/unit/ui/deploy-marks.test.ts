import assert from 'node:assert/strict';
import { deployMarks, deployTexts, placeDeploys } from '../../../ui/src/lib/deploy-marks.ts';

const START = Date.UTC(2026, 0, 15, 12);
const deploy = (minutes: number, release = 'shop@1.4.2', environment = 'production') => ({
  ...{ release, environment },
  finished_at: new Date(START + minutes * 60_000).toISOString(),
});

describe('marks of deploys in a chart', () => {
  it('stand at their time, oldest first, without those outside of it', () => {
    const marks = deployMarks([deploy(75, 'shop@1.4.3'), deploy(25), deploy(-1), deploy(100)]);
    assert.deepEqual(
      placeDeploys(marks, START, 100 * 60_000).map(({ x, text }) => [x, text]),
      [
        [25, '1.4.2 to production'],
        [75, '1.4.3 to production'],
      ],
    );
  });

  it('are said with their time to readers that do not see them; hostile names are text', () => {
    const placed = placeDeploys(deployMarks([deploy(5, 'a@1', '<b>\u202eprod')]), START, 3_600_000);
    assert.match(deployTexts(placed), /^1 to <b>‹U\+202E›prod, .*\d\d:05:00/);
  });

  it('are those of the newest deploys where there are many', () => {
    const marks = deployMarks(Array.from({ length: 80 }, (_, minute) => deploy(minute, `a@${minute}`)));
    const placed = placeDeploys(marks, START, 100 * 60_000);
    assert.deepEqual(
      [placed.length, placed[0]?.text, placed.at(-1)?.text],
      [30, '50 to production', '79 to production'],
    );
  });
});
