import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../config/load.ts';
import { type RunningService, startService } from '../../src/compose/start-service.ts';
import { type DigestWorkers, killDigest, watchDigestWorkers } from '../support/digest-workers.ts';
import { givenMember } from '../support/factories.ts';
import { eventually } from '../support/service-process.ts';

const F = '[Filtered]';

interface ShownEvent {
  readonly extra: Record<string, unknown>;
  readonly user: { readonly ip_address: string | null } | null;
}

describe('protection of a project by its own', function () {
  this.timeout(60_000);
  let dataDir: string;
  let threads: DigestWorkers;
  let service: RunningService;
  let projectId: number;
  let token: string;
  let serial = 0;

  const start = async (): Promise<void> => {
    service = await startService(
      loadConfig({
        env: {},
        overrides: { server: { port: 0 }, log: { level: 'silent' }, journal: { minFreeDiskBytes: 0 } },
      }),
      { dataDir, version: '0.0.0' },
    );
  };
  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'errgate-protection-'));
    threads = watchDigestWorkers();
    await start();
    const project = await service.store.createProject({ path: 'g/p', name: 'p', visibility: 'private' });
    projectId = project.id;
    await service.store.saveSettings(projectId, { active: true, integrated: true });
    await service.store.createKey(projectId, 'key');
    ({ token } = await givenMember(service.store, project, 'maintainer'));
    assert.equal(
      await eventually(
        () => send('the key is known'),
        (status) => status === 200,
      ),
      200,
    );
  });
  afterEach(async () => {
    await service.stop();
    threads.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const base = () => `${service.url}/api/v4/projects/${projectId}/error_tracking`;
  const post = (message: string): Promise<Response> =>
    fetch(`${service.url}/api/${projectId}/store/?sentry_key=key`, {
      method: 'POST',
      body: JSON.stringify({ message, extra: { iban: 'DE02', bic: 'x' }, user: { ip_address: '203.0.113.9' } }),
    });
  const send = async (message: string): Promise<number> => (await post(message)).status;
  const put = async (body: object): Promise<void> => {
    const answer = await fetch(`${base()}/protection`, {
      method: 'PUT',
      headers: { 'PRIVATE-TOKEN': token, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    assert.equal(answer.status, 200, await answer.text());
  };
  const get = async (path: string): Promise<unknown> =>
    (await fetch(`${base()}${path}`, { headers: { 'PRIVATE-TOKEN': token } })).json();

  /** Sends an event and answers what REST shows of it. */
  const shown = async (): Promise<ShownEvent> => {
    serial += 1;
    const word = `word${'abcdefghijklmnopqrst'[serial]}`;
    assert.equal(await send(word), 200);
    const [error] = await eventually(
      async () => (await get(`/errors?search=${word}`)) as { readonly id: string }[],
      (found) => found.length === 1,
    );
    return (await get(`/errors/${error?.id ?? ''}/events/latest`)) as ShownEvent;
  };
  const hidden = ({ extra, user }: ShownEvent) => [extra.iban, extra.bic, user?.ip_address ?? null];

  it('hides a field and the address in the first event after it was asked for, and shows them again afterwards', async () => {
    assert.deepEqual(hidden(await shown()), ['DE02', 'x', '203.0.113.9']);
    await put({ sensitive_fields: ['Iban'], scrub_ips: true });
    assert.deepEqual(hidden(await shown()), [F, 'x', null]);
    await put({ sensitive_fields: [], scrub_ips: false });
    assert.deepEqual(hidden(await shown()), ['DE02', 'x', '203.0.113.9']);
  });

  it('refuses events beyond its limit, from the next request on, with the headers that SDKs need', async () => {
    await put({ project_events_per_minute: 2 });
    assert.deepEqual([await send('a'), await send('b')], [200, 200]);
    const refused = await post('c');
    assert.equal(refused.status, 429);
    assert.match(refused.headers.get('Retry-After') ?? '', /^\d+$/);
    assert.match(refused.headers.get('X-Sentry-Rate-Limits') ?? '', /^\d+:error;default:project$/);
    await put({ project_events_per_minute: null, key_events_per_minute: 1 });
    assert.equal(await send('d'), 200);
    assert.match((await post('e')).headers.get('X-Sentry-Rate-Limits') ?? '', /^\d+:error;default:key$/);
    await put({ key_events_per_minute: null });
    assert.equal(await send('f'), 200);
  });

  it('lasts over a restart', async () => {
    await put({ sensitive_fields: ['iban'], key_events_per_minute: 1 });
    await service.stop();
    await start();
    assert.deepEqual(hidden(await shown()), [F, 'x', '203.0.113.9']);
    assert.equal(await send('one too many'), 429);
  });

  it('is in force for the first record of another digest thread', async () => {
    await put({ sensitive_fields: ['iban'] });
    await killDigest(threads);
    // Taken while no thread lives; the next one has received nothing.
    assert.deepEqual(hidden(await shown()), [F, 'x', '203.0.113.9']);
  });

  it('goes with its project', async () => {
    await put({ sensitive_fields: ['iban'] });
    await service.store.deleteProject(projectId);
    assert.deepEqual(await service.store.listProtections(), []);
  });
});
