import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { ArtifactBundle, BundleUse } from '../domain/artifacts/artifact.ts';
import type { BuildRelease, Deploy, ReleaseCommit } from '../domain/artifacts/build.ts';
import { HOUR_MS } from '../domain/durations.ts';

/** Folder of an export with the uploads of build tools as they were sent. */
export const CONTENTS_FOLDER = 'uploads';

const timeText = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

/** Returns the line of a release that a build announced, with its deploys in the order in which they came. */
export function buildLine({ projectId, release, ...build }: BuildRelease, deploys: readonly Deploy[]): object {
  return {
    version: release,
    url: build.url,
    dateCreated: timeText(build.createdAt),
    dateStarted: timeText(build.startedAt),
    dateReleased: timeText(build.releasedAt),
    refs: build.refs,
    deploys: deploys.map(({ environment, name, url, startedAt, finishedAt }) => ({
      ...{ environment, name, url },
      dateStarted: timeText(startedAt),
      dateFinished: timeText(finishedAt),
    })),
    _errgate: { project_id: projectId },
  };
}

/** Returns the line of a commit under the names of the tools that sent it. */
export function commitLine({ projectId, release, place, ...commit }: ReleaseCommit): object {
  return {
    id: commit.commit,
    repository: commit.repository,
    author_name: commit.authorName,
    author_email: commit.authorEmail,
    message: commit.message,
    timestamp: timeText(commit.at),
    files: commit.files,
    files_left_out: commit.filesLeftOut,
    _errgate: { project_id: projectId, version: release, place },
  };
}

/** Returns the line of an upload whose content is in the export. */
export function uploadLine(bundle: ArtifactBundle): object {
  return {
    checksum: bundle.id,
    kind: bundle.kind,
    version: bundle.release,
    dist: bundle.dist,
    debug_ids: bundle.debugIds,
    size: bundle.size,
    content: contentPath(bundle),
    _errgate: {
      project_id: bundle.projectId,
      uploaded: timeText(bundle.uploadedAt),
      last_used: timeText(bundle.lastUsedAt),
    },
  };
}

/** Returns the time until which an upload may have mapped a frame, or that of the upload. Uses are recorded once an hour. */
export function lastNeeded({ uploadedAt, lastUsedAt }: BundleUse): number {
  return lastUsedAt === null ? uploadedAt : Math.max(uploadedAt, lastUsedAt + HOUR_MS);
}

/** Returns the path of an upload in the export: equal content is there once. */
export function contentPath({ file }: ArtifactBundle): string {
  return `${CONTENTS_FOLDER}/${file.slice(file.lastIndexOf('/') + 1)}`;
}

/** Writes content to a new file that only its owner can read, durably; returns its size and checksum. */
export async function writeContent(
  path: string,
  content: AsyncIterable<Uint8Array>,
): Promise<{ readonly bytes: number; readonly sha256: string }> {
  const handle = await open(path, 'wx', 0o600);
  const sha256 = createHash('sha256');
  let bytes = 0;
  try {
    for await (const part of content) {
      sha256.update(part);
      bytes += part.length;
      await handle.writeFile(part);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  return { bytes, sha256: sha256.digest('hex') };
}
