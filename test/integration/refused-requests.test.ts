import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../config/load.ts';
import { type RunningService, startService } from '../../src/compose/start-service.ts';
import { assertDocumented } from '../support/documented.ts';
import { givenPerson } from '../support/factories.ts';

interface Refused {
  readonly reason: string;
  readonly requests: number;
  readonly last_at: string;
  readonly last_project_id: number | null;
}

const PATH = '/api/v4/admin/health';

describe('rejected requests', () => {
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

  it('are shown to administrators with reason, number, time and the requested project', async () => {
    const { token } = await givenPerson(service.store, true);
    assert.deepEqual(JSON.parse((await read(token)).text).refused, []);
    const began = Date.now();
    assert.equal(await send('glet_right', project), 200);
    assert.equal(await send('glet_nobodys', project), 403);
    assert.equal(await send('glet_nobodys', 4711), 403);
    assert.equal(await send('glet_right', 4711), 403);
    assert.equal(await send('glet_right', 'no.ne'), 404);
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

  it('with a key of another project are shown to maintainers of the requested one', async () => {
    const path = `/api/v4/projects/${project}/error_tracking/refused`;
    const ask = async (level: 30 | 40) => {
      const { user, token } = await givenPerson(service.store, false);
      await service.store.setMember(project, user.id, level);
      const answer = await fetch(service.url + path, { headers: { 'PRIVATE-TOKEN': token } });
      const text = await answer.text();
      assertDocumented('GET', '/api/v4/projects/:id/error_tracking/refused', answer.status, text);
      return { status: answer.status, text };
    };
    const other = (await service.store.createProject({ path: 'g/other', name: 'o', visibility: 'private' })).id;
    await service.store.createKey(other, 'glet_others');
    const countsOf = async () => {
      const { status, text } = await ask(40);
      assert.equal(status, 200);
      assert.doesNotMatch(text, /glet_|nobody/);
      const { refused } = JSON.parse(text) as { refused: Refused[] };
      return Object.fromEntries(refused.map(({ reason, requests }) => [reason, requests])) as Record<string, number>;
    };
    const before = await countsOf();
    assert.equal(await send('glet_typo', project), 403);
    assert.equal(await send('glet_typo', project), 403);
    assert.equal(await send('glet_others', project), 403);
    assert.equal(await send('glet_typo', other), 403);
    assert.equal(await send('glet_disabled', project), 403);
    assert.deepEqual(await countsOf(), {
      unknown_key: (before.unknown_key ?? 0) + 2,
      other_project: (before.other_project ?? 0) + 1,
    });
    assert.equal((await ask(30)).status, 403);
  });

  it('are not shown to other users', async () => {
    const { token } = await givenPerson(service.store, false);
    assert.equal((await read(token)).status, 403);
    assert.equal((await read('glpat-wrong')).status, 401);
  });
});
