import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeBundle, minifiedPair, thrownIn } from '../support/build-tools.ts';
import { buildOnce } from '../support/cli-process.ts';
import { FaultProxy } from '../support/fault-proxy.ts';
import { describeOnMongoInFullRun, TestDatabases } from '../support/mongo-engine.ts';
import { ProcessTool } from '../support/process-tool.ts';
import { readPages } from '../support/read-pages.ts';
import { eventually, startServiceProcess, type ServiceProcess } from '../support/service-process.ts';

const MIB = 1024 * 1024;
const ID = '85350b67-0000-4000-8000-000000000001';

describeOnMongoInFullRun('drill: uploads while the database is away', function (uri) {
  this.timeout(300_000);
  const databases = new TestDatabases(uri);
  let proxy: FaultProxy;
  let service: ServiceProcess;
  let dataDir: string;

  before(async () => {
    await buildOnce();
    dataDir = mkdtempSync(join(tmpdir(), 'errgate-away-'));
    proxy = await FaultProxy.start({ engine: uri });
    service = await startServiceProcess(dataDir, {
      ERRGATE_STORE_URL: proxy.uri(databases.name()),
      ERRGATE_SECRET_KEY: randomBytes(32).toString('hex'),
    });
  });
  after(async () => {
    await service.end('SIGKILL');
    await proxy.close();
    await databases.dropAll();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('are answered 503 and taken again; events wait and are mapped', async () => {
    const tool = new ProcessTool(service);
    const bundle = makeBundle(minifiedPair(ID), { note: randomBytes(3 * MIB).toString('hex') });
    const asked = async (ask: () => Promise<Response>) => {
      const answer = await ask();
      const text = await answer.text();
      return `${answer.status} ${answer.status === 200 ? ((JSON.parse(text || '{}') as { state?: string }).state ?? '') : ''}`;
    };
    const back = async (ask: () => Promise<Response>, wanted: string) => {
      proxy.restore();
      await eventually(
        () => asked(ask),
        (got) => got === wanted,
        60_000,
      );
    };
    // In the middle of a chunk: after its first part.
    const cut = proxy.inject({ command: 'insert', skip: 1, fault: { kind: 'cut' } });
    const during = asked(() => tool.send(bundle));
    await cut.hit;
    proxy.refuse();
    assert.equal(await during, '503 ');
    await back(() => tool.send(bundle), '200 ');
    // While the bundle is put together and its rows are written.
    proxy.refuse();
    assert.equal(await asked(() => tool.assemble(bundle)), '503 ');
    // The event comes while the store is away, and waits for the maps in the journal.
    await tool.sendEvent(thrownIn('app', ID));
    await back(() => tool.assemble(bundle), '200 ok');
    await tool.sendEvent(thrownIn('app', ID));
    const rows = await eventually(
      () =>
        readPages<{ culprit: string; count: number }>(
          service,
          `/api/v4/projects/${service.first.project_id}/error_tracking/errors`,
        ),
      (found) => found.reduce((sum, { count }) => sum + count, 0) === 2,
      60_000,
    );
    assert.ok(rows.some(({ culprit }) => culprit === 'price(src/app.js)'));
  });
});
