import assert from 'node:assert/strict';
import { openUpload } from '../../../src/artifacts/bundles/open-upload.ts';
import type { UploadDeps } from '../../../src/artifacts/uploads/upload-service.ts';
import type { Project } from '../../../src/domain/projects/project.ts';
import type { Store } from '../../../src/domain/ports/stores/store.ts';
import type { UploadRequest } from '../../../src/domain/ports/uploads.ts';
import { partsOf } from '../../support/artifact-data.ts';
import { makeBundle, minifiedPair, sha1 } from '../../support/build-tools.ts';
import { makeProject } from '../../support/store-data.ts';
import { describeOnStores, type OpenedStore } from '../../support/test-stores.ts';
import { openUploads } from '../../support/test-uploads.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Later than any file was written. */
const LATEST = 8e15;
const debugId = (last: string) => `85350b67-0000-4000-8000-${last.padStart(12, '0')}`;
const BUNDLE = makeBundle(minifiedPair(debugId('1')));
const MAPPING = Buffer.from('shop.Cart -> a.a:\n    1:1:void price():7:7 -> a\n');

describeOnStores('uploads that are known', (kind) => {
  const clock = { at: Date.UTC(2026, 5, 1), now: () => clock.at };
  let opened: OpenedStore;
  let store: Store;
  let taken: Awaited<ReturnType<typeof openUploads>>;
  let project: Project;
  let reads: number;

  beforeEach(async () => {
    opened = await kind.open(clock);
    store = opened.store;
    reads = 0;
    const read: NonNullable<UploadDeps['read']> = (upload) => {
      reads += 1;
      return openUpload({ ...upload, tooLarge: [] }, () => undefined);
    };
    taken = await openUploads({ store, clock, read });
    project = await makeProject(store);
  });
  afterEach(async () => {
    await taken.remove();
    await opened.dispose();
  });

  const requestFor = (content: Uint8Array, members: Partial<UploadRequest> = {}): UploadRequest => ({
    ...{ organization: 'demo', projects: [project.id], checksum: sha1(content), chunks: [sha1(content)] },
    ...{ release: null, dist: null, debugFile: null },
    ...members,
  });
  const mappingOf = (id: string) => ({ debugFile: { name: `/proguard/${id}.txt`, debugId: id } });
  const asked = async (content: Uint8Array, members?: Partial<UploadRequest>) =>
    (await taken.uploads.assemble(requestFor(content, members))).state;
  /** Uploads a file as tools do. */
  async function upload(content: Uint8Array, members?: Partial<UploadRequest>): Promise<void> {
    await taken.uploads.putChunk('demo', sha1(content), partsOf(content));
    assert.equal(await asked(content, members), 'ok');
  }
  async function removeChunks(): Promise<void> {
    for (const { name } of await store.listFiles('chunks/', null, 1000)) await store.removeFile(name, LATEST);
  }
  const timesOf = async (content: Uint8Array, of = project) => [
    (await store.bundle(of.id, sha1(content)))?.uploadedAt,
    ...(await store.mapsOfBundle(of.id, sha1(content))).map(({ uploadedAt }) => uploadedAt),
  ];

  it('of an earlier day count as uploaded now, without a chunk and without being opened', async () => {
    await upload(BUNDLE);
    const first = clock.at;
    assert.deepEqual(await timesOf(BUNDLE), [first, first]);
    await removeChunks();
    clock.at += HOUR;
    assert.equal(await asked(BUNDLE), 'ok');
    assert.deepEqual(await timesOf(BUNDLE), [first, first], 'once a day');
    clock.at += DAY;
    assert.equal(await asked(BUNDLE), 'ok');
    assert.deepEqual([await timesOf(BUNDLE), reads], [[clock.at, clock.at], 1]);
  });

  it('are the newest of their debug id then', async () => {
    await upload(BUNDLE);
    clock.at += HOUR;
    const later = makeBundle(minifiedPair(debugId('1'), 'later'));
    await upload(later);
    const newest = async () => (await store.mapsByDebugId(project.id, debugId('1')))[0]?.bundleId;
    assert.equal(await newest(), sha1(later));
    clock.at += 2 * DAY;
    assert.equal(await asked(BUNDLE), 'ok');
    assert.equal(await newest(), sha1(BUNDLE));
  });

  it('keep their use and what was made of them', async () => {
    await upload(BUNDLE);
    await store.markBundleUsed(project.id, sha1(BUNDLE), clock.at);
    const before = await store.bundle(project.id, sha1(BUNDLE));
    clock.at += 2 * DAY;
    assert.equal(await asked(BUNDLE), 'ok');
    assert.deepEqual(await store.bundle(project.id, sha1(BUNDLE)), { ...before, uploadedAt: clock.at });
  });

  it('are opened again when a file is missing, also after a day', async () => {
    await upload(BUNDLE);
    const [map] = await store.mapsOfBundle(project.id, sha1(BUNDLE));
    await removeChunks();
    clock.at += 2 * DAY;
    await store.removeFile(map!.file!, LATEST);
    assert.equal(await asked(BUNDLE), 'not_found');
    await upload(BUNDLE);
    assert.deepEqual([await timesOf(BUNDLE), reads], [[clock.at, clock.at], 2]);
  });

  it('count as uploaded now in no project while one of them does not have it', async () => {
    const other = await makeProject(store);
    await upload(BUNDLE);
    const first = clock.at;
    clock.at += 2 * DAY;
    await removeChunks();
    const projects = [project.id, other.id];
    assert.equal(await asked(BUNDLE, { projects }), 'not_found');
    assert.deepEqual(await timesOf(BUNDLE), [first, first]);
    await upload(BUNDLE, { projects });
    assert.deepEqual(await timesOf(BUNDLE), [clock.at, clock.at]);
    assert.deepEqual(await timesOf(BUNDLE, other), [clock.at, clock.at]);
  });

  it('as a debug file count as uploaded now with the id that is asked for', async () => {
    const [one, two] = [debugId('2'), debugId('3')];
    for (const id of [one, two]) await upload(MAPPING, mappingOf(id));
    const first = clock.at;
    await removeChunks();
    clock.at += 2 * DAY;
    assert.equal(await asked(MAPPING, mappingOf(two)), 'ok');
    const times = async () => {
      const maps = await store.mapsOfBundle(project.id, sha1(MAPPING));
      return new Map(maps.map((map) => [map.debugId, map.uploadedAt]));
    };
    assert.deepEqual(
      [...(await times())],
      [
        [one, first],
        [two, clock.at],
      ],
    );
    clock.at += HOUR;
    assert.equal(await asked(MAPPING, mappingOf(one)), 'ok');
    assert.deepEqual([(await times()).get(one), reads], [clock.at, 2]);
  });
});
