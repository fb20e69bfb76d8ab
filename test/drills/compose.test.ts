import assert from 'node:assert/strict';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type ComposeService,
  makeComposeSecrets,
  readComposeFile,
  servicesOf,
  volumeAt,
} from '../support/compose-file.ts';
import { buildImage, Containers, IMAGE_USER, lackingContainers } from '../support/containers.ts';
import { ROOT } from '../support/doc-pages.ts';
import { suiteInFullRun } from '../support/full-run.ts';
import { describeOnMongoInFullRun, TestDatabases } from '../support/mongo-engine.ts';
import { findProgram, freePort, proxyFolder, type RunningProxy, startProxy } from '../support/proxies.ts';
import { eventually, type FirstStart } from '../support/service-process.ts';

const IMAGE = 'localhost/errgate-test';
const FILE = readComposeFile();

/**
 * Containers of services of `compose.yaml` with their environment and their volumes, which are folders here. The engine
 * of the tests has no networks, so that each service has a port of its own.
 */
class Services {
  readonly containers = new Containers();
  readonly folder = mkdtempSync(join(tmpdir(), 'errgate-compose-'));

  /** Returns the folder that stands for a volume. */
  volume(name: string | null): string {
    assert.ok(name !== null);
    const folder = join(this.folder, name);
    if (!existsSync(folder)) {
      mkdirSync(folder, { mode: 0o700 });
      chownSync(folder, IMAGE_USER, IMAGE_USER);
    }
    return folder;
  }

  start({ environment = {}, volumes = [] }: ComposeService, port: number): Promise<string> {
    const variables = Object.entries({ ...environment, ERRGATE_PORT: String(port) });
    const mounts = volumes.map((volume) => {
      const [name = '', ...place] = volume.split(':');
      return [this.volume(name), ...place].join(':');
    });
    return this.containers.start(IMAGE, [
      ...variables.flatMap(([name, value]) => ['-e', `${name}=${value}`]),
      ...mounts.flatMap((mount) => ['-v', mount]),
    ]);
  }

  first(service: ComposeService): FirstStart {
    const file = join(this.volume(volumeAt(service, '/data')), 'first-start.json');
    return JSON.parse(readFileSync(file, 'utf8')) as FirstStart;
  }

  async close(): Promise<void> {
    await this.containers.remove();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function ready(port: number): Promise<unknown> {
  return eventually(
    async () => (await fetch(`http://127.0.0.1:${port}/-/readiness`).catch(() => null))?.status,
    (status) => status === 200,
    60_000,
  );
}

/** Sends events through a port; returns how many were accepted. */
async function send({ dsn }: FirstStart, port: number, events: number): Promise<number> {
  const { pathname, username } = new URL(dsn);
  const project = pathname.slice(pathname.lastIndexOf('/') + 1);
  const answers = Array.from({ length: events }, async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/${project}/store/?sentry_key=${username}`, {
      method: 'POST',
      body: JSON.stringify({ message: 'from a service of compose' }),
    }).catch(() => null);
    await answer?.arrayBuffer();
    return answer?.status;
  });
  return (await Promise.all(answers)).filter((status) => status === 200).length;
}

/** Waits until a port shows the only error with this count. */
async function shows({ token, project_id: id }: FirstStart, port: number, count: number): Promise<void> {
  await eventually(
    async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/api/v4/projects/${id}/error_tracking/errors`, {
        headers: { 'PRIVATE-TOKEN': token },
      });
      return ((await answer.json()) as { count: number }[]).map((error) => error.count);
    },
    (counts) => counts.length === 1 && counts[0] === count,
    60_000,
  );
}

async function buildOrSkip(context: Mocha.Context): Promise<void> {
  const why = lackingContainers();
  if (why !== null) {
    console.log(`      SKIPPED services of compose.yaml: ${why}`);
    context.skip();
  }
  await buildImage(ROOT, IMAGE, {});
}

