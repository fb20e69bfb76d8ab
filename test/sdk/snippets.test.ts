import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SDK_SNIPPETS } from '../../ui/src/components/sdk-snippets.ts';
import { buildOnce } from '../support/cli-process.ts';
import { EVERY_VERSION } from '../support/sdks/every-version.ts';
import { givenSdkProject } from '../support/sdks/sdk-project.ts';
import { SNIPPET_RUNNERS } from '../support/sdks/snippet-runners.ts';
import { eventually, type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

interface Listed {
  readonly title: string;
  readonly count: number;
}

describe('the snippets of the pages', () => {
  let dataDir: string;
  let service: ServiceProcess;

  before(async function () {
    this.timeout(180_000);
    await buildOnce();
    dataDir = mkdtempSync(join(tmpdir(), 'errgate-snippets-'));
    service = await startServiceProcess(dataDir);
  });
  after(async () => {
    assert.equal(await service.end('SIGTERM'), 0);
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('has something that runs each of them', () => {
    assert.deepEqual(SNIPPET_RUNNERS.map(({ id }) => id).sort(), SDK_SNIPPETS.map(({ id }) => id).sort());
  });

  for (const runner of SNIPPET_RUNNERS.filter(({ downloads }) => EVERY_VERSION || !downloads)) {
    it(`${runner.id}: sends its error as it stands there`, async function () {
      this.timeout(900_000);
      const snippet = SDK_SNIPPETS.find(({ id }) => id === runner.id) ?? assert.fail('no such snippet');
      const missing = await runner.prepare();
      if (missing !== null) {
        console.log(`      SKIPPED the snippet of ${snippet.name}: ${missing.missing}`);
        this.skip();
      }
      const { dsn, errors } = await givenSdkProject(service, `snippets/${runner.id}`);
      const run = await runner.run(snippet.code(dsn));
      assert.equal(run.status, 0, run.log);
      const listed = (await eventually(
        () => service.get(errors),
        (all) => (all as Listed[]).length > 0,
      )) as Listed[];
      assert.equal(listed.length, 1, JSON.stringify(listed));
      assert.match(listed[0]?.title ?? '', /my first error/);
      assert.equal(listed[0]?.count, 1);
    });
  }
});
