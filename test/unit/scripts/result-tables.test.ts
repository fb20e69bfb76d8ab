import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeResultTables } from '../../../scripts/result-tables.ts';
import { recordResult } from '../../support/record-result.ts';

describe('tables of results', () => {
  let folder: string;
  let before: string | undefined;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'errgate-tables-'));
    before = process.env['ERRGATE_TEST_RESULTS'];
  });
  afterEach(() => {
    if (before === undefined) delete process.env['ERRGATE_TEST_RESULTS'];
    else process.env['ERRGATE_TEST_RESULTS'] = before;
    rmSync(folder, { recursive: true });
  });

  it('hold every row that a test kept, as JSON and for people', () => {
    process.env['ERRGATE_TEST_RESULTS'] = folder;
    recordResult('drill', { rounds: 2, lost: 0, note: 'a|b' });
    recordResult('drill', { rounds: 3, lost: null, note: 'c' });
    recordResult('other', { passed: true });
    const to = join(folder, 'results');
    const made = writeResultTables(folder, to, new Date('2026-11-21T10:00:00Z'));
    assert.deepEqual(
      made,
      ['drill.json', 'drill.md', 'other.json', 'other.md'].map((name) => join(to, name)),
    );
    const drill = JSON.parse(readFileSync(join(to, 'drill.json'), 'utf8')) as object;
    assert.deepEqual(drill, {
      measured_at: '2026-11-21T10:00:00.000Z',
      node: process.version,
      platform: process.platform,
      rows: [
        { rounds: 2, lost: 0, note: 'a|b' },
        { rounds: 3, lost: null, note: 'c' },
      ],
    });
    assert.match(
      readFileSync(join(to, 'drill.md'), 'utf8'),
      /\| rounds \| lost \| note \|\n\| --- \| --- \| --- \|\n\| 2 \| 0 \| a\\\|b \|\n\| 3 \| null \| c \|\n$/,
    );
  });

  it('leave alone what was not measured this time, and nothing is kept without a folder', () => {
    delete process.env['ERRGATE_TEST_RESULTS'];
    recordResult('drill', { rounds: 1 });
    assert.deepEqual(readdirSync(folder), []);
    writeFileSync(join(folder, 'latest.json'), '{}');
    assert.deepEqual(writeResultTables(folder, folder, new Date()), []);
    assert.deepEqual(readdirSync(folder), ['latest.json']);
  });
});
