import assert from 'node:assert/strict';
import { measureSourceMaps } from '../../bench/measure/source-maps.ts';
import { embeddedStore } from '../../bench/measure/stores.ts';
import { sourceMapReport, uploadsReport } from '../../bench/measure/uploads-report.ts';
import { measureUploads } from '../../bench/measure/uploads.ts';
import { buildOnce } from '../support/cli-process.ts';
import { suiteInFullRun } from '../support/full-run.ts';

const ABOUT = { machine: 'a machine', date: '2026-11-28', note: '' };

/** Cells of a table in Markdown, by the first one of their row. */
function cellsOf(text: string): ReadonlyMap<string, string> {
  const rows = text.split('\n').filter((line) => line.startsWith('| '));
  return new Map(
    rows.map((row) => row.split('|').map((cell) => cell.trim())).map(([, name = '', cell = '']) => [name, cell]),
  );
}

suiteInFullRun('the benchmarks of uploads', function () {
  before(async function () {
    if (process.platform !== 'linux') {
      console.log('      skipped: the memory of a process is read from /proc, which only Linux has');
      this.skip();
    }
    this.timeout(300_000);
    await buildOnce();
  });

  it('measure maps of a small build: all frames of an event are mapped, and each figure is there', async function () {
    this.timeout(300_000);
    const figures = await measureSourceMaps(embeddedStore(), { files: 4, rounds: 2, events: 100, settleMs: 0 });
    const run = { ...ABOUT, rounds: 2, events: 100, figures: { embedded: figures } };
    const cells = cellsOf(sourceMapReport(run));
    assert.equal(cells.size, 17);
    for (const [name, cell] of cells) assert.doesNotMatch(cell, /NaN|undefined|^$/, name);
    assert.equal(figures.openedMs.length, 2);
    for (const ms of [...figures.openedMs, figures.inOne.warm.p50, figures.inSeveral.cold.p50]) assert.ok(ms > 0);
  });

  it('measure intake beside a small upload: each event is stored, and the load ends with the upload', async function () {
    this.timeout(300_000);
    const size = { bytes: 1_000_000, files: 4, eventsPerSecond: 50, seconds: 1 };
    const figures = await measureUploads(embeddedStore(), size);
    const run = { ...ABOUT, eventsPerSecond: 50, figures: { embedded: figures } };
    const cells = cellsOf(uploadsReport(run));
    assert.equal(cells.size, 11);
    for (const [name, cell] of cells) assert.doesNotMatch(cell, /NaN|undefined|^$/, name);
    const { before, beside, after, accepted } = figures;
    assert.deepEqual([before.sent, after.sent], [50, 50]);
    assert.ok(beside.sent > 0);
    assert.equal(accepted, before.sent + beside.sent + after.sent);
    assert.ok(figures.maps > 1);
  });
});
