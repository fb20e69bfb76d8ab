import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildOnce } from '../support/cli-process.ts';
import { readPages } from '../support/read-pages.ts';
import { eventually, startServiceProcess, type ServiceProcess } from '../support/service-process.ts';
import { describeOnStores, type ProcessStore } from '../support/test-stores.ts';

/** Events of public reports about grouping, by file of the fixtures, with the titles of their errors. */
const CASES: Readonly<Record<string, readonly string[]>> = {
  'chunk-load-errors': ['ChunkLoadError: Loading CSS chunk 9 failed.'],
  'go-errors-new-in-one-helper': ['*errors.errorString: disk is full', '*errors.errorString: permission denied'],
  'java-lambdas-of-one-method': ['Exception: first button pressed', 'Exception: second button pressed'],
  'script-error': ['Script error.'],
  'values-without-a-type': ['E_CARD_DECLINED', 'E_DB_DOWN', 'E_TIMEOUT'],
};

interface Row {
  readonly title: string;
  readonly count: number;
}

describeOnStores('events of public reports about grouping', (kind, suite) => {
  suite.timeout(120_000);
  let dataDir: string;
  let store: ProcessStore;
  let service: ServiceProcess;

  before(async () => {
    await buildOnce();
    dataDir = mkdtempSync(join(tmpdir(), 'errgate-reported-'));
    store = kind.forProcesses();
    service = await startServiceProcess(dataDir, store.env);
  });
  after(async () => {
    assert.equal(await service.end('SIGTERM'), 0);
    rmSync(dataDir, { recursive: true, force: true });
    await store.remove();
  });

  async function send(events: readonly object[], name: string): Promise<void> {
    const { url, first } = service;
    const address = `${url}/api/${first.project_id}/store/?sentry_key=${new URL(first.dsn).username}`;
    for (const event of events) {
      const answer = await fetch(address, { method: 'POST', body: JSON.stringify({ ...event, tags: { case: name } }) });
      assert.equal(answer.status, 200, await answer.text());
    }
  }

  for (const [name, titles] of Object.entries(CASES)) {
    it(`of ${name} are ${titles.length === 1 ? 'one error' : `${titles.length} errors`}`, async () => {
      const file = join(import.meta.dirname, '..', 'fixtures', 'reported-events', `${name}.json`);
      const events = JSON.parse(readFileSync(file, 'utf8')) as object[];
      await send(events, name);
      const list = `/api/v4/projects/${service.first.project_id}/error_tracking/errors`;
      const rows = await eventually(
        () => readPages<Row>(service, `${list}?status=all&search=${encodeURIComponent(`tag:case=${name}`)}`),
        (found) => found.reduce((sum, { count }) => sum + count, 0) === events.length,
      );
      assert.deepEqual(rows.map(({ title }) => title.split('\n', 1)[0]).sort(), titles);
    });
  }
});
