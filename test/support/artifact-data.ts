import type { ArtifactMap, NewBundle } from '../../src/domain/artifacts/artifact.ts';
import type { PendingUpload } from '../../src/domain/artifacts/pending-upload.ts';
import type { Project } from '../../src/domain/projects/project.ts';

/** Makes an upload with one map. */
export function makeArtifact({ id: projectId }: Pick<Project, 'id'>, members: Partial<NewBundle> = {}): NewBundle {
  return {
    projectId,
    id: '5f'.repeat(20),
    kind: 'sourcemaps',
    release: 'shop@1.0.0',
    dist: null,
    debugIds: ['85350b67-0000-4000-8000-000000000001'],
    files: 2,
    size: 1000,
    storedBytes: 1500,
    file: `bundles/ab/${'ab'.repeat(32)}`,
    uploadedAt: 1_700_000_000_000,
    lastUsedAt: null,
    ...members,
  };
}

/** Makes the map of an upload. */
export function makeArtifactMap(bundle: NewBundle, members: Partial<ArtifactMap> = {}): ArtifactMap {
  const { projectId, id: bundleId, release, dist, uploadedAt, debugIds } = bundle;
  return {
    ...{ projectId, bundleId, release, dist, uploadedAt },
    place: 0,
    kind: 'source_map',
    debugId: debugIds[0] ?? null,
    url: '~/app.js',
    file: `maps/cd/${'cd'.repeat(32)}`,
    problem: null,
    bytes: 500,
    ...members,
  };
}

/** Makes an upload that was answered and is not opened yet. */
export function makePendingUpload(
  { id: projectId }: Pick<Project, 'id'>,
  members: Partial<PendingUpload> = {},
): PendingUpload {
  return {
    projectId,
    id: 'a1'.repeat(20),
    checksum: '5f'.repeat(20),
    chunks: [`chunks/${'ef'.repeat(8)}/${'5f'.repeat(20)}`],
    release: 'shop@1.0.0',
    dist: null,
    debugFile: null,
    askedAt: 1_700_000_000_000,
    tries: 0,
    ...members,
  };
}

/** Content in parts, as a store reads it. */
export async function* partsOf(...parts: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield Buffer.from(part);
}
