import assert from 'node:assert/strict';
import {
  MAX_COMMITS_OF_RELEASE,
  MAX_DEPLOYS_OF_RELEASE,
  MAX_FILES_OF_COMMIT,
  MAX_FILES_OF_RELEASE,
} from '../../src/domain/artifacts/build.ts';
import { isAppErrorWith } from '../support/app-error-code.ts';
import { makeProject } from '../support/store-data.ts';
import type { StoreHarness } from '../support/store-harness.ts';

/** Releases of builds, with commits and deploys, and the tokens of builds. */
export function buildsContract(harness: () => StoreHarness): void {
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
