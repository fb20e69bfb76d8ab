import { problemsOf, type ArtifactBundle, type ArtifactMap, type BundleSeen } from '../../domain/artifacts/artifact.ts';
import { AppError } from '../../domain/app-error.ts';
import { HOUR_MS } from '../../domain/durations.ts';
import { MAX_FOUND_MAPS, MAX_PENDING_READ, MAX_PENDING_UPLOADS } from '../../domain/ports/stores/artifact-store.ts';
import type { StoreTable } from '../store-table.ts';
import { artifactBundles, artifactMaps, pendingUploads, uploadProjects } from './kinds/artifact-kinds.ts';
import { requiredProject } from './owners.ts';
import type { Records } from './records.ts';
import { change, fewer, put, remove, required } from './writes.ts';

/** Maps written or removed together: some tens of milliseconds of the writing thread. */
const MAPS_PER_WRITE = 500;
const NEWEST = { newest: 'uploadedAt', limit: MAX_FOUND_MAPS } as const;

/** Methods of the port about uploads of build tools. */
export const ARTIFACT_RECORDS = {
  async putBundle(records, bundle, maps) {
    const { lastUsedAt, ...row } = { ...bundle, problems: problemsOf(maps) };
    const { projectId, id, uploadedAt } = row;
    const key = { projectId, id };
    const needed = [requiredProject(projectId)];
    const isInUse = (await records.get(artifactBundles, key))?.complete === true;
    // One that is in use stays as it is until its maps are written again.
    if (!isInUse) {
      await records.write([put(artifactBundles, { ...row, lastUsedAt, maps: 0, complete: false })], needed);
    }
    try {
      for (const some of slices(maps)) {
        const writes = some.map((map) => put(artifactMaps, map));
        await records.write(writes, needed);
      }
      const { length } = await records.list(artifactMaps, { projectId, bundleId: id }, { only: ['place'] });
      // A removal, or another writer of one that was not complete, has changed the row since.
      const unchanged: Partial<BundleSeen> = isInUse ? { complete: true } : { complete: false, uploadedAt };
      const completed = change(artifactBundles, key, { ...row, maps: length, complete: true }, unchanged);
      const [, isComplete] = await records.write([put(uploadProjects, { projectId }), completed], needed);
      if (!isComplete) throw interrupted();
    } catch (error) {
      const isOwnerless = error instanceof AppError && error.code === 'project_not_found';
      await undo(records, bundle, isOwnerless);
      throw error;
    }
  },
  bundle: (records, projectId, id) => records.get(artifactBundles, { projectId, id }),
  listBundles(records, projectId, { release, ...part } = {}) {
    const where = release === undefined ? { projectId } : { projectId, release };
    return records.list(artifactBundles, where, { newest: 'uploadedAt', ...part });
  },
  bundleUses(records, projectId) {
    const only = ['id', 'kind', 'storedBytes', 'complete', 'uploadedAt', 'lastUsedAt'] as const;
    return records.list(artifactBundles, { projectId }, { newest: 'uploadedAt', only });
  },
  bundlesOfRelease(records, projectId, release) {
    const only = ['id', 'complete'] as const;
    return records.list(artifactBundles, { projectId, release }, { newest: 'uploadedAt', only });
  },
  async removeBundle(records, projectId, id, seen) {
    const found = seen === undefined ? await records.get(artifactBundles, { projectId, id }) : null;
    const as = seen ?? (found === null ? null : { uploadedAt: found.uploadedAt });
    const removed = as !== null && (await removeAsSeen(records, projectId, id, as));
    if (removed && !(await hasBundles(records, projectId))) {
      await records.write([remove(uploadProjects, { projectId })]);
      // A bundle that was written meanwhile names its project before or after the removal.
      if (await hasBundles(records, projectId)) await records.write([put(uploadProjects, { projectId })]);
    }
    return removed;
  },

  async projectsWithBundles(records) {
    return (await records.list(uploadProjects, {})).map(({ projectId }) => projectId);
  },
  mapsOfBundle: (records, projectId, bundleId) => records.list(artifactMaps, { projectId, bundleId }),
  mapsByDebugId(records, projectId, debugId) {
    return records.list(artifactMaps, { projectId, debugId }, NEWEST);
  },
  mapsByUrl(records, projectId, release, dist, url) {
    return records.list(artifactMaps, { projectId, release, dist, url }, NEWEST);
  },
  async markBundleUsed(records, projectId, id, at) {
    const bundle = await records.get(artifactBundles, { projectId, id });
    if (bundle === null || (bundle.lastUsedAt !== null && at < bundle.lastUsedAt + HOUR_MS)) return;
    await records.write([change(artifactBundles, { projectId, id }, { lastUsedAt: at })]);
  },
  async isFileNamed(records, file) {
    if ((await records.list(artifactBundles, { file }, { limit: 1, only: ['id'] })).length > 0) return true;
    return (await records.list(artifactMaps, { file }, { limit: 1, only: ['place'] })).length > 0;
  },

  async putPendingUpload(records, rows) {
    const needed = rows.flatMap(({ projectId, id }) => [
      requiredProject(projectId),
      required(fewer(pendingUploads, { projectId }, MAX_PENDING_UPLOADS, { projectId, id }), tooManyPending()),
    ]);
    await records.write(
      rows.map((row) => put(pendingUploads, row)),
      needed,
    );
  },
  pendingUploads: (records) => records.list(pendingUploads, {}, { limit: MAX_PENDING_READ }),
  async setTries(records, rows, tries) {
    await records.write(rows.map(({ projectId, id }) => change(pendingUploads, { projectId, id }, { tries })));
  },
  async removePendingUpload(records, rows) {
    await records.write(rows.map(({ projectId, id }) => remove(pendingUploads, { projectId, id })));
  },
} as const satisfies StoreTable<Records>;

