import assert from 'node:assert/strict';
import { openUpload } from '../../../src/artifacts/bundles/open-upload.ts';
import { pruneUploads } from '../../../src/artifacts/uploads/prune-uploads.ts';
import type { UploadDeps } from '../../../src/artifacts/uploads/upload-service.ts';
import type { Project } from '../../../src/domain/projects/project.ts';
import type { Store } from '../../../src/domain/ports/stores/store.ts';
import type { UploadRequest } from '../../../src/domain/ports/uploads.ts';
import { partsOf } from '../../support/artifact-data.ts';
import { makeBundle, minifiedPair, sha1 } from '../../support/build-tools.ts';
import { fakeLogger } from '../../support/fake-logger.ts';
import { FrailStore } from '../../support/frail-store.ts';
import { closedGate, type Gate } from '../../support/gate.ts';
import { eventually } from '../../support/service-process.ts';
import { makeProject } from '../../support/store-data.ts';
import { describeOnStores, type OpenedStore } from '../../support/test-stores.ts';
import { openUploads } from '../../support/test-uploads.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Later than any file was written. */
const LATEST = 8e15;
const BUNDLE = makeBundle(minifiedPair('85350b67-0000-4000-8000-000000000001'));
const LIMITS = { unusedDays: 90, projectMaxBytes: 1e9 };

type Read = NonNullable<UploadDeps['read']>;

/** Opens an upload in this thread, which is faster to begin than a worker. */
const openHere: Read = (upload) => openUpload({ ...upload, tooLarge: [] }, () => undefined);

