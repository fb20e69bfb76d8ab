import { filesOf, type ArtifactBundle, type ArtifactMap } from '../../domain/artifacts/artifact.ts';
import { DAY_MS } from '../../domain/durations.ts';
import type { ArtifactStore } from '../../domain/ports/stores/artifact-store.ts';
import type { FileStore } from '../../domain/ports/stores/file-store.ts';
import type { UploadRequest } from '../../domain/ports/uploads.ts';
import { nameOf } from '../bundles/manifest.ts';
import { idOf } from './debug-file-ids.ts';
import { missingFiles } from './missing-files.ts';

export type KnownStore = Pick<ArtifactStore, 'bundle' | 'mapsOfBundle' | 'putBundle'> & Pick<FileStore, 'knownFiles'>;
type Asked = Omit<UploadRequest, 'organization' | 'chunks'>;

/**
 * Returns whether all projects have an upload as it is asked for, so that it need not be sent and opened. One of an
 * earlier day counts as uploaded at `askedAt`, so that it is the newest one and is kept as long. One whose files are
 * missing or cut is not known, as after a restored backup without them, nor is a debug file with another id.
 */
export async function isKnown(store: KnownStore, asked: Asked, askedAt: number): Promise<boolean> {
  const earlier: (readonly [ArtifactBundle, ArtifactMap[]])[] = [];
  for (const projectId of asked.projects) {
    const bundle = await store.bundle(projectId, asked.checksum);
    if (bundle?.complete !== true || !isAsAsked(bundle, asked)) return false;
    const maps = await store.mapsOfBundle(projectId, bundle.id);
    // Some may have been removed while they were written.
    if (maps.length !== bundle.maps) return false;
    if ((await missingFiles(store, filesOf(bundle, maps))).length > 0) return false;
    const isEarlier = ({ uploadedAt }: { readonly uploadedAt: number }) => uploadedAt < askedAt - DAY_MS;
    if (isEarlier(bundle) || maps.some((map) => isMeant(map, asked) && isEarlier(map))) earlier.push([bundle, maps]);
  }
  for (const [bundle, maps] of earlier) {
    const renewed = maps.map((map) => (isMeant(map, asked) ? { ...map, uploadedAt: askedAt } : map));
    await store.putBundle({ ...bundle, uploadedAt: askedAt }, renewed);
  }
  return true;
}

function isAsAsked(bundle: ArtifactBundle, { release, dist, debugFile }: Asked): boolean {
  const debugId = debugFile === null ? null : idOf(debugFile);
  if (debugId !== null && !bundle.debugIds.includes(debugId)) return false;
  return (nameOf(release) ?? bundle.release) === bundle.release && (nameOf(dist) ?? bundle.dist) === bundle.dist;
}

/** Of a debug file, only the map of the id with which it is asked for counts as uploaded. */
function isMeant(map: ArtifactMap, { debugFile }: Asked): boolean {
  const debugId = debugFile === null ? null : idOf(debugFile);
  return debugId === null || map.debugId === debugId;
}
