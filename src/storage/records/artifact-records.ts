import { problemsOf, type ArtifactMap } from '../../domain/artifacts/artifact.ts';
import { AppError } from '../../domain/app-error.ts';
import { HOUR_MS } from '../../domain/durations.ts';
import { MAX_FOUND_MAPS, MAX_PENDING_READ, MAX_PENDING_UPLOADS } from '../../domain/ports/stores/artifact-store.ts';
import type { StoreTable } from '../store-table.ts';
import { artifactBundles, artifactMaps, pendingUploads, uploadProjects } from './artifact-kinds.ts';
import { requiredProject } from './owners.ts';
import type { Records } from './records.ts';
import { change, fewer, put, remove, required } from './writes.ts';

/** Maps written or removed together: some tens of milliseconds of the writing thread. */
const MAPS_PER_WRITE = 500;
const NEWEST = { newest: 'uploadedAt', limit: MAX_FOUND_MAPS } as const;

/** Methods of the port about uploads of build tools. */
export const ARTIFACT_RECORDS = {
  async putBundle(records, bundle, maps) {
    const { projectId, id } = bundle;
    const needed = [requiredProject(projectId)];
    const row = { ...bundle, complete: true, problems: problemsOf(maps) };
    const known = await records.get(artifactBundles, { projectId, id });
    // A complete one stays as it is until its maps are written again: they are in use.
    if (known?.complete !== true) await records.write([put(artifactBundles, { ...row, complete: false })], needed);
    try {
      for (const some of slices(maps)) {
        const writes = some.map((map) => put(artifactMaps, map));
        await records.write(writes, needed);
      }
      await records.write([put(artifactBundles, row), put(uploadProjects, { projectId })], needed);
    } catch (error) {
      // Rows that were written after the removal of the project have no owner. Others stay if they were there before.
      const isOwnerless = error instanceof AppError && error.code === 'project_not_found';
      if (known === null || isOwnerless) {
        await removeMaps(records, projectId, id);
        await records.write([remove(artifactBundles, { projectId, id })]);
      }
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
  async removeBundle(records, projectId, id) {
    // Without its row a bundle is gone, whatever is left of it: the maps go first, so that they can be found.
    await removeMaps(records, projectId, id);
    const [removed] = await records.write([remove(artifactBundles, { projectId, id })]);
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

async function hasBundles(records: Records, projectId: number): Promise<boolean> {
  return (await records.list(artifactBundles, { projectId }, { limit: 1, only: ['id'] })).length > 0;
}

function* slices(maps: readonly ArtifactMap[]): Generator<readonly ArtifactMap[]> {
  for (let at = 0; at < maps.length; at += MAPS_PER_WRITE) yield maps.slice(at, at + MAPS_PER_WRITE);
}

async function removeMaps(records: Records, projectId: number, bundleId: string): Promise<void> {
  for (const some of slices(await records.list(artifactMaps, { projectId, bundleId }))) {
    await records.write(some.map(({ place }) => remove(artifactMaps, { projectId, bundleId, place })));
  }
}
