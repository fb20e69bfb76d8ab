import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formOf, makeBundle, minifiedPair, sha1 } from '../support/build-tools.ts';
import { buildOnce } from '../support/cli-process.ts';
import { readPages } from '../support/read-pages.ts';
import { eventually, startServiceProcess, type ServiceProcess } from '../support/service-process.ts';
import { suiteInFullRun } from '../support/full-run.ts';

const BUNDLE = makeBundle(minifiedPair('85350b67-0000-4000-8000-000000000001'));

suiteInFullRun('drill: a service that is killed after it answered an upload', function () {
  this.timeout(180_000);
  let dataDir: string;
  let service: ServiceProcess;

  before(async () => {
    await buildOnce();
    dataDir = mkdtempSync(join(tmpdir(), 'errgate-pending-'));
    service = await startServiceProcess(dataDir);
  });
  after(async () => {
    await service.end('SIGKILL');
    rmSync(dataDir, { recursive: true, force: true });
  });

  async function ask(path: string, contentType: string, body: Uint8Array | string): Promise<Response> {
    const { url, first } = service;
    const organization = first.project_path.split('/')[0] ?? '';
    const answer = await fetch(`${url}/api/0/organizations/${organization}/${path}/`, {
      method: 'POST',
      headers: { authorization: `Bearer ${first.token}`, 'content-type': contentType },
      body: typeof body === 'string' ? body : new Uint8Array(body),
    });
    assert.equal(answer.status, 200);
    return answer;
  }

  it('opens it after the next start, without another request', async () => {
    const [checksum, projects] = [sha1(BUNDLE), [String(service.first.project_id)]];
    const { body, contentType } = formOf([{ name: 'file', filename: checksum, content: BUNDLE }]);
    await ask('chunk-upload', contentType, body);
    // A pipe without a writer in place of the chunk: reading it never ends.
    const files = join(dataDir, 'errgate.db.files');
    const chunk = readdirSync(files, { recursive: true, encoding: 'utf8' }).find((name) => name.endsWith(checksum));
    const path = join(files, chunk ?? '');
    rmSync(path);
    execFileSync('mkfifo', [path]);
    const assembly = JSON.stringify({ checksum, chunks: [checksum], projects });
    const answer = await ask('artifactbundle/assemble', 'application/json', assembly);
    assert.deepEqual(await answer.json(), { state: 'created', missingChunks: [], detail: null });
    await service.end('SIGKILL');
    rmSync(path);
    writeFileSync(path, BUNDLE);

    service = await startServiceProcess(dataDir);
    const list = `/api/v4/projects/${service.first.project_id}/error_tracking/artifacts`;
    const found = await eventually(
      () => readPages<{ id: string; complete: boolean; problems: unknown[] }>(service, list),
      ([upload]) => upload?.complete === true,
      60_000,
    );
    assert.deepEqual(
      found.map(({ id, problems }) => ({ id, problems })),
      [{ id: checksum, problems: [] }],
    );
    assert.equal(await service.end('SIGTERM'), 0);
  });
});