describeOnStores('uploads that were answered before they are opened', (kind, suite) => {
  suite.timeout(180_000);
  const clock = { at: Date.UTC(2026, 5, 1), now: () => clock.at };
  let opened: OpenedStore;
  let store: Store;
  let project: Project;
  let closers: (() => Promise<void>)[];

  beforeEach(async () => {
    opened = await kind.open(clock);
    store = opened.store;
    project = await makeProject(store);
    closers = [];
  });
  afterEach(async () => {
    for (const close of closers) await close();
    await opened.dispose();
  });

  /**
   * Gateway that answers at once, and opens no upload before its gate is open. `kill`: while it opens one, its calls of
   * the store never return from then on.
   */
  async function givenGateway(owner: string, parts: Partial<UploadDeps> = {}, gate: Gate | null = null) {
    const frail = new FrailStore(store);
    const warned: string[] = [];
    let reads = 0;
    const read: Read = async (upload) => {
      reads += 1;
      await gate?.passed;
      return openHere(upload);
    };
    const logger = fakeLogger((level) => (of) => {
      if (level === 'warn') warned.push(JSON.stringify(of));
    });
    const taken = await openUploads({
      ...{ store: frail.store, clock, owner, logger, read, answerAfterMs: 0 },
      ...parts,
    });
    const { uploads } = taken;
    closers.push(() => taken.remove(frail.isKilled));
    return {
      uploads,
      warned,
      reads: () => reads,
      async kill() {
        // Before, it has a file open.
        await eventually(
          async () => reads,
          (count) => count > 0,
        );
        frail.isKilled = true;
      },
      resume: () => uploads.resume(new AbortController().signal),
    };
  }

  /** Opens uploads with one file, and notes its name. */
  const heard =
    (names: string[], gate: Gate): Read =>
    async (upload) => {
      await gate.passed;
      const opened = await openHere(upload);
      names.push(opened.maps[0]?.url?.replace(/^~\/|\.js$/g, '') ?? '');
      return opened;
    };

  const requestFor = (content: Uint8Array, projects = [project.id]): UploadRequest => ({
    ...{ organization: 'demo', projects, checksum: sha1(content), chunks: [sha1(content)] },
    ...{ release: null, dist: null, debugFile: null },
  });

  type Gateway = Awaited<ReturnType<typeof givenGateway>>;

  /** Uploads a file, which is answered before it is opened. */
  async function given({ uploads }: Gateway, content: Uint8Array = BUNDLE, projects = [project.id]): Promise<void> {
    await uploads.putChunk('demo', sha1(content), partsOf(content));
    assert.equal((await uploads.assemble(requestFor(content, projects))).state, 'created');
  }

  const allEnded = () =>
    eventually(
      () => store.pendingUploads(),
      (rows) => rows.length === 0,
      120_000,
    );
  const isStored = async (of = project, content: Uint8Array = BUNDLE) =>
    (await store.bundle(of.id, sha1(content)))?.complete === true;

  it('are opened after a restart', async () => {
    const first = await givenGateway('one', {}, closedGate());
    await given(first);
    await first.kill();
    const askedAt = clock.at;
    clock.at += HOUR;
    const second = await givenGateway('one');
    await second.resume();
    await allEnded();
    assert.equal((await store.bundle(project.id, sha1(BUNDLE)))?.uploadedAt, askedAt);
    assert.equal((await second.uploads.assemble(requestFor(BUNDLE))).state, 'ok');
  });

  it('leave nothing when they are opened without a restart', async () => {
    const gate = closedGate();
    const gateway = await givenGateway('one', {}, gate);
    await given(gateway);
    assert.equal((await store.pendingUploads()).length, 1);
    gate.open();
    await allEnded();
    assert.ok(await isStored());
    await gateway.resume();
    assert.equal(gateway.reads(), 1);
  });

  it('are opened by one gateway, by another one when the first was killed', async () => {
    const [one, two] = [await givenGateway('one', {}, closedGate()), await givenGateway('two')];
    await given(one);
    await two.resume();
    clock.at += MINUTE;
    await two.resume();
    assert.deepEqual([two.reads(), (await store.pendingUploads()).length], [0, 1]);
    await one.kill();
    clock.at += 2 * MINUTE;
    await two.resume();
    await allEnded();
    assert.deepEqual([two.reads(), await isStored()], [1, true]);
  });

  it('and wait for their turn are opened by another gateway as soon as the first stops', async () => {
    const gate = closedGate();
    const [one, two] = [await givenGateway('one', {}, gate), await givenGateway('two')];
    const other = makeBundle(minifiedPair(null, 'other'));
    await given(one);
    await given(one, other);
    const stopped = one.uploads.stop();
    gate.open();
    await stopped;
    assert.deepEqual([await isStored(), await isStored(project, other)], [true, false]);
    await two.resume();
    await allEnded();
    assert.ok(await isStored(project, other));
  });

  it('end with the reason when their chunks are gone', async () => {
    const first = await givenGateway('one', {}, closedGate());
    await given(first);
    await first.kill();
    const [row] = await store.pendingUploads();
    assert.equal(await store.removeFile(row?.chunks[0] ?? '', LATEST), true);
    const second = await givenGateway('one');
    await second.resume();
    await allEnded();
    assert.equal(await isStored(), false);
    assert.match(
      second.warned.join('\n'),
      new RegExp(`The chunk ${sha1(BUNDLE)} was removed meanwhile: upload it again`),
    );
  });

  it('keep their chunks through an outage, for two days', async () => {
    const first = await givenGateway('one', {}, closedGate());
    await given(first);
    await first.kill();
    const [row] = await store.pendingUploads();
    const chunksAfter = async (ms: number) => {
      clock.at += ms;
      await pruneUploads({ store, limits: LIMITS, clock });
      return (await store.knownFiles(row?.chunks ?? [])).map(({ name }) => name);
    };
    assert.deepEqual(await chunksAfter(47 * HOUR), row?.chunks);
    assert.deepEqual(await chunksAfter(4 * HOUR), []);
  });

  it('are tried again when the disk was full', async () => {
    const first = await givenGateway('one', {}, closedGate());
    await given(first);
    await first.kill();
    let isFull = true;
    const read: Read = (upload) => {
      if (!isFull) return openHere(upload);
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    };
    const second = await givenGateway('one', { read });
    for (let times = 0; times < 4; times += 1) {
      await second.resume();
      await eventually(
        async () => second.warned.length,
        (count) => count > 0,
      );
      // Its end returns the lease and the try.
      await eventually(
        () => store.pendingUploads(),
        ([row]) => row?.tries === 0,
      );
    }
    assert.equal(await isStored(), false);
    isFull = false;
    await eventually(
      async () => {
        await second.resume();
        return isStored();
      },
      (stored) => stored,
    );
    await allEnded();
    assert.equal(second.warned.filter((line) => line.includes('free some space')).length, 1, 'it is logged once');
  });

  it('are refused when the process was killed each time that it opened them', async () => {
    for (let times = 0; times < 4; times += 1) {
      const gateway = await givenGateway('one', {}, closedGate());
      if (times === 0) await given(gateway);
      else await gateway.resume();
      await gateway.kill();
    }
    assert.deepEqual(
      (await store.pendingUploads()).map(({ tries }) => tries),
      [3],
    );
    const last = await givenGateway('one');
    await last.resume();
    await allEnded();
    assert.deepEqual([last.reads(), await isStored()], [0, false]);
    assert.match(last.warned.join('\n'), /was killed each time that it opened the upload/);
  });

  it('are opened for the projects that are left', async () => {
    const other = await makeProject(store);
    const first = await givenGateway('one', {}, closedGate());
    await given(first, BUNDLE, [project.id, other.id]);
    await first.kill();
    assert.ok(await store.deleteProject(project.id));
    const second = await givenGateway('one');
    await second.resume();
    await allEnded();
    assert.deepEqual([second.reads(), await isStored(other)], [1, true]);
  });

  it('wait in the store where more wait than a gateway takes', async () => {
    const gate = closedGate();
    const gateway = await givenGateway('one', {}, gate);
    await given(gateway);
    // One is being opened and 100 wait. Others than the first have a wrong checksum, so that they end soon.
    const others = Array.from({ length: 101 }, (_, at) => sha1(Buffer.from(`upload ${at}`)));
    for (const checksum of others) {
      assert.equal((await gateway.uploads.assemble({ ...requestFor(BUNDLE), checksum })).state, 'created');
    }
    assert.equal((await store.pendingUploads()).length, 102);
    gate.open();
    await eventually(
      () => store.pendingUploads(),
      (rows) => rows.length === 1,
      120_000,
    );
    await gateway.resume();
    await allEnded();
    assert.ok(await isStored());
    assert.equal(gateway.warned.filter((line) => line.includes('another checksum')).length, others.length);
  });

  it('take turns with those of other projects, also where one of them has more than a gateway takes', async () => {
    const gate = closedGate();
    const order: string[] = [];
    const other = await makeProject(store);
    const gateway = await givenGateway('one', { read: heard(order, gate) });
    const busy = Array.from({ length: 4 }, (_, at) => makeBundle(minifiedPair(null, `busy${at}`)));
    for (const content of busy) await given(gateway, content);
    // Its queue is full of uploads of the first project, which have a wrong checksum.
    for (let at = 0; at < 100; at += 1) {
      const checksum = sha1(Buffer.from(`upload ${at}`));
      assert.equal((await gateway.uploads.assemble({ ...requestFor(busy[0]!), checksum })).state, 'created');
    }
    const late = [0, 1].map((at) => makeBundle(minifiedPair(null, `late${at}`)));
    for (const content of late) await given(gateway, content, [other.id]);
    gate.open();
    await eventually(
      async () => order.length,
      (count) => count === 6,
    );
    assert.deepEqual(order, ['busy0', 'late0', 'busy1', 'late1', 'busy2', 'busy3']);
    await eventually(
      async () => {
        await gateway.resume();
        return store.pendingUploads();
      },
      (rows) => rows.length === 0,
      120_000,
    );
  });
});
