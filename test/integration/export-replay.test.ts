import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callErrgate } from '../support/cli-call.ts';
import { startServiceHere } from '../support/service-here.ts';
import { eventually, type StartedService } from '../support/service-process.ts';
import { CAPTURE_NAMES, captureRecord } from '../unit/integrated/digest/digest-support.ts';

type Row = Record<string, unknown>;

/** Bodies that SDKs sent, under ids of their own. */
function sentBodies(): string[] {
  return CAPTURE_NAMES.flatMap((name, index) => {
    const record = captureRecord(name);
    const body = record === null ? null : (JSON.parse(Buffer.from(record.body).toString('utf8')) as Row);
    if (body === null || body['type'] === 'transaction') return [];
    return [JSON.stringify({ ...body, event_id: index.toString(16).padStart(32, 'a'), timestamp: Date.now() / 1000 })];
  });
}

describe('events of an export', function () {
  this.timeout(120_000);
  const folders: string[] = [];
  const services: StartedService[] = [];

  async function start(): Promise<{ readonly service: StartedService; readonly dataDir: string }> {
    const dataDir = mkdtempSync(join(tmpdir(), 'errgate-replay-'));
    folders.push(dataDir);
    const service = await startServiceHere(dataDir, {});
    services.push(service);
    return { service, dataDir };
  }
  after(async () => {
    for (const service of services) await service.end('SIGTERM');
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  /** Sends bodies to `store/`, and returns the errors once all of them are counted. */
  async function send({ url, first }: StartedService, bodies: readonly string[]): Promise<Row[]> {
    const key = new URL(first.dsn).username;
    for (const body of bodies) {
      const answer = await fetch(`${url}/api/${first.project_id}/store/?sentry_key=${key}`, { method: 'POST', body });
      assert.equal(answer.status, 200, await answer.text());
    }
    const list = `${url}/api/v4/projects/${first.project_id}/error_tracking/errors?per_page=100&status=all`;
    return eventually(
      async () => (await (await fetch(list, { headers: { 'PRIVATE-TOKEN': first.token } })).json()) as Row[],
      (errors) => errors.reduce((sum, { count }) => sum + Number(count), 0) === bodies.length,
    );
  }
  const shown = (errors: readonly Row[]) =>
    errors.map(({ title, type, culprit, level, count }) => JSON.stringify([title, type, culprit, level, count])).sort();

  it('are taken by store/ as they are, and become the same errors', async () => {
    const bodies = sentBodies();
    assert.ok(bodies.length > 20);
    const { service, dataDir } = await start();
    const errors = await send(service, bodies);
    const to = join(dataDir, 'out');
    const { code, stderr } = await callErrgate(['export', '--to', to], { ERRGATE_DATA_DIR: dataDir });
    assert.equal(code, 0, stderr);
    const manifest = JSON.parse(readFileSync(join(to, 'manifest.json'), 'utf8')) as { files: { path: string }[] };
    const lines = manifest.files
      .filter(({ path }) => path.startsWith('events/'))
      .flatMap(({ path }) => readFileSync(join(to, path), 'utf8').split('\n'))
      .filter((line) => line !== '');
    assert.equal(lines.length, bodies.length);
    const other = await start();
    assert.deepEqual(shown(await send(other.service, lines)), shown(errors));
    const { url, first } = other.service;
    const [line = ''] = lines;
    const { event_id: id } = JSON.parse(line) as Row;
    const again = join(other.dataDir, 'out');
    assert.equal((await callErrgate(['export', '--to', again], { ERRGATE_DATA_DIR: other.dataDir })).code, 0);
    const kept = readFileSync(join(again, 'events', '00001.ndjson'), 'utf8')
      .split('\n')
      .find((one) => one.includes(String(id)));
    const theirs = (text: string): string[] => Object.keys((JSON.parse(text) as { _errgate: Row })._errgate);
    assert.deepEqual(theirs(kept ?? ''), theirs(line));
    const own = (text: string): unknown => (JSON.parse(text) as { _errgate: Row })._errgate['received'];
    assert.notEqual(own(kept ?? ''), own(line), `the member of the export at ${url} is of ${first.project_path}`);
  });
});