const tooManyPending = (): AppError =>
  new AppError('rate_limited', 'Too many uploads of the project wait to be opened: try again in a minute.');

const interrupted = (): AppError =>
  new AppError('store_unavailable', 'The upload was removed, or written by another request, meanwhile: try again.', {
    retryAfterSeconds: 1,
  });

async function hasBundles(records: Records, projectId: number): Promise<boolean> {
  return (await records.list(artifactBundles, { projectId }, { limit: 1, only: ['id'] })).length > 0;
}

function* slices(maps: readonly ArtifactMap[]): Generator<readonly ArtifactMap[]> {
  for (let at = 0; at < maps.length; at += MAPS_PER_WRITE) yield maps.slice(at, at + MAPS_PER_WRITE);
}

/** Members of a bundle that is being removed. No writer completes it, and after a crash pruning removes it at once. */
const IN_REMOVAL = { complete: false, uploadedAt: 0 } as const;

/** Removes a bundle that still is as it was seen, and its maps; false when it is not. */
async function removeAsSeen(
  records: Records,
  projectId: number,
  id: string,
  seen: Partial<BundleSeen>,
): Promise<boolean> {
  const key = { projectId, id };
  const maps = await records.list(artifactMaps, { projectId, bundleId: id });
  const [isTaken] = await records.write([change(artifactBundles, key, IN_REMOVAL, seen)]);
  if (!isTaken) return false;
  await removeMaps(records, maps);
  // Without its row a bundle is gone, whatever is left of it, so the row is last. One that is written again stays.
  await records.write([remove(artifactBundles, key, { is: IN_REMOVAL })]);
  return true;
}

/** Removes what a writer that failed has written: of a bundle that is complete, or of another writer, nothing. */
async function undo(
  records: Records,
  { projectId, id, uploadedAt }: Pick<ArtifactBundle, 'projectId' | 'id' | 'uploadedAt'>,
  isOwnerless: boolean,
): Promise<void> {
  if (await removeAsSeen(records, projectId, id, { uploadedAt, complete: false })) return;
  const row = await records.get(artifactBundles, { projectId, id });
  const isRemoved = row === null || (!row.complete && row.uploadedAt === IN_REMOVAL.uploadedAt);
  // A removal leaves the maps that were written after it began.
  if (!isRemoved && !isOwnerless) return;
  const maps = await records.list(artifactMaps, { projectId, bundleId: id });
  await removeMaps(records, isOwnerless ? maps : maps.filter((map) => map.uploadedAt === uploadedAt));
  // Rows that were written after the removal of the project have no owner.
  if (isOwnerless) await records.write([remove(artifactBundles, { projectId, id })]);
}

/** Removes maps unless they were written again since they were read. */
async function removeMaps(records: Records, maps: readonly ArtifactMap[]): Promise<void> {
  for (const some of slices(maps)) {
    await records.write(
      some.map(({ projectId, bundleId, place, uploadedAt }) =>
        remove(artifactMaps, { projectId, bundleId, place }, { is: { uploadedAt } }),
      ),
    );
  }
}
