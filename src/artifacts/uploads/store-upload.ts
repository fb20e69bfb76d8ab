import { join } from 'node:path';
import type { ArtifactMap } from '../../domain/artifacts/artifact.ts';
import type { ArtifactStore } from '../../domain/ports/stores/artifact-store.ts';
import type { FileStore } from '../../domain/ports/stores/file-store.ts';
import type { UploadRequest } from '../../domain/ports/uploads.ts';
import { fileParts } from '../../lib/parts.ts';
import { RefusedBundle } from '../bundles/bounds.ts';
import { nameOf } from '../bundles/manifest.ts';
import type { OpenedMap, OpenedUpload } from '../bundles/opened-upload.ts';
import { besideOthers, idsWith } from './debug-file-ids.ts';
import { bundleFile, mapFile } from './file-names.ts';
import type { Written } from './work-folder.ts';

/** Bytes of one upload. */
export const MAX_UPLOAD_BYTES = 512 * 1024 * 1024;
/** Files written at once: each waits for the disk, and an upload may have thousands. */
const FILES_AT_ONCE = 8;

/** What the rows of an upload say. */
interface NamedUpload extends Omit<UploadRequest, 'organization' | 'chunks'> {
  readonly uploadedAt: number;
  /** Null: that of the upload before, if there is one. */
  readonly lastUsedAt: number | null;
}

export interface StoreDeps {
  readonly store: ArtifactStore & FileStore;
  /** Bytes of all uploads of a project; one alone must not exceed them. */
  readonly projectMaxBytes: number;
  /** Throws when there is no room for this many bytes; without it the disk is used to its end. */
  readonly requireRoom?: (bytes: number) => Promise<void>;
}

/**
 * Writes the files of an opened upload, then the rows that name them. `dir` has the upload as `upload`, and its maps.
 * Throws RefusedBundle for one that is larger than all uploads of a project may be.
 */
export async function storeUpload(
  { store, projectMaxBytes, requireRoom }: StoreDeps,
  dir: string,
  named: NamedUpload,
  written: Written,
  opened: OpenedUpload,
): Promise<void> {
  const contents = new Map(
    opened.maps.flatMap(({ content, bytes }) => (content === null ? [] : [[content, bytes] as const])),
  );
  const storedBytes = [...contents.values()].reduce((sum, bytes) => sum + bytes, written.bytes);
  if (storedBytes > projectMaxBytes) {
    throw new RefusedBundle(`The upload needs ${storedBytes} bytes, a project has ${projectMaxBytes} for all uploads.`);
  }
  await requireRoom?.(storedBytes);
  const file = bundleFile(written.sha256);
  await store.putFile(file, fileParts(join(dir, 'upload')), written.bytes);
  const indexes = [...contents];
  for (let at = 0; at < indexes.length; at += FILES_AT_ONCE) {
    const some = indexes.slice(at, at + FILES_AT_ONCE);
    await Promise.all(
      some.map(([content, bytes]) => store.putFile(mapFile(content), fileParts(join(dir, content)), bytes)),
    );
  }
  const release = nameOf(named.release) ?? opened.release;
  const dist = nameOf(named.dist) ?? opened.dist;
  const ids = [...opened.maps.map(({ debugId }) => debugId), named.debugFile?.debugId ?? null];
  const ownIds = [...new Set(ids.filter((debugId) => debugId !== null))];
  const { checksum: id, uploadedAt } = named;
  for (const projectId of named.projects) {
    const known = { projectId, release, dist, uploadedAt };
    const former = await store.bundle(projectId, id);
    const maps = opened.maps.map((map): ArtifactMap => ({ ...rowOf(map), ...known, bundleId: id }));
    const isDebugFile = named.debugFile !== null;
    const debugIds = isDebugFile ? idsWith(ownIds, former) : ownIds;
    const formerMaps = isDebugFile ? await store.mapsOfBundle(projectId, id) : [];
    await store.putBundle(
      {
        ...known,
        ...{ id, kind: opened.kind, debugIds, files: opened.files, size: written.bytes, file, storedBytes },
        lastUsedAt: named.lastUsedAt ?? former?.lastUsedAt ?? null,
      },
      besideOthers(maps, debugIds, formerMaps),
    );
  }
}

/** Members of a row that the worker knows. */
function rowOf({
  content,
  ...map
}: OpenedMap): Omit<ArtifactMap, 'projectId' | 'bundleId' | 'release' | 'dist' | 'uploadedAt'> {
  return { ...map, file: content === null ? null : mapFile(content) };
}
