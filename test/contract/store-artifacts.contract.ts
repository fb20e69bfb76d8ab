import assert from 'node:assert/strict';
import {
  MAX_COMMITS_OF_RELEASE,
  MAX_DEPLOYS_OF_RELEASE,
  MAX_FILES_OF_COMMIT,
  MAX_FILES_OF_RELEASE,
} from '../../src/domain/artifacts/build.ts';
import { MAX_PENDING_UPLOADS } from '../../src/domain/ports/stores/artifact-store.ts';
import { makeArtifact, makeArtifactMap, makePendingUpload } from '../support/artifact-data.ts';
import { isAppErrorWith } from '../support/app-error-code.ts';
import { hexId, makeProject } from '../support/store-data.ts';
import type { StoreHarness } from '../support/store-harness.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const DEBUG_ID = '85350b67-0000-4000-8000-000000000001';

/** An upload as it is read, without a map that cannot be used. */
const whole = (bundle: ReturnType<typeof makeArtifact>) => ({ ...bundle, complete: true, problems: [] });

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
      assert.deepEqual(await store.bundle(project.id, old.id), whole(old));
      assert.deepEqual(await store.listBundles(project.id), [whole(recent), whole(old)]);
      assert.deepEqual(await store.bundlesOfRelease(project.id, 'shop@1.0.0'), [whole(old)]);
      const other = await makeProject(store);
      const having = await store.projectsWithBundles();
      assert.deepEqual([having.includes(project.id), having.includes(other.id)], [true, false]);
      assert.equal(await store.bundle(other.id, old.id), null);
      assert.deepEqual(await store.listBundles(other.id), []);
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
      assert.deepEqual(await store.listBundles(project.id), [whole(bundle)]);
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
      const maps = Array.from({ length: 1201 }, (_, place) => makeArtifactMap(bundle, { place }));
      await store.putBundle(bundle, maps);
      await store.putBundle({ ...bundle, uploadedAt: 5 }, maps);
      assert.equal((await store.mapsOfBundle(project.id, bundle.id)).length, 1201);
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

  describe('releases of builds', () => {
    it('are announced once, and changed by what a request says', async () => {
      const { store } = harness();
      const { id } = await makeProject(store);
      const first = await store.saveBuildRelease(id, 'a@1', { url: 'https://ci.test/1' }, 1000);
      assert.deepEqual([first.isNew, first.release.createdAt, first.release.releasedAt], [true, 1000, null]);
      const second = await store.saveBuildRelease(id, 'a@1', { releasedAt: 7 }, 2000);
      assert.deepEqual(second, { isNew: false, release: { ...first.release, releasedAt: 7 } });
      const unchanged = await store.saveBuildRelease(id, 'a@1', {}, 3000);
      assert.deepEqual(unchanged.release, second.release);
      await store.saveBuildRelease(id, 'a@2', {}, 2500);
      assert.deepEqual(
        (await store.listBuildReleases(id)).map(({ release }) => release),
        ['a@2', 'a@1'],
      );
      await assert.rejects(store.saveBuildRelease(9_999_999, 'a', {}, 1), isAppErrorWith('project_not_found'));
    });

    it('have commits of which the number, the first one and the first ones are read alone', async () => {
      const { store } = harness();
      const { id } = await makeProject(store);
      const commit = (name: string) => ({
        ...{ commit: name, repository: null, authorName: null, authorEmail: null, message: null, at: null, files: [] },
      });
      assert.deepEqual(await store.commitsInShort(id, 'a@1'), { count: 0, first: null });
      for (const count of [12, 3, 12, 1]) {
        await store.putCommits(
          id,
          'a@1',
          Array.from({ length: count }, (_, index) => commit(`c${index}`)),
        );
        await store.putCommits(id, 'a@10', [commit('other')]);
        const { count: kept, first } = await store.commitsInShort(id, 'a@1');
        assert.deepEqual([kept, first?.commit, first?.place], [count, 'c0', 0]);
        assert.equal((await store.commitsOfRelease(id, 'a@1')).length, count);
        const some = await store.commitsOfRelease(id, 'a@1', 2);
        assert.deepEqual(some.map(({ place }) => place), [0, 1].slice(0, count)); // prettier-ignore
      }
      await store.putCommits(id, 'a@1', []);
      assert.deepEqual(await store.commitsInShort(id, 'a@1'), { count: 0, first: null });
      const many = Array.from({ length: MAX_COMMITS_OF_RELEASE + 1 }, (_, index) => commit(`c${index}`));
      await store.putCommits(id, 'a@1', many);
      assert.equal((await store.commitsInShort(id, 'a@1')).count, MAX_COMMITS_OF_RELEASE);
    });

    it('have the changed files of their first commits, and the number of the others', async () => {
      const { store } = harness();
      const { id } = await makeProject(store);
      const commits = Array.from({ length: 42 }, (_, index) => ({
        ...{ commit: `c${index}`, repository: null, authorName: null, authorEmail: null, message: null, at: null },
        files: Array.from({ length: MAX_FILES_OF_COMMIT }, (__, file) => `src/${file}.js`),
        ...(index === 0 ? { filesLeftOut: 7 } : {}),
      }));
      await store.putCommits(id, 'a@1', commits);
      const kept = await store.commitsOfRelease(id, 'a@1');
      assert.equal(kept.length, commits.length);
      assert.equal(kept.reduce((sum, { files }) => sum + files.length, 0), MAX_FILES_OF_RELEASE); // prettier-ignore
      assert.deepEqual(
        [kept[0], kept[39], kept[40]].map((each) => [each?.files.length, each?.filesLeftOut]),
        [
          [MAX_FILES_OF_COMMIT, 7],
          [MAX_FILES_OF_COMMIT, 0],
          [0, MAX_FILES_OF_COMMIT],
        ],
      );
    });

    it('have commits, which are replaced as a whole, and deploys', async () => {
      const { store } = harness();
      const { id: projectId } = await makeProject(store);
      const commit = (name: string) => ({
        ...{ commit: name, repository: 'acme/shop', authorName: 'Ada', authorEmail: null, message: 'fix', at: 5 },
        files: ['src/cart.js'],
      });
      await store.putCommits(projectId, 'a/b 1', ['c3', 'c2', 'c1'].map(commit));
      await store.putCommits(projectId, 'a/b 1', ['c4'].map(commit));
      assert.deepEqual(await store.commitsOfRelease(projectId, 'a/b 1'), [
        { ...commit('c4'), filesLeftOut: 0, projectId, release: 'a/b 1', place: 0 },
      ]);
      const deploy = { projectId, release: 'a/b 1', name: null, url: null, startedAt: null, finishedAt: 9 };
      await store.addDeploy({ ...deploy, environment: 'staging' });
      const last = await store.addDeploy({ ...deploy, environment: 'production' });
      const deploys = await store.deploysOfRelease(projectId, 'a/b 1');
      assert.deepEqual(
        deploys.map(({ environment }) => environment),
        ['production', 'staging'],
      );
      assert.deepEqual(deploys[0], last);
      const other = await store.addDeploy({ ...deploy, release: 'a/b 2', environment: 'staging' });
      assert.deepEqual(await store.deploysOfProject(projectId), [other, ...deploys]);
      assert.deepEqual(await store.deploysOfProject((await makeProject(store)).id), []);
      await store.saveBuildRelease(projectId, 'a/b 1', {}, 1);
      assert.equal(await store.removeBuildRelease(projectId, 'a/b 1'), true);
      assert.deepEqual(await store.commitsOfRelease(projectId, 'a/b 1'), []);
      assert.deepEqual(await store.deploysOfRelease(projectId, 'a/b 1'), []);
      assert.equal(await store.removeBuildRelease(projectId, 'a/b 1'), false);
    });
  });

  it('of deploys the newest are kept, of each release and of all', async () => {
    const { store } = harness();
    const { id: projectId } = await makeProject(store);
    const deploy = { projectId, name: null, url: null, startedAt: null, environment: 'e' };
    for (let at = 0; at < MAX_DEPLOYS_OF_RELEASE + 2; at += 1) {
      await store.addDeploy({ ...deploy, release: 'a@1', finishedAt: at });
    }
    const kept = await store.deploysOfRelease(projectId, 'a@1');
    assert.deepEqual(
      [kept.length, kept[0]?.finishedAt, kept.at(-1)?.finishedAt],
      [MAX_DEPLOYS_OF_RELEASE, MAX_DEPLOYS_OF_RELEASE + 1, 2],
    );
    assert.deepEqual(await store.deploysOfProject(projectId), kept);
  });

  describe('tokens of builds', () => {
    it('are for the projects that were named, until these are deleted', async () => {
      const { store } = harness();
      const [one, two] = [await makeProject(store), await makeProject(store)];
      await store.addProjectsOfToken(77, [two.id, one.id]);
      assert.deepEqual(await store.projectsOfToken(77), [one.id, two.id]);
      assert.deepEqual(await store.projectsOfToken(78), []);
      assert.deepEqual(await store.tokensOfProject(one.id), [77]);
      await assert.rejects(store.addProjectsOfToken(78, [one.id, 9_999_999]), isAppErrorWith('project_not_found'));
      assert.deepEqual(await store.projectsOfToken(78), []);
      await store.deleteProject(one.id);
      assert.deepEqual(await store.projectsOfToken(77), [two.id]);
    });
  });
}
