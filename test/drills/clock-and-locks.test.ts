import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { SqliteDatabase } from '../../src/storage/sqlite/engine/database.ts';
import { buildOnce, runErrgate } from '../support/cli-process.ts';
import { IdLoad } from '../support/id-load.ts';
import { IN_FULL_RUN, itInFullRun } from '../support/full-run.ts';
import { recordResult } from '../support/record-result.ts';
import { eventually, startServiceProcess } from '../support/service-process.ts';

const PRELOAD = pathToFileURL(join(import.meta.dirname, '..', 'support', 'fault-preload.mjs')).href;
const DAY_MS = 86_400_000;
const SENDERS = 4;
/** Events that must get through in each phase. */
const EVENTS = IN_FULL_RUN ? 150 : 50;
/** Days by which the clock is wrong, one after another. */
const CLOCKS = IN_FULL_RUN ? [0, 1, 0, -1, 1, -1, 0] : [0, 1, -1];
const BACKUPS = IN_FULL_RUN ? 3 : 1;
const SAID = /locked by another process/;
/** Longer than the service waits for a lock by itself. */
const LOCKED_MS = 8000;

describe('drill of clocks and locks', function () {
  this.timeout(180_000);
  let folder: string;
  before(async () => {
    await buildOnce();
  });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'errgate-clock-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('a clock that jumps back and forth by a day under load causes no loss and no duplicates', async () => {
    const clockFile = join(folder, 'clock');
    const dataDir = join(folder, 'data');
    const env = { NODE_OPTIONS: `--import=${PRELOAD}`, ERRGATE_TEST_CLOCK: clockFile, ERRGATE_MIN_FREE_DISK: '1' };
    const service = await startServiceProcess(dataDir, env);
    try {
      const load = new IdLoad(service).start(SENDERS);
      let jumps = 0;
      for (const days of CLOCKS) {
        writeFileSync(clockFile, String(days * DAY_MS));
        await eventually(
          () => Promise.resolve(existsSync(`${clockFile}.0`) ? readFileSync(`${clockFile}.0`, 'utf8') : '0'),
          (wrongBy) => wrongBy === String(days * DAY_MS),
        );
        jumps += 1;
        await load.acknowledgedAtLeast(load.acknowledged.size + EVENTS);
        const errors = `/api/v4/projects/${service.first.project_id}/error_tracking/errors`;
        assert.ok(Array.isArray(await service.get(errors)), 'reads go on');
      }
      await load.stop();
      assert.equal(load.refused.size, 0, 'all were taken');
      await load.assertStored();
      const [row] = (await service.get(
        `/api/v4/projects/${service.first.project_id}/error_tracking/errors?status=all`,
      )) as { first_seen: string; last_seen: string }[];
      const span = Date.parse(row?.last_seen ?? '') - Date.parse(row?.first_seen ?? '');
      assert.ok(span >= 2 * DAY_MS - DAY_MS / 24, 'the clock really jumped');
      recordResult('clock-drill', { jumps, acknowledged: load.acknowledged.size, lost: 0, doubled: 0 });
      assert.equal(await service.end('SIGTERM'), 0);
      // What a start finds was written by a clock that is ahead of its own.
      writeFileSync(clockFile, String(-DAY_MS));
      const again = await startServiceProcess(dataDir, env);
      try {
        const after = new IdLoad(again);
        for (let sent = 0; sent < 10; sent += 1) assert.equal(await after.send(), 200);
        await eventually(
          () => again.get(`/api/v4/projects/${again.first.project_id}/error_tracking/errors?status=all`),
          (rows) => (rows as { count: number }[])[0]?.count === load.acknowledged.size + 10,
        );
        assert.equal(await again.end('SIGTERM'), 0);
      } finally {
        await again.end('SIGKILL');
      }
    } finally {
      await service.end('SIGKILL');
    }
  });

  it('backups under load hold whole events, and block no other process', async () => {
    const dataDir = join(folder, 'data');
    const service = await startServiceProcess(dataDir, { ERRGATE_MIN_FREE_DISK: '1' });
    try {
      const load = new IdLoad(service).start(SENDERS);
      await load.acknowledgedAtLeast(EVENTS);
      let last = 0;
      for (let round = 0; round < BACKUPS; round += 1) {
        const { code, stdout, stderr } = await runErrgate(['backup', join(folder, `${round}.db`), '--json'], {
          ERRGATE_DATA_DIR: dataDir,
        });
        assert.equal(code, 0, stderr);
        const { events } = JSON.parse(stdout) as { events: number };
        assert.ok(events >= last && events <= load.acknowledged.size + SENDERS);
        last = events;
      }
      assert.ok(last > 0);
      await load.stop();
      assert.equal(load.refused.size, 0, 'all were taken');
      await load.assertStored();
      recordResult('lock-drill', { lock: 'backup', acknowledged: load.acknowledged.size, lost: 0, doubled: 0 });
      assert.equal(await service.end('SIGTERM'), 0);
    } finally {
      await service.end('SIGKILL');
    }
  });

  itInFullRun(
    `a store that another program locks for ${LOCKED_MS / 1000} s and more: events are accepted, and stored once afterwards`,
    async () => {
      const dataDir = join(folder, 'data');
      const service = await startServiceProcess(dataDir, { ERRGATE_MIN_FREE_DISK: '1' });
      const other = new SqliteDatabase(join(dataDir, 'errgate.db'), { cacheKib: 1000, busyTimeoutMs: 5000 });
      try {
        const load = new IdLoad(service).start(SENDERS);
        await load.acknowledgedAtLeast(EVENTS);
        other.connection.exec('BEGIN IMMEDIATE');
        const until = Date.now() + LOCKED_MS;
        const before = load.acknowledged.size;
        await eventually(
          () => service.get(`/api/v4/projects/${service.first.project_id}/error_tracking/errors`),
          // On a busy machine the wait for the lock takes longer than it is set to.
          () => Date.now() >= until && SAID.test(service.log()),
          LOCKED_MS * 5,
        );
        other.connection.exec('ROLLBACK');
        assert.ok(load.acknowledged.size > before + EVENTS, 'events are taken meanwhile');
        await load.stop();
        assert.equal(load.refused.size, 0, 'all were taken');
        await load.assertStored();
        assert.match(service.log(), SAID, 'the process says what happened');
        recordResult('lock-drill', {
          lock: 'another writer',
          acknowledged: load.acknowledged.size,
          lost: 0,
          doubled: 0,
        });
        assert.equal(await service.end('SIGTERM'), 0);
      } finally {
        other.close();
        await service.end('SIGKILL');
      }
    },
  );
});
