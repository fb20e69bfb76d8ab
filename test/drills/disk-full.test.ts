import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildOnce } from '../support/cli-process.ts';
import { IdLoad } from '../support/id-load.ts';
import { IN_FULL_RUN, itInFullRun } from '../support/full-run.ts';
import { recordResult } from '../support/record-result.ts';
import { eventually, type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

const PRELOAD = pathToFileURL(join(import.meta.dirname, '..', 'support', 'fault-preload.mjs')).href;
/** Events around the time without space; each phase sends at least as many. */
const EVENTS = 200;
/** Refusals in a row that prove that the disk is really full: a few small events may still fit into its last page. */
const REFUSALS = 20;
const SENDERS = 4;

interface FullDisk {
  readonly dataDir: string;
  readonly env: NodeJS.ProcessEnv;
  fill(): void;
  makeRoom(): void;
}

async function statusOf(service: ServiceProcess, path: string): Promise<number> {
  const answer = await fetch(service.url + path, { headers: { 'PRIVATE-TOKEN': service.first.token } });
  await answer.arrayBuffer();
  return answer.status;
}

/** Takes events, fills the disk, makes room: what the service must do in each phase. */
async function rideOut(name: string, disk: FullDisk): Promise<void> {
  const service = await startServiceProcess(disk.dataDir, disk.env);
  try {
    const load = new IdLoad(service);
    // The disk fills up under load, in the middle of appends, manifests and transactions.
    load.start(SENDERS);
    await load.acknowledgedAtLeast(EVENTS);
    assert.equal(load.refused.size, 0);
    disk.fill();
    await eventually(
      () => Promise.resolve(load.refused.get(503) ?? 0),
      (refused) => refused >= REFUSALS,
      60_000,
    );
    await load.stop();
    let inARow = 0;
    for (let sent = 0; inARow < REFUSALS; sent += 1) {
      assert.ok(sent < 20_000, 'a full disk goes on taking events');
      const status = await load.send(4000);
      assert.ok(status === 200 || status === 503, `answered ${status}`);
      inARow = status === 503 ? inARow + 1 : 0;
    }
    const taken = load.acknowledged.size;
    const errors = `/api/v4/projects/${service.first.project_id}/error_tracking/errors`;
    for (let read = 0; read < 10; read += 1) assert.equal(await statusOf(service, errors), 200, 'reads go on');
    assert.equal(await statusOf(service, '/-/liveness'), 200);

    disk.makeRoom();
    const began = Date.now();
    await eventually(
      () => load.send(),
      (status) => status === 200,
      60_000,
    );
    const recovered = Date.now() - began;
    for (let sent = 0; sent < EVENTS; sent += 1) assert.equal(await load.send(), 200, 'it stays recovered');
    await load.assertStored(90_000);
    assert.match(service.log(), /ENOSPC|no space|disk/i, 'the process says what happened');
    recordResult('disk-full-drill', {
      disk: name,
      acknowledged: load.acknowledged.size,
      taken_before_full: taken,
      refused: load.refused.get(503) ?? 0,
      lost: 0,
      recovered_after_ms: recovered,
    });
    console.log(
      `      ${load.acknowledged.size} taken, ${load.refused.get(503) ?? 0} refused, taken again after ${recovered} ms: 0 lost`,
    );
    assert.equal(await service.end('SIGTERM'), 0);
  } finally {
    await service.end('SIGKILL');
  }
}

/** Writes until nothing more fits. */
function fillUp(file: string): void {
  const handle = openSync(file, 'w');
  try {
    for (let bytes = 1 << 20; bytes >= 1;) {
      try {
        if (writeSync(handle, Buffer.alloc(bytes)) < bytes) bytes >>= 1;
      } catch {
        bytes >>= 1;
      }
    }
  } finally {
    closeSync(handle);
  }
}

describe('full disk drill', () => {
  let folder: string;
  before(async function () {
    this.timeout(120_000);
    await buildOnce();
  });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'errgate-full-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('an injected ENOSPC: 503, reads continue, events are accepted again without a restart, no acknowledged event is lost', async function () {
    this.timeout(240_000);
    const flag = join(folder, 'no-space');
    await rideOut('injected ENOSPC', {
      dataDir: join(folder, 'data'),
      env: {
        NODE_OPTIONS: `--import=${PRELOAD}`,
        ERRGATE_TEST_NO_SPACE: flag,
        ERRGATE_MIN_FREE_DISK: '1',
      },
      fill: () => writeFileSync(flag, ''),
      makeRoom: () => rmSync(flag),
    });
  });

  // Also a disk that is full to the last byte, in `npm run test:full`.
  const full = IN_FULL_RUN ? ([['full to the last byte', '1']] as const) : [];
  for (const [what, minFree] of [...full, ['below ERRGATE_MIN_FREE_DISK', String(16 * 1024 * 1024)]] as const) {
    itInFullRun(`a real disk of 64 MB ${what}: the same`, async function () {
      this.timeout(240_000);
      try {
        execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'errgate-test', folder], { stdio: 'pipe' });
      } catch (error) {
        console.log(
          `      SKIPPED: mounting a tmpfs is not allowed here (run as root): ${String(error).split('\n')[1] ?? ''}`,
        );
        console.log('      the same with an injected ENOSPC ran above');
        this.skip();
      }
      try {
        const ballast = join(folder, 'ballast');
        await rideOut(what, {
          dataDir: join(folder, 'data'),
          env: { ERRGATE_MIN_FREE_DISK: minFree },
          fill: () => fillUp(ballast),
          makeRoom: () => rmSync(ballast),
        });
      } finally {
        execFileSync('umount', [folder]);
      }
    });
  }
});
