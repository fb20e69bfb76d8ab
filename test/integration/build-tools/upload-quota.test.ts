import assert from 'node:assert/strict';
import { openUpload } from '../../../src/artifacts/bundles/open-upload.ts';
import type { UploadDeps } from '../../../src/artifacts/uploads/upload-service.ts';
import type { Project } from '../../../src/domain/projects/project.ts';
import type { Store } from '../../../src/domain/ports/stores/store.ts';
import type { UploadRequest } from '../../../src/domain/ports/uploads.ts';
import { partsOf } from '../../support/artifact-data.ts';
import { makeBundle, minifiedPair, sha1 } from '../../support/build-tools.ts';
import { fakeLogger } from '../../support/fake-logger.ts';
import { FrailStore } from '../../support/frail-store.ts';
import { makeProject } from '../../support/store-data.ts';
import { describeOnStores, type OpenedStore } from '../../support/test-stores.ts';
import { openUploads } from '../../support/test-uploads.ts';

const HOUR = 3_600_000;
const UNLIMITED = 1e9;

/** Opens an upload in this thread, which is faster to begin than a worker. */
const read: NonNullable<UploadDeps['read']> = (upload) => openUpload({ ...upload, tooLarge: [] }, () => undefined);

describeOnStores('the space of a project for uploads', (kind) => {
  const clock = { at: Date.UTC(2026, 5, 1), now: () => clock.at };
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => makeBundle(minifiedPair(null, name), { release: name }));
  let opened: OpenedStore;
  let store: Store;
  let frail: FrailStore<Store>;
  let project: Project;
  let logged: string[];

  beforeEach(async () => {
    opened = await kind.open(clock);
    store = opened.store;
    frail = new FrailStore(store);
    project = await makeProject(store);
    logged = [];
  });
  afterEach(() => opened.dispose());

  const logger = fakeLogger((level) => (_fields, message) => {
    logged.push(`${level}: ${message ?? ''}`);
  });

  /** Uploads files one hour after the other to a service with some bytes for each project. */
  async function upload(projectMaxBytes: number, contents: readonly Uint8Array[], of = [project]): Promise<void> {
    const limits = { unusedDays: 90, projectMaxBytes };
    const taken = await openUploads({ store: frail.store, clock, read, limits, logger });
    try {
      for (const content of contents) {
        clock.at += HOUR;
        const [projects, checksum] = [of.map(({ id }) => id), sha1(content)];
        await taken.uploads.putChunk('demo', checksum, partsOf(content));
        const request: UploadRequest = {
          ...{ organization: 'demo', projects, checksum, chunks: [checksum] },
          ...{ release: null, dist: null, debugFile: null },
        };
        assert.equal((await taken.uploads.assemble(request)).state, 'ok');
      }
    } finally {
      await taken.remove();
    }
  }
  /** Releases of what is kept, newest first. */
  const kept = async (of = project) => (await store.listBundles(of.id)).map(({ release }) => release);
  /** Bytes of the uploads, which are of one size within some bytes, and half of one more. */
  async function roomFor(count: number): Promise<number> {
    const other = await makeProject(store);
    await upload(UNLIMITED, [d!], [other]);
    return ((await store.listBundles(other.id))[0]?.storedBytes ?? 0) * (count + 0.5);
  }

  it('is kept with each upload, without reading all of what is kept', async () => {
    const bytes = await roomFor(2);
    await upload(UNLIMITED, [a!, b!]);
    frail.calls.clear();
    await upload(bytes, [c!]);
    assert.deepEqual(await kept(), ['c', 'b']);
    assert.deepEqual([frail.calls.get('bundleUses'), frail.calls.get('listBundles')], [1, undefined]);
    assert.deepEqual(logged, ['info: old uploads of a project gave way to a new one']);
    await upload(bytes, [c!]);
    assert.equal(frail.calls.get('bundleUses'), 1, 'one that is known needs no room');
  });

  it('keeps the maps that are in use', async () => {
    const bytes = await roomFor(2);
    await upload(UNLIMITED, [a!]);
    await store.markBundleUsed(project.id, sha1(a!), clock.at);
    await upload(bytes, [b!, c!]);
    assert.deepEqual(await kept(), ['c', 'a']);
    assert.equal((await store.mapsOfBundle(project.id, sha1(a!))).length, 1);
  });

  it('is that of each project to which a file is uploaded', async () => {
    const bytes = await roomFor(1);
    const other = await makeProject(store);
    await upload(UNLIMITED, [a!], [project]);
    await upload(bytes, [b!], [project, other]);
    assert.deepEqual([await kept(), await kept(other)], [['b'], ['b']]);
  });

  it('does not fail an upload when it cannot be kept', async () => {
    const bytes = await roomFor(1);
    await upload(UNLIMITED, [a!]);
    frail.delay = (method) =>
      method === 'bundleUses' ? Promise.reject(new Error('the read failed')) : Promise.resolve();
    await upload(bytes, [b!]);
    assert.deepEqual(await kept(), ['b', 'a']);
    assert.deepEqual(logged, ['warn: old uploads of a project could not be removed; this is done later']);
    frail.delay = () => Promise.resolve();
    await upload(bytes, [c!]);
    assert.deepEqual(await kept(), ['c']);
  });
});
