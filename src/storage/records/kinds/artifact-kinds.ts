import type { ArtifactBundle, ArtifactMap } from '../../../domain/artifacts/artifact.ts';
import type { PendingUpload } from '../../../domain/artifacts/pending-upload.ts';
import { boolean, integer, json, kind, nullable, since, text, type Kind } from '../kind.ts';

export const artifactBundles: Kind<ArtifactBundle, 'projectId' | 'id'> = kind({
  name: 'artifactBundles',
  key: ['projectId', 'id'],
  of: 'project',
  members: {
    projectId: integer,
    id: text(),
    kind: text(),
    release: nullable(text()),
    dist: nullable(text()),
    debugIds: json(),
    files: integer,
    size: integer,
    storedBytes: integer,
    file: text(),
    complete: boolean,
    maps: nullable(integer),
    problems: since(json(), []),
    uploadedAt: integer,
    lastUsedAt: nullable(integer),
  },
  indexes: {
    of_project: ['projectId', 'id'],
    // They have what is read of all bundles: debug ids of a bundle may be many.
    newest: ['projectId', '-uploadedAt', 'id', 'kind', 'lastUsedAt', 'storedBytes', 'complete'],
    newest_of_release: ['projectId', 'release', '-uploadedAt', 'id', 'complete'],
    of_file: ['file', 'projectId', 'id'],
  },
});

export const artifactMaps: Kind<ArtifactMap, 'projectId' | 'bundleId' | 'place'> = kind({
  name: 'artifactMaps',
  key: ['projectId', 'bundleId', 'place'],
  of: 'project',
  members: {
    projectId: integer,
    bundleId: text(),
    place: integer,
    kind: text(),
    debugId: nullable(text()),
    url: nullable(text()),
    release: nullable(text()),
    dist: nullable(text()),
    file: nullable(text()),
    problem: nullable(text()),
    bytes: integer,
    uploadedAt: integer,
  },
  indexes: {
    of_bundle: ['projectId', 'bundleId', 'place'],
    newest_by_debug_id: ['projectId', 'debugId', '-uploadedAt', 'bundleId', 'place'],
    newest_by_url: ['projectId', 'release', 'dist', 'url', '-uploadedAt', 'bundleId', 'place'],
    of_file: ['file', 'projectId', 'bundleId', 'place'],
  },
});

/** Project that has a bundle: only the events of these are compared with maps. */
export interface UploadProject {
  readonly projectId: number;
}

export const uploadProjects: Kind<UploadProject, 'projectId'> = kind({
  name: 'uploadProjects',
  key: ['projectId'],
  of: 'project',
  members: { projectId: integer },
});

/**
 * Rows go with their project, and are in backups and copies of the store with their chunks: an upload that was answered
 * is opened there. No export has them: it has what was opened.
 */
export const pendingUploads: Kind<PendingUpload, 'projectId' | 'id'> = kind({
  name: 'pendingUploads',
  key: ['projectId', 'id'],
  of: 'project',
  members: {
    projectId: integer,
    id: text(),
    checksum: text(),
    chunks: json(),
    release: nullable(text()),
    dist: nullable(text()),
    debugFile: nullable(json()),
    askedAt: integer,
    tries: integer,
  },
  indexes: { of_project: ['projectId', 'id'] },
});
