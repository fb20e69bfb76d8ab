import assert from 'node:assert/strict';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../config/load.ts';
import { checkService } from '../../src/cli/doctor/service-checks.ts';
import { type RunningService, startService } from '../../src/compose/start-service.ts';
import { sqlite } from '../../src/storage/sqlite/driver.ts';
import { eventually } from '../support/service-process.ts';

/** Overwrites the first page of a table, as a worn disk might. */
function damage(file: string, table: string): void {
  const db = new sqlite.DatabaseSync(file);
  const { rootpage } = db.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(table) as unknown as {
    rootpage: number;
  };
  const { page_size: bytes } = db.prepare('PRAGMA page_size').get() as unknown as { page_size: number };
  db.close();
  const disk = openSync(file, 'r+');
  writeSync(disk, Buffer.alloc(bytes, 0xa5), 0, bytes, (rootpage - 1) * bytes);
  closeSync(disk);
}

describe('a store file with a damaged page', function () {
  this.timeout(60_000);
  let dataDir: string;
  let service: RunningService;

  const start = () =>
    startService(
      loadConfig({
        env: {},
        overrides: { server: { port: 0 }, log: { level: 'silent' }, journal: { minFreeDiskBytes: 0 } },
      }),
      { dataDir, version: '0.0.0' },
    );
  before(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'errgate-damaged-'));
    service = await start();
    const { id } = await service.store.createProject({ path: 'g/p', name: 'p', visibility: 'private' });
    await service.store.saveSettings(id, { active: true, integrated: true });
    await service.store.createKey(id, 'key');
    await service.stop();
    damage(join(dataDir, 'errgate.db'), 'event_keys');
    service = await start();
  });
  after(async () => {
    await service.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('does not stop the service accepting events; health and doctor say that they are not stored, and why', async () => {
    const sent = await fetch(`${service.url}/api/1/store/?sentry_key=key`, { method: 'POST', body: '{"message":"x"}' });
    assert.equal(sent.status, 200);
    const health = async () => (await (await fetch(`${service.url}/-/health`)).json()) as Record<string, unknown>;
    await eventually(health, ({ status }) => status === 'degraded');
    const reason = 'new events are not stored: the store file is damaged; restore a backup';
    assert.deepEqual(await health(), { status: 'degraded', accepting: true, reading: true, reason });
    const readiness = await fetch(`${service.url}/-/readiness`);
    assert.deepEqual([readiness.status, await readiness.json()], [200, { accepting: true, reading: true }]);
    const run = { pid: process.pid, url: service.url, started_at: '2026-11-23T00:00:00Z' };
    const { status, message, advice } = await checkService(run, true);
    assert.equal(status, 'fail');
    assert.match(message, /accepts events, but does not store them: .*the store file is damaged; restore a backup/);
    assert.match(advice ?? '', /Backup and restore/);
  });
});
