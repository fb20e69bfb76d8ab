import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../config/load.ts';
import { type RunningService, startService } from '../../src/compose.ts';
import { assertDocumented } from '../support/documented.ts';
import { givenPerson } from '../support/factories.ts';

interface Refused {
  readonly reason: string;
  readonly requests: number;
  readonly last_at: string;
  readonly last_project_id: number | null;
}

const PATH = '/api/v4/admin/health';

describe('requests that are turned away', () => {
  let dataDir: string;
  let service: RunningService;
  let project: number;
  before(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'errgate-refused-'));
    const overrides = { server: { port: 0 }, log: { level: 'silent' }, journal: { minFreeDiskBytes: 0 } } as const;
    service = await startService(loadConfig({ env: {}, overrides }), { dataDir, version: '0.0.0' });
    await service.opened;
    const { store } = service;
    project = (await store.createProject({ path: 'g/p', name: 'p', visibility: 'private' })).id;
    await store.saveSettings(project, { active: true, integrated: true });
    await store.createKey(project, 'glet_right');
    const disabled = await store.createKey(project, 'glet_disabled');
    await store.setKeyActive(project, disabled.id, false);
  });
  after(async () => {
    await service.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const read = async (token: string) => {
    const answer = await fetch(service.url + PATH, { headers: { 'PRIVATE-TOKEN': token } });
    const text = await answer.text();
    assertDocumented('GET', PATH, answer.status, text);
    return { status: answer.status, text };
  };
  const send = async (key: string, to: number | string) => {
    const answer = await fetch(`${service.url}/api/${to}/store/?sentry_key=${key}`, {
      method: 'POST',
      body: '{"message":"nobody sees this"}',
    });
    return answer.status;
  };

  it('are told to administrators with reason, number, time and the project that was asked for', async () => {
    const { token } = await givenPerson(service.store, true);
    assert.deepEqual(JSON.parse((await read(token)).text).refused, []);
    const began = Date.now();
    assert.equal(await send('glet_right', project), 200);
    assert.equal(await send('glet_nobodys', project), 403);
    assert.equal(await send('glet_nobodys', 4711), 403);
    assert.equal(await send('glet_right', 4711), 403);
    assert.equal(await send('glet_right', 'none'), 404);
    assert.equal(await send('glet_disabled', project), 403);
    const { text } = await read(token);
    const { refused } = JSON.parse(text) as { refused: Refused[] };
    assert.deepEqual(
      new Map(refused.map((one) => [one.reason, [one.requests, one.last_project_id]])),
      new Map<string, (number | null)[]>([
        ['unknown_key', [2, 4711]],
        ['other_project', [1, 4711]],
        ['unknown_project', [1, null]],
        ['inactive_key', [1, project]],
      ]),
    );
    for (const { last_at: at } of refused) assert.ok(Date.parse(at) >= began && Date.parse(at) <= Date.now(), at);
    assert.doesNotMatch(text, /glet_|nobody/, 'neither keys nor what was sent');
  });

  it('are nobody else’s affair', async () => {
    const { token } = await givenPerson(service.store, false);
    assert.equal((await read(token)).status, 403);
    assert.equal((await read('glpat-wrong')).status, 401);
  });
});
