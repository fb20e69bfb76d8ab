import assert from 'node:assert/strict';
import { startProgress } from '../../../src/lib/progress.ts';

function collect(): { lines: string[]; write(text: string): void } {
  const lines: string[] = [];
  return { lines, write: (text) => lines.push(text) };
}

describe('startProgress without a terminal', () => {
  it('says nothing during the first second', () => {
    let now = 0;
    const stream = collect();
    const progress = startProgress({ label: 'backing up', unit: 'pages', stream, now: () => now });
    progress.update(1, 10);
    now = 999;
    progress.update(5, 10);
    progress.stop();
    assert.deepEqual(stream.lines, []);
  });

  it('writes a line each few seconds, with or without a total', () => {
    let now = 0;
    const stream = collect();
    const progress = startProgress({ label: 'backing up', unit: 'pages', stream, now: () => now });
    for (now = 0; now <= 7000; now += 500) progress.update(now / 500, now < 5000 ? 20 : null);
    progress.stop();
    assert.deepEqual(stream.lines, [
      'backing up: 2 of 20 pages\n',
      'backing up: 8 of 20 pages\n',
      'backing up: 14 pages\n',
    ]);
  });
});
