import assert from 'node:assert/strict';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../config/load.ts';
import { checkService } from '../../src/cli/doctor/service-checks.ts';
import { type RunningService, startService } from '../../src/compose/start-service.ts';
import { openStore } from '../../src/storage/open/open-store.ts';
import { sqlite } from '../../src/storage/sqlite/engine/driver.ts';
import { callErrgate } from '../support/cli-call.ts';
import { givenPerson } from '../support/factories.ts';
import { eventually } from '../support/service-process.ts';
import { makeEvent, TestJournal } from '../support/store-data.ts';

/** Overwrites the first page of a table, as a worn disk might. */
function damage(file: string, ...tables: string[]): void {
  for (const table of tables) damageTable(file, table);
}

function damageTable(file: string, table: string): void {
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

function start(dataDir: string): Promise<RunningService> {
  const config = loadConfig({
    env: {},
    // An event that cannot be stored is waited for until the limit.
    overrides: {
      server: { port: 0, shutdownTimeoutMs: 500 },
      log: { level: 'silent' },
      journal: { minFreeDiskBytes: 0 },
    },
  });
  return startService(config, { dataDir, version: '0.0.0' });
}

/** Creates a store with project 1, its key `key` and an administrator's token; returns its data dir. */
async function givenStore(): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'errgate-damaged-'));
  const service = await start(dataDir);
  const { id } = await service.store.createProject({ path: 'g/p', name: 'p', visibility: 'private' });
  await service.store.saveSettings(id, { active: true, integrated: true });
  await service.store.createKey(id, 'key');
  const { token } = await givenPerson(service.store, true);
  writeFileSync(join(dataDir, 'token'), token);
  await service.stop();
  return dataDir;
}

describe('a store file with a damaged page', function () {
  this.timeout(60_000);
  let dataDir: string;
  let service: RunningService;

  before(async () => {
    dataDir = await givenStore();
    damage(join(dataDir, 'errgate.db'), 'event_keys');
    service = await start(dataDir);
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

const DAMAGED = 'the store file is damaged; restore a backup';

describe('a store file with damaged bodies of events', function () {
  this.timeout(60_000);
  let dataDir: string;
  before(async () => {
    dataDir = await givenStore();
    const store = await openStore({ url: 'sqlite:', dataDir });
    const project = await store.projectById(1);
    assert.ok(project !== null);
    await new TestJournal(store).apply(Array.from({ length: 20 }, (_, index) => makeEvent(project, `${index}`)));
    await store.close();
    damage(join(dataDir, 'errgate.db'), 'event_blocks');
  });
  after(() => rmSync(dataDir, { recursive: true, force: true }));

  it('lists errors and events, and says of the events why they cannot be read', async () => {
    const service = await start(dataDir);
    try {
      const headers = { 'PRIVATE-TOKEN': readFileSync(join(dataDir, 'token'), 'utf8') };
      const get = async (path: string) => {
        const answer = await fetch(`${service.url}/api/v4/projects/1/error_tracking/errors${path}`, { headers });
        return { status: answer.status, body: (await answer.json()) as unknown };
      };
      const [error] = (await get('')).body as { id: string; count: number }[];
      assert.equal(error?.count, 20);
      const { body } = await get(`/${error.id}/events`);
      const [event] = body as { event_id: string }[];
      assert.ok(event !== undefined);
      assert.deepEqual(await get(`/${error.id}/events/${event.event_id}`), { status: 503, body: { message: DAMAGED } });
    } finally {
      await service.stop();
    }
  });
});

describe('a store file whose damage only some reads meet', function () {
  this.timeout(60_000);
  let dataDir: string;
  before(async () => {
    dataDir = await givenStore();
    damage(join(dataDir, 'errgate.db'), 'error_groups', 'error_groups_by_last_seen');
  });
  after(() => rmSync(dataDir, { recursive: true, force: true }));

  it('answers these reads with 503 and the reason, and is degraded from then on', async () => {
    const service = await start(dataDir);
    try {
      const get = async (path: string) => {
        const headers = { 'PRIVATE-TOKEN': readFileSync(join(dataDir, 'token'), 'utf8') };
        const answer = await fetch(service.url + path, { headers });
        return { status: answer.status, body: (await answer.json()) as unknown };
      };
      assert.equal((await get('/api/v4/projects/1')).status, 200);
      assert.deepEqual(await get('/api/v4/projects/1/error_tracking/errors'), {
        status: 503,
        body: { message: DAMAGED },
      });
      assert.deepEqual((await get('/-/health')).body, {
        status: 'degraded',
        accepting: true,
        reading: true,
        reason: `some data cannot be read: ${DAMAGED}`,
      });
      assert.equal((await get('/-/readiness?for=reads')).status, 200);
    } finally {
      await service.stop();
    }
  });

  it('is found by doctor, which reads every page, and by a backup', async () => {
    const file = join(dataDir, 'errgate.db');
    const env = { ERRGATE_DATA_DIR: dataDir };
    const { code, stdout } = await callErrgate(['doctor', '--json'], env);
    assert.equal(code, 1);
    const { checks } = JSON.parse(stdout) as {
      checks: { check: string; status: string; message: string; advice: string }[];
    };
    const found = checks.find(({ check }) => check === 'store file');
    assert.equal(found?.status, 'fail');
    assert.ok(found.message.startsWith(`${file} is damaged: `), found.message);
    assert.match(found.advice, /errgate restore FILE/);
    const backup = await callErrgate(['backup', join(dataDir, 'backup.db')], env);
    assert.deepEqual(
      [backup.code, backup.stderr],
      [1, `errgate: ${file} is damaged, so there is no new backup: restore an older one\n`],
    );
    assert.ok(!existsSync(join(dataDir, 'backup.db')));
  });
});
