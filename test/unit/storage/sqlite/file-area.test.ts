import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileArea } from '../../../../src/storage/sqlite/files/file-area.ts';
import { partsOf } from '../../../support/artifact-data.ts';

describe('the file area of the embedded store', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'errgate-files-'));
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  it('loses what a killed process began to write, and nothing that is being written', async () => {
    const area = new FileArea(dir, { now: () => 0 });
    await area.removeUnfinished(1e12);
    const unfinished = join(dir, '_unfinished');
    mkdirSync(unfinished);
    for (const [name, seconds] of [
      ['old', 1000],
      ['new', 3000],
    ] as const) {
      writeFileSync(join(unfinished, name), 'half');
      utimesSync(join(unfinished, name), seconds, seconds);
    }
    await area.putFile('maps/ab/whole', partsOf('whole'));
    await area.removeUnfinished(2_000_000);
    assert.deepEqual(readdirSync(unfinished), ['new']);
    assert.deepEqual(await area.knownFiles(['maps/ab/whole']), [{ name: 'maps/ab/whole', bytes: 5 }]);
  });
});
