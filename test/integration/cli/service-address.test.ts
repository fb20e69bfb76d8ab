import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callErrgate } from '../../support/cli-call.ts';
import { startServiceHere } from '../../support/service-here.ts';
import type { StartedService } from '../../support/service-process.ts';

describe('the address that commands show', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'errgate-address-'));
  const services: StartedService[] = [];
  after(async () => {
    await Promise.all(services.map((service) => service.end('SIGTERM')));
    rmSync(dataDir, { recursive: true, force: true });
  });

  async function start(env: NodeJS.ProcessEnv = {}): Promise<StartedService> {
    const service = await startServiceHere(dataDir, { ERRGATE_MIN_FREE_DISK: '1', ...env });
    services.push(service);
    return service;
  }

  it('is that of the running service, also when the command does not have its variables', async () => {
    const { url } = await start();
    const { port } = new URL(url);
    const beside = (env: NodeJS.ProcessEnv, ...args: string[]) =>
      callErrgate(args, { ERRGATE_DATA_DIR: dataDir, ...env });
    const listed = JSON.parse((await beside({}, 'key', 'list', 'demo/shop', '--json')).stdout) as {
      thirdparty_dsn: string;
    }[];
    assert.equal(new URL(listed[0]?.thirdparty_dsn ?? '').host, `localhost:${port}`);
    const created = await beside({}, 'key', 'create', 'demo/shop');
    assert.equal(new URL(created.stdout.trim()).host, `localhost:${port}`);
    const report = await beside({}, 'doctor');
    assert.match(
      report.stdout,
      new RegExp(
        `^ok +external URL +http://localhost:${port}, the address of the running service; .*http://localhost:8080$`,
        'm',
      ),
    );
    await Promise.all(services.splice(0).map((service) => service.end('SIGTERM')));

    await start({ ERRGATE_EXTERNAL_URL: 'https://errors.example.test/sub/' });
    const external = await beside({}, 'key', 'list', 'demo/shop', '--json');
    assert.match(external.stdout, /"https:\/\/\w+@errors\.example\.test\/sub\/errortracking/);
    const differs = await beside({ ERRGATE_EXTERNAL_URL: 'https://other.example.test' }, 'doctor');
    assert.match(
      differs.stdout,
      /^warn +external URL +https:\/\/other\.example\.test for this command, but the running service has https:\/\/errors/m,
    );
  });
});
