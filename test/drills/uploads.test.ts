import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeBundle, minifiedPair, sha1, thrownIn, type BundleFile } from '../support/build-tools.ts';
import { buildOnce } from '../support/cli-process.ts';
import { IN_FULL_RUN, itInFullRun, suiteInFullRun } from '../support/full-run.ts';
import { ProcessTool } from '../support/process-tool.ts';
import { readPages } from '../support/read-pages.ts';
import { recordResult } from '../support/record-result.ts';
import { eventually, startServiceProcess, type ServiceProcess } from '../support/service-process.ts';
import { describeOnStores, type ProcessStore } from '../support/test-stores.ts';
import { makeZip } from '../support/zip.ts';

const MIB = 1024 * 1024;
const ID = '85350b67-0000-4000-8000-000000000001';
const OTHER_ID = '85350b67-0000-4000-8000-000000000002';
/** Files of the large upload, and bytes of the text in its larger map. */
const FILES = IN_FULL_RUN ? 10_000 : 1000;
const LARGE_BYTES = (IN_FULL_RUN ? 28 : 10) * MIB;
/** Bytes that an upload may take while it is opened, beside those of the service. */
const WORKER_BYTES = 300 * MIB;
const OK = { state: 'ok', missingChunks: [], detail: null };

interface ListedUpload {
  readonly id: string;
  readonly complete: boolean;
  readonly files: number;
  readonly problems: readonly { readonly count: number; readonly files: readonly string[] }[];
}
interface ShownEvent {
  readonly exceptions: readonly { readonly frames: readonly { readonly unmapped?: string | null }[] }[];
}
const uploadsOf = (service: ServiceProcess) =>
  readPages<ListedUpload>(service, `/api/v4/projects/${service.first.project_id}/error_tracking/artifacts`);
const culprits = async (service: ServiceProcess) =>
  (
    await readPages<{ culprit: string }>(service, `/api/v4/projects/${service.first.project_id}/error_tracking/errors`)
  ).map(({ culprit }) => culprit);

/** Pair as `minifiedPair` whose source has this many bytes after the function. */
function pairWithText(name: string, bytes: number, debugId = ID): BundleFile[] {
  const [minified, map] = minifiedPair(debugId, name);
  const parts = JSON.parse(String(map!.content)) as { sourcesContent: string[] };
  const sourcesContent = [parts.sourcesContent[0]! + 'export const nothing = 0;\n'.repeat(bytes / 26)];
  return [minified!, { ...map!, content: JSON.stringify({ ...parts, sourcesContent }) }];
}

/** Cuts an upload as tools do. */
function chunksOf(upload: Uint8Array): Uint8Array[] {
  const count = Math.ceil(upload.length / (8 * MIB));
  return Array.from({ length: count }, (_, n) => upload.subarray(n * 8 * MIB, (n + 1) * 8 * MIB));
}

