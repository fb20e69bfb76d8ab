import { mongo, type Connection } from 'mongoose';
import type { Project } from '../../src/domain/projects/project.ts';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import { COLLECTIONS } from '../../src/storage/mongo/engine/collections.ts';
import { makeArtifact, makeArtifactMap, makePendingUpload, partsOf } from './artifact-data.ts';
import { SMALL_ROWS } from './mongo-engine.ts';
import { hexId, NOON } from './store-data.ts';

/** Fills the collections of uploads, so that a planner prefers indexes to scans. */
export async function fillArtifacts(connection: Connection): Promise<void> {
  const insert = async (name: keyof typeof COLLECTIONS, make: (index: number) => object) =>
    connection.db
      ?.collection(COLLECTIONS[name].name)
      .insertMany(Array.from({ length: SMALL_ROWS }, (_, index) => make(index)));
  const of = (index: number) => ({ _id: `filled ${index}`, projectId: 10_000 + (index % 100), release: `r${index}` });
  await insert('tokenProjects', (index) => ({ ...of(index), tokenId: 10_000 + index }));
  await insert('buildReleases', of);
  await insert('releaseCommits', (index) => ({ ...of(index), place: index, start: hexId(`c${index}`, 7) }));
  await insert('deploys', (index) => ({ ...of(index), _id: 10_000 + index }));
  await insert('artifactBundles', (index) => ({ ...of(index), id: hexId(`b${index}`, 40), file: `f${index}` }));
  await insert('artifactMaps', (index) => ({
    ...of(index),
    ...{ bundleId: hexId(`b${index}`, 40), place: 0, debugId: `d${index}`, url: '~/x', dist: null, file: `f${index}` },
  }));
  await insert('uploadProjects', (index) => ({ _id: 10_000 + index }));
  await insert('pendingUploads', (index) => ({ ...of(index), id: hexId(`p${index}`, 40), chunks: [] }));
  await insert('files', (index) => ({ filename: `maps/${index}`, length: 1, uploadDate: new Date(NOON) }));
  // One of them is of an upload that was interrupted long ago.
  const idOf = (index: number) => (index === 0 ? mongo.ObjectId.createFromTime(1000) : new mongo.ObjectId());
  await insert('fileParts', (index) => ({ files_id: idOf(index), n: index, data: new mongo.Binary() }));
}

/** Runs every query of uploads, releases of builds and their tokens at least once. */
export async function useArtifacts(store: Store, project: Project): Promise<void> {
  const { id } = project;
  await store.addProjectsOfToken(7, [id]);
  await store.projectsOfToken(7);
  await store.tokensOfProject(id);
  await store.saveBuildRelease(id, 'r', {}, NOON);
  await store.saveBuildRelease(id, 'r', { url: 'https://ci.test' }, NOON);
  await store.listBuildReleases(id);
  const commit = { commit: 'f00dbabe', repository: null, authorName: null, authorEmail: null, message: null, at: null };
  await store.putCommits(id, 'r', [{ ...commit, files: [] }]);
  await store.releasesWithCommit(id, commit.commit);
  await store.addDeploy({
    ...{ projectId: id, release: 'r', environment: 'e', name: null, url: null, startedAt: null, finishedAt: NOON },
  });
  await store.deploysOfRelease(id, 'r');
  await store.deploysOfProject(id);
  await store.removeBuildRelease(id, 'r');

  const bundle = makeArtifact(project);
  const map = makeArtifactMap(bundle);
  await store.putBundle(bundle, [map]);
  await store.bundle(id, bundle.id);
  await store.listBundles(id);
  await store.listBundles(id, { release: bundle.release ?? '', skip: 1, limit: 1 });
  await store.bundleUses(id);
  await store.mapsOfBundle(id, bundle.id);
  await store.projectsWithBundles();
  await store.bundlesOfRelease(id, bundle.release ?? '');
  await store.mapsByDebugId(id, map.debugId ?? '');
  await store.mapsByUrl(id, map.release ?? '', map.dist, map.url ?? '');
  await store.markBundleUsed(id, bundle.id, NOON);
  await store.isFileNamed('maps/none');
  const pending = [makePendingUpload(project)];
  await store.putPendingUpload(pending);
  await store.pendingUploads();
  await store.setTries(pending, 1);
  await store.removePendingUpload(pending);
  await store.removeBundle(id, bundle.id);

  const name = 'chunks/explained/one';
  await store.putFile(name, partsOf('x'));
  await store.putFile(name, partsOf('x'));
  await store.readFile(name);
  await store.knownFiles([name]);
  await store.renewFiles([name]);
  await store.listFiles('chunks/', null, 10);
  await store.removeFile(name, Date.now() + 3_600_000);
  await store.removeUnfinished(Date.now() - 86_400_000);
}
