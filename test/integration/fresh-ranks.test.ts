import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../config/load.ts';
import { type RunningService, startService } from '../../src/compose/start-service.ts';
import { RANKS_EVERY_MS } from '../../src/domain/search/error-query.ts';
import { givenMember } from '../support/factories.ts';
import { describeOnMongo, TestDatabases } from '../support/mongo-engine.ts';
import { eventually } from '../support/service-process.ts';

interface Listed {
  readonly id: string;
  readonly title: string;
  readonly marks: { readonly regressed: object | null };
}

/** Starts a service on a store, and tests where an error that came back stands. */
function suite(url: () => string): void {
  let dataDir: string;
  let service: RunningService;
  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'errgate-ranks-'));
    const overrides = {
      ...{ server: { port: 0 }, log: { level: 'silent' }, store: { url: url() } },
      journal: { minFreeDiskBytes: 0 },
    } as const;
    service = await startService(loadConfig({ env: {}, overrides }), { dataDir, version: '0.0.0' });
  });
  afterEach(async () => {
    await service.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('stands first in the order of what matters without waiting for the next run of the job', async () => {
    await service.opened;
    const { id, ...project } = await service.store.createProject({ path: 'g/p', name: 'p', visibility: 'private' });
    await service.store.saveSettings(id, { active: true, integrated: true });
    await service.store.createKey(id, 'key');
    const { token } = await givenMember(service.store, { id, ...project }, 'developer');
    const send = async (message: string): Promise<number> => {
      const body = JSON.stringify({ message });
      return (await fetch(`${service.url}/api/${id}/store/?sentry_key=key`, { method: 'POST', body })).status;
    };
    const base = `${service.url}/api/v4/projects/${id}/error_tracking/errors`;
    const headers = { 'PRIVATE-TOKEN': token, 'Content-Type': 'application/json' };
    const list = async (sort: string): Promise<Listed[]> =>
      (await (await fetch(`${base}?sort=${sort}&status=unresolved`, { headers })).json()) as Listed[];
    const found = (rows: Listed[], title: string) => rows.find((row) => row.title === title);
    await eventually(
      () => send('came back'),
      (status) => status === 200,
    );
    const came = await eventually(
      () => list('last_seen'),
      (rows) => found(rows, 'came back') !== undefined,
    );
    const answer = await fetch(`${base}/${found(came, 'came back')?.id}`, {
      ...{ method: 'PUT', headers, body: JSON.stringify({ status: 'resolved' }) },
    });
    assert.equal(answer.status, 200);
    await send('new');
    await send('came back');
    await eventually(
      () => list('last_seen'),
      (rows) => found(rows, 'new') !== undefined && found(rows, 'came back')?.marks.regressed !== null,
    );
    const ranked = await eventually(
      () => list('matters'),
      (rows) => found(rows, 'came back') !== undefined,
      RANKS_EVERY_MS / 2,
    );
    assert.equal(ranked[0]?.title, 'came back');
  });
}

describe('an error that came back (SQLite)', function () {
  this.timeout(90_000);
  suite(() => 'sqlite:');
});

describeOnMongo('an error that came back (MongoDB)', function (uri) {
  this.timeout(180_000);
  const databases = new TestDatabases(uri);
  after(() => databases.dropAll());
  suite(() => databases.create());
});