/** Maximum bytes of a process in memory so far. */
const peakOf = ({ child }: ServiceProcess): number =>
  1024 * Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${String(child.pid)}/status`, 'utf8'))?.[1]);

describeOnStores('drill: uploads of build tools', (kind, suite) => {
  suite.timeout(IN_FULL_RUN ? 900_000 : 300_000);
  let dataDir: string;
  let store: ProcessStore;
  let service: ServiceProcess;
  let tool: ProcessTool;

  before(() => buildOnce());
  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'errgate-uploads-'));
    store = kind.forProcesses();
    service = await startServiceProcess(dataDir, store.env);
    tool = new ProcessTool(service);
  });
  afterEach(async () => {
    await service.end('SIGKILL');
    rmSync(dataDir, { recursive: true, force: true });
    await store.remove();
  });

  async function killAndStart(): Promise<void> {
    const { first } = service;
    await service.end('SIGKILL');
    service = await startServiceProcess(dataDir, store.env, first);
    tool.url = service.url;
  }

  /** Asks until an upload is stored. A slow machine answers that it goes on. */
  async function ended(...chunks: readonly Uint8Array[]): Promise<void> {
    const { state, detail } = await eventually(
      () => tool.stateOf(...chunks),
      (answer) => answer.state !== 'created',
      IN_FULL_RUN ? 800_000 : 240_000,
    );
    assert.deepEqual([state, detail], ['ok', null]);
  }

  it('a kill between the chunks and the bundle costs the chunk that was under way alone', async () => {
    const bundle = makeBundle(minifiedPair(ID), { note: randomBytes(20_000).toString('hex') });
    const chunks = [0, 10_000, 20_000].map((at, n) => bundle.subarray(at, n === 2 ? bundle.length : at + 10_000));
    assert.equal((await tool.send(chunks[0]!, chunks[1]!)).status, 200);
    await killAndStart();
    assert.deepEqual((await tool.stateOf(...chunks)).missingChunks, [sha1(chunks[2]!)]);
    assert.equal((await tool.send(chunks[2]!)).status, 200);
    assert.deepEqual(await tool.stateOf(...chunks), OK);
    await tool.sendEvent(thrownIn('app', ID));
    assert.deepEqual(
      await eventually(
        () => culprits(service),
        (rows) => rows.length > 0,
      ),
      ['price(src/app.js)'],
    );
  });

  it('a kill while a bundle is opened is made up for by the next call of the tool', async () => {
    const bundle = makeBundle(Array.from({ length: 200 }, (_, at) => minifiedPair(null, `f${at}`)).flat());
    assert.equal((await tool.send(bundle)).status, 200);
    const asked = tool.assemble(bundle).catch(() => null);
    const work = join(dataDir, 'uploads');
    const [dir = ''] = await eventually(
      async () => readdirSync(work),
      (dirs) => dirs.length > 0,
    );
    await killAndStart();
    await asked;
    assert.ok(!readdirSync(work).includes(dir), 'nothing of it is left');
    await ended(bundle);
    assert.deepEqual(
      (await uploadsOf(service)).map(({ complete, files }) => ({ complete, files })),
      [{ complete: true, files: 400 }],
    );
  });

  it('two builds at once with the same chunks and with others all end, and hostile names stay text', async () => {
    const [first, second] = ['first', 'second'].map((name) => {
      const [minified, map] = minifiedPair(null, name);
      const hostile = JSON.parse(String(map!.content)) as { sources: string[] };
      hostile.sources = [name === 'first' ? '/etc/passwd' : '<script>alert(1)</script>.js'];
      const files: BundleFile[] = [
        { ...minified!, headers: { ...minified!.headers, 'debug-id': `${ID.slice(0, -1)}${name.length}` } },
        {
          ...map!,
          content: JSON.stringify({ ...hostile, sourcesContent: [null] }),
          headers: { 'debug-id': `${ID.slice(0, -1)}${name.length}` },
        },
      ];
      return makeBundle(files);
    });
    const answers = await Promise.all([first!, second!, first!, second!].map((bundle) => tool.upload(bundle)));
    assert.deepEqual(answers, [OK, OK, OK, OK]);
    assert.equal((await uploadsOf(service)).length, 2);
    for (const name of ['first', 'second']) await tool.sendEvent(thrownIn(name, `${ID.slice(0, -1)}${name.length}`));
    const rows = await eventually(
      () => culprits(service),
      (found) => found.length > 1,
    );
    const passwd = rows.find((row) => row.includes('passwd'));
    assert.equal(passwd, 'price(/etc/passwd)');
    assert.ok(rows.some((row) => row.includes('<script>alert(1)</script>.js')));
    const events = JSON.stringify(
      await service.get(`/api/v4/projects/${service.first.project_id}/error_tracking/errors`),
    );
    assert.ok(!events.includes('root:'), 'no file of the machine was read');
  });

  it('that are cut off or have a wrong manifest are refused with the reason, and the next one is taken', async () => {
    const bundle = makeBundle(minifiedPair(ID));
    const manifest = (content: string) => makeZip([{ name: 'manifest.json', content: Buffer.from(content) }]);
    for (const [content, reason] of [
      [bundle.subarray(0, bundle.length - 40), /cannot be read as a zip file/],
      [bundle.subarray(0, 100), /cannot be read as a zip file/],
      [makeZip([]), /has no manifest\.json/],
      [manifest('{"files":'), /not valid JSON/],
      [manifest('{"files":{"files/_/_/gone.js":{"type":"minified_source"}}}'), /not in the bundle/],
    ] as const) {
      const { state, detail } = await tool.upload(content);
      assert.equal(state, 'error');
      assert.match(detail ?? '', reason);
    }
    assert.deepEqual(await tool.upload(bundle), OK);
    assert.equal((await uploadsOf(service)).length, 1);
  });

  itInFullRun(`a map of 100 MB is left out, ${FILES} files are mapped, and the process stays small`, async () => {
    const before = peakOf(service);
    const bundle = makeBundle(
      [
        ...pairWithText('huge', 100 * MIB),
        // Text of a map of this size is read; it takes several times its bytes in the worker.
        ...pairWithText('large', LARGE_BYTES, OTHER_ID),
        ...Array.from({ length: FILES / 2 - 2 }, (_, at) => minifiedPair(null, `f${at}`)).flat(),
      ],
      // Bytes that do not shrink: what unpacks to 200 times its size is refused.
      { release: 'big@1', note: randomBytes(MIB).toString('hex') },
    );
    const chunks = chunksOf(bundle);
    for (const chunk of chunks) assert.equal((await tool.send(chunk)).status, 200);
    await ended(...chunks);
    assert.deepEqual(
      (await uploadsOf(service)).map(({ complete, files, problems }) => [
        complete,
        files,
        problems.map((one) => one.files),
      ]),
      [[true, FILES, [['~/huge.js']]]],
    );
    await tool.sendEvent(thrownIn('huge', ID));
    const tracking = `/api/v4/projects/${service.first.project_id}/error_tracking`;
    const [unmapped] = await eventually(
      () => readPages<{ id: string }>(service, `${tracking}/errors`),
      (found) => found.length > 0,
    );
    const event = (await service.get(`${tracking}/errors/${unmapped!.id}/events/latest`)) as ShownEvent;
    assert.match(event.exceptions[0]?.frames[0]?.unmapped ?? '', /the source map has 10\d MB; at most 48 MB are read/);
    await tool.sendEvent(thrownIn('large', OTHER_ID));
    await tool.sendEvent({ ...thrownIn(`f${FILES / 2 - 3}`, null), release: 'big@1' });
    await eventually(
      () => culprits(service),
      (found) => ['large', `f${FILES / 2 - 3}`].every((name) => found.includes(`price(src/${name}.js)`)),
    );
    const grown = peakOf(service) - before;
    recordResult('upload-drill', { store: kind.name, files: FILES, large_bytes: LARGE_BYTES, grown_bytes: grown });
    assert.ok(grown < WORKER_BYTES, `${grown} bytes more`);
  });
});

suiteInFullRun('drill: uploads to a full disk', () => {
  before(() => buildOnce());

  it('a chunk is answered 503 while events are taken, and is stored when there is room', async function () {
    this.timeout(240_000);
    const folder = mkdtempSync(join(tmpdir(), 'errgate-full-'));
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=192m', 'errgate-test', folder], { stdio: 'pipe' });
    } catch (error) {
      console.log(`      SKIPPED: mounting a tmpfs is not allowed here (run as root): ${String(error)}`);
      rmSync(folder, { recursive: true, force: true });
      this.skip();
    }
    const service = await startServiceProcess(join(folder, 'data'), { ERRGATE_MIN_FREE_DISK: String(4 * MIB) });
    try {
      const tool = new ProcessTool(service);
      const chunk = randomBytes(8 * MIB - 1);
      const ballast = join(folder, 'ballast');
      // Room for events, and for no chunk.
      writeFileSync(ballast, Buffer.alloc(150 * MIB));
      const answer = await tool.send(chunk);
      assert.equal(answer.status, 503);
      assert.notEqual(answer.headers.get('retry-after'), null);
      assert.match(await answer.text(), /free some space/);
      await tool.sendEvent(thrownIn('app', ID));
      rmSync(ballast);
      assert.equal((await tool.send(chunk)).status, 200);
      await eventually(
        () => culprits(service),
        (rows) => rows.length > 0,
      );
      assert.equal(await service.end('SIGTERM'), 0);
    } finally {
      await service.end('SIGKILL');
      execFileSync('umount', [folder]);
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