suiteInFullRun('the profile embedded of compose.yaml', function () {
  this.timeout(1_200_000);
  const services = new Services();
  before(function () {
    return buildOrSkip(this);
  });
  after(() => services.close());

  it('takes events, keeps them in its volume, and stops in time', async () => {
    const [service] = servicesOf(FILE, 'embedded').values();
    assert.ok(service);
    const port = await freePort();
    const id = await services.start(service, port);
    await ready(port);
    const first = services.first(service);
    assert.equal(first.url, 'http://localhost:8080');
    assert.equal(await send(first, port, 20), 20);
    await shows(first, port, 20);
    assert.equal(await services.containers.stop(id), 0);
    await services.start(service, port);
    await ready(port);
    await shows(first, port, 20);
  });
});

describeOnMongoInFullRun('the profile cluster of compose.yaml', function (uri) {
  this.timeout(1_200_000);
  const services = new Services();
  const databases = new TestDatabases(uri);
  const cluster = servicesOf(FILE, 'cluster');
  const [first, second, front] = ['gateway-1', 'gateway-2', 'proxy'].map((name) => cluster.get(name));
  let proxy: RunningProxy | null = null;
  before(function () {
    return buildOrSkip(this);
  });
  after(async () => {
    await proxy?.close();
    await services.close();
    await databases.dropAll();
  });

  it('has two gateways that count exactly, while one of them is killed', async function () {
    assert.ok(first && second && front);
    const [one, two, both] = [await freePort(), await freePort(), await freePort()];
    makeComposeSecrets(FILE, services.volume('secrets'));
    // The engine of the tests is no replica set, and has no users.
    writeFileSync(join(services.volume('secrets'), 'errgate', 'store-url'), databases.create());

    await services.start(first, one);
    const victim = await services.start(second, two);
    await Promise.all([ready(one), ready(two)]);
    const start = services.first(first);
    assert.throws(() => services.first(second), 'the first gateway alone makes the first start');

    const caddy = findProgram('caddy');
    if (caddy === undefined) console.log('      SKIPPED proxy of compose.yaml: install caddy (apt-get install caddy)');
    else proxy = await startFront(caddy, front, both, [one, two]);
    const ports = caddy === undefined ? [one, two] : [both];
    const toAll = async (events: number) => {
      let accepted = 0;
      for (const port of ports) accepted += await send(start, port, events);
      return accepted;
    };
    let count = await toAll(20);
    assert.equal(count, 20 * ports.length);
    for (const port of [one, two]) await shows(start, port, count);

    count += await send(start, two, 10);
    await services.containers.kill(victim);
    const whileAway = await send(start, one, 10);
    assert.equal(whileAway, 10);
    count += whileAway;
    await services.start(second, two);
    await ready(two);
    for (const port of [one, two]) await shows(start, port, count);
  });

  /** Starts the proxy of the profile with its own file, in front of other ports. */
  function startFront(
    program: string,
    { environment = {}, volumes = [] }: ComposeService,
    port: number,
    [one, two]: readonly [number, number],
  ): Promise<RunningProxy> {
    const [file = ''] = volumes.filter((volume) => volume.startsWith('./')).map((volume) => volume.split(':')[0] ?? '');
    const { SITE = '', GATEWAYS = '' } = environment;
    const site = SITE.replace('8080', String(port));
    const gateways = GATEWAYS.replace('gateway-1:8080', `127.0.0.1:${one}`).replace(
      'gateway-2:8080',
      `127.0.0.1:${two}`,
    );
    const command = [program, 'run', '--config', join(ROOT, file), '--adapter', 'caddyfile'];
    const isUp = async () => (await fetch(`http://127.0.0.1:${port}/-/readiness`)).status === 200;
    return startProxy(['env', `SITE=${site}`, `GATEWAYS=${gateways}`, ...command], proxyFolder(), isUp);
  }
});
