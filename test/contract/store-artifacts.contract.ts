import assert from 'node:assert/strict';
import type { NewBundle } from '../../src/domain/artifacts/artifact.ts';
import { MAX_PENDING_UPLOADS } from '../../src/domain/ports/stores/artifact-store.ts';
import { makeArtifact, makeArtifactMap, makePendingUpload } from '../support/artifact-data.ts';
import { isAppErrorWith } from '../support/app-error-code.ts';
import { hexId, makeProject } from '../support/store-data.ts';
import type { StoreHarness } from '../support/store-harness.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const DEBUG_ID = '85350b67-0000-4000-8000-000000000001';

/** An upload as it is read, without a map that cannot be used. */
const whole = (bundle: NewBundle, maps = 0) => ({ ...bundle, complete: true, maps, problems: [] });

/** Uploads of build tools and their maps. */
export function artifactsContract(harness: () => StoreHarness): void {
  describe('uploads', () => {
    it('are found by id, by release, and in a list, newest first', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const old = makeArtifact(project, { id: '01'.repeat(20), uploadedAt: 1000 });
      const recent = makeArtifact(project, { id: '02'.repeat(20), uploadedAt: 2000, release: null, dist: 'a' });
      await store.putBundle(old, [makeArtifactMap(old)]);
      await store.putBundle(recent, []);
      assert.deepEqual(await store.bundle(project.id, old.id), whole(old, 1));
      assert.deepEqual(await store.listBundles(project.id), [whole(recent), whole(old, 1)]);
      assert.deepEqual(await store.bundlesOfRelease(project.id, 'shop@1.0.0'), [{ id: old.id, complete: true }]);
      const other = await makeProject(store);
      const having = await store.projectsWithBundles();
      assert.deepEqual([having.includes(project.id), having.includes(other.id)], [true, false]);
      assert.equal(await store.bundle(other.id, old.id), null);
      assert.deepEqual(await store.listBundles(other.id), []);
    });

    it('are listed in parts, newest first, or by kind, size and use alone', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      // Two have one time: these are in the order of their ids.
      const bundles = [5, 1, 4, 3, 3].map((uploadedAt, at) =>
        makeArtifact(project, { id: `${at}a`.repeat(20), uploadedAt, release: at === 2 ? null : 'shop@1.0.0' }),
      );
      for (const bundle of bundles) await store.putBundle(bundle, []);
      const ordered = [0, 2, 3, 4, 1].map((at) => whole(bundles[at]!));
      const ofRelease = ordered.filter(({ release }) => release !== null);
      assert.deepEqual(await store.listBundles(project.id), ordered);
      assert.deepEqual(await store.listBundles(project.id, { skip: 1, limit: 2 }), ordered.slice(1, 3));
      assert.deepEqual(await store.listBundles(project.id, { skip: 4, limit: 2 }), ordered.slice(4));
      assert.deepEqual(await store.listBundles(project.id, { skip: 3 }), ordered.slice(3));
      assert.deepEqual(await store.listBundles(project.id, { skip: 5, limit: 1 }), []);
      const release = 'shop@1.0.0';
      assert.deepEqual(await store.listBundles(project.id, { release, skip: 1, limit: 2 }), ofRelease.slice(1, 3));
      assert.deepEqual(
        await store.bundlesOfRelease(project.id, release),
        ofRelease.map(({ id, complete }) => ({ id, complete })),
      );
      await store.markBundleUsed(project.id, ordered[0]!.id, DAY);
      assert.deepEqual(
        await store.bundleUses(project.id),
        ordered.map(({ id, kind, storedBytes, complete, uploadedAt }, at) => ({
          ...{ id, kind, storedBytes, complete, uploadedAt, lastUsedAt: at === 0 ? DAY : null },
        })),
      );
    });

    it('have maps that are found by debug id, newest first, and by address', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const [old, recent] = [1000, 2000].map((uploadedAt, at) =>
        makeArtifact(project, { id: `0${at + 3}`.repeat(20), uploadedAt }),
      );
      const maps = [makeArtifactMap(old!), makeArtifactMap(recent!, { file: null, problem: 'no mappings' })];
      await store.putBundle(recent!, [maps[1]!]);
      await store.putBundle(old!, [maps[0]!]);
      assert.deepEqual(await store.mapsByDebugId(project.id, DEBUG_ID), [maps[1], maps[0]]);
      assert.deepEqual(await store.mapsByUrl(project.id, 'shop@1.0.0', null, '~/app.js'), [maps[1], maps[0]]);
      assert.deepEqual(await store.mapsByUrl(project.id, 'shop@1.0.0', 'a', '~/app.js'), []);
      assert.deepEqual(await store.mapsByUrl(project.id, 'shop@1.0.0', null, '~/other.js'), []);
      assert.deepEqual(await store.mapsByDebugId((await makeProject(store)).id, DEBUG_ID), []);
    });

    it('tell why files of them cannot be mapped, by reason', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const bundle = makeArtifact(project);
      const reason = 'its source map is not in the upload';
      const maps = Array.from({ length: 8 }, (_, place) =>
        makeArtifactMap(bundle, { place, url: `~/${place}.js`, ...(place < 6 ? { file: null, problem: reason } : {}) }),
      );
      await store.putBundle(bundle, [...maps, makeArtifactMap(bundle, { place: 8, url: null, problem: 'damaged' })]);
      assert.deepEqual((await store.bundle(project.id, bundle.id))?.problems, [
        { reason, count: 6, files: ['~/0.js', '~/1.js', '~/2.js', '~/3.js', '~/4.js'] },
        { reason: 'damaged', count: 1, files: [DEBUG_ID] },
      ]);
      await store.putBundle(bundle, []);
      assert.deepEqual(await store.listBundles(project.id), [whole(bundle, 9)]);
    });

    it('with one debug id or address in many are found by the newest of them', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const times = [5, 1, 12, 3, 9, 7, 2, 11, 4, 10, 6, 8];
      for (const uploadedAt of times) {
        const bundle = makeArtifact(project, { id: hexId(`many ${uploadedAt}`, 40), uploadedAt });
        await store.putBundle(bundle, [makeArtifactMap(bundle)]);
      }
      const newest = [12, 11, 10, 9, 8, 7, 6, 5, 4, 3];
      const timesOf = (maps: readonly { readonly uploadedAt: number }[]) => maps.map(({ uploadedAt }) => uploadedAt);
      assert.deepEqual(timesOf(await store.mapsByDebugId(project.id, DEBUG_ID)), newest);
      assert.deepEqual(timesOf(await store.mapsByUrl(project.id, 'shop@1.0.0', null, '~/app.js')), newest);
    });

    it('are replaced by the same upload, and go with their maps and their project', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const bundle = makeArtifact(project, { id: '06'.repeat(20) });
      // More than are written together.
      const length = harness().largeSizes ? 1201 : 501;
      const maps = Array.from({ length }, (_, place) => makeArtifactMap(bundle, { place }));
      await store.putBundle(bundle, maps);
      await store.putBundle({ ...bundle, uploadedAt: 5 }, maps);
      assert.equal((await store.mapsOfBundle(project.id, bundle.id)).length, length);
      assert.ok(await store.isFileNamed(bundle.file));
      assert.ok(await store.isFileNamed(maps[0]!.file!));
      assert.equal(await store.removeBundle(project.id, bundle.id), true);
      assert.equal(await store.removeBundle(project.id, bundle.id), false);
      assert.deepEqual(await store.mapsByDebugId(project.id, DEBUG_ID), []);
      await store.putBundle(bundle, maps.slice(0, 1));
      await store.deleteProject(project.id);
      assert.deepEqual(await store.mapsByDebugId(project.id, DEBUG_ID), []);
      await assert.rejects(store.putBundle(bundle, maps.slice(0, 1)), isAppErrorWith('project_not_found'));
      assert.deepEqual(await store.listBundles(project.id), []);
    });

    it('no longer name their project when the last of them is removed', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const bundles = ['07', '08'].map((digits) => makeArtifact(project, { id: digits.repeat(20) }));
      for (const bundle of bundles) await store.putBundle(bundle, []);
      const isNamed = async () => (await store.projectsWithBundles()).includes(project.id);
      await store.removeBundle(project.id, bundles[0]!.id);
      assert.equal(await isNamed(), true);
      await store.removeBundle(project.id, bundles[1]!.id);
      assert.equal(await isNamed(), false);
      await store.putBundle(bundles[0]!, []);
      assert.equal(await isNamed(), true);
    });

    it('note their use once an hour', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const bundle = makeArtifact(project);
      await store.putBundle(bundle, []);
      const usedAt = async (at: number) => {
        await store.markBundleUsed(project.id, bundle.id, at);
        return (await store.bundle(project.id, bundle.id))?.lastUsedAt;
      };
      assert.deepEqual(
        [await usedAt(DAY), await usedAt(DAY + HOUR - 1), await usedAt(0), await usedAt(DAY + HOUR)],
        [DAY, DAY, DAY, DAY + HOUR],
      );
      await store.markBundleUsed(project.id, 'ff'.repeat(20), DAY);
    });
  });

  describe('pending uploads', () => {
    const rowsOf = async (projectId: number) =>
      (await harness().store.pendingUploads()).filter((row) => row.projectId === projectId);

    it('are kept for each project, replaced by the same one, and forgotten', async () => {
      const { store } = harness();
      const [one, two] = [await makeProject(store), await makeProject(store)];
      const debugFile = { name: 'proguard/x.txt', debugId: DEBUG_ID };
      const rows = [one, two].map((project) => makePendingUpload(project, { release: null, debugFile }));
      const other = makePendingUpload(one, { id: 'b2'.repeat(20), dist: 'a', chunks: ['chunks/a/1', 'chunks/a/2'] });
      await store.putPendingUpload(rows);
      await store.putPendingUpload([other]);
      await store.putPendingUpload(rows);
      assert.deepEqual(await rowsOf(one.id), [rows[0], other]);
      assert.deepEqual(await rowsOf(two.id), [rows[1]]);
      await store.setTries(rows, 2);
      assert.deepEqual(await rowsOf(two.id), [{ ...rows[1], tries: 2 }]);
      await store.removePendingUpload(rows);
      await store.removePendingUpload(rows);
      await store.setTries(rows, 1);
      assert.deepEqual([await rowsOf(one.id), await rowsOf(two.id)], [[other], []]);
    });

    it('go with their project, and are kept for no other', async () => {
      const { store } = harness();
      const [goes, stays] = [await makeProject(store), await makeProject(store)];
      await store.putPendingUpload([goes, stays].map((project) => makePendingUpload(project)));
      await store.deleteProject(goes.id);
      assert.deepEqual([(await rowsOf(goes.id)).length, (await rowsOf(stays.id)).length], [0, 1]);
      const both = [goes, stays].map((project) => makePendingUpload(project, { id: 'c3'.repeat(20) }));
      await assert.rejects(store.putPendingUpload(both), isAppErrorWith('project_not_found'));
      assert.equal((await rowsOf(stays.id)).length, 1);
    });

    it('are bounded for a project, not counting the one that is kept already', async () => {
      const { store } = harness();
      const [full, other] = [await makeProject(store), await makeProject(store)];
      const row = (at: number) => makePendingUpload(full, { id: hexId(`pending ${at}`, 40) });
      await store.putPendingUpload(Array.from({ length: MAX_PENDING_UPLOADS }, (_, at) => row(at)));
      await assert.rejects(store.putPendingUpload([row(MAX_PENDING_UPLOADS)]), isAppErrorWith('rate_limited'));
      await store.putPendingUpload([row(0), makePendingUpload(other)]);
      assert.equal((await rowsOf(full.id)).length, MAX_PENDING_UPLOADS);
      await store.deleteProject(full.id);
    });
  });
}
