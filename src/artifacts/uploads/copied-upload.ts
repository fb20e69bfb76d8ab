import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../domain/app-error.ts';
import type { DebugFile } from '../../domain/artifacts/pending-upload.ts';
import type { CopiedUpload } from '../../domain/ports/uploads.ts';
import { boundedParts } from '../../lib/parts.ts';
import { RefusedBundle } from '../bundles/bounds.ts';
import { openedFile } from './opened-file.ts';
import { readUpload } from './read-upload.ts';
import { MAX_UPLOAD_BYTES, storeUpload, type StoreDeps } from './store-upload.ts';
import { inWorkFolder, writeWhole } from './work-folder.ts';

export interface CopyDeps extends Pick<StoreDeps, 'store' | 'projectMaxBytes'> {
  /** Folder for uploads while they are opened; absolute. */
  readonly workDir: string;
  /** Opens an upload; replaced in tests. */
  readonly read?: typeof readUpload;
}

/**
 * Takes an upload that another errgate has kept, and opens it as one of a build tool. Throws `bad_request` for one that
 * cannot be used.
 */
export async function takeCopiedUpload(
  { read = readUpload, ...deps }: CopyDeps,
  { projectId, checksum, release, dist, uploadedAt, lastUsedAt, ...copied }: CopiedUpload,
  content: AsyncIterable<Uint8Array>,
): Promise<void> {
  try {
    await inWorkFolder(deps.workDir, async (dir) => {
      const path = join(dir, 'upload');
      const written = await writeWhole(path, boundedParts(content, MAX_UPLOAD_BYTES, tooLong));
      if (written.sha1 !== checksum) throw new RefusedBundle('The upload has another checksum.');
      // A debug file may have come under several ids.
      const debugFiles = await debugFilesOf(path, copied);
      if (debugFiles?.length === 0) throw new RefusedBundle('The upload has no debug id.');
      // Nothing but the import writes to the disk.
      const files = { path, outDir: dir, roomBytes: Infinity };
      const named = { projects: [projectId], checksum, release, dist, uploadedAt, lastUsedAt };
      for (const debugFile of debugFiles ?? [null]) {
        const hasMappings = debugFiles === null && copied.kind === 'proguard';
        const opened = hasMappings
          ? await read({ ...files, form: 'mappings', debugId: null })
          : await openedFile(files, debugFile, read);
        await storeUpload(deps, dir, { ...named, debugFile }, written, opened);
      }
    });
  } catch (error) {
    if (error instanceof RefusedBundle) throw new AppError('bad_request', error.message, { cause: error });
    throw error;
  }
}

const tooLong = (): Error => new RefusedBundle(`The upload has more than ${MAX_UPLOAD_BYTES} bytes.`);

/** Returns a debug file for each of its ids; null for what has its ids in it: bundles, and zips of mappings. */
async function debugFilesOf(
  path: string,
  { kind, debugIds }: Pick<CopiedUpload, 'kind' | 'debugIds'>,
): Promise<readonly DebugFile[] | null> {
  if (kind === 'sourcemaps' || (kind === 'proguard' && (await isZip(path)))) return null;
  // The last one taken is listed first.
  return debugIds
    .toReversed()
    .map((debugId) => ({ name: kind === 'proguard' ? `proguard/${debugId}.txt` : '', debugId }));
}

async function isZip(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return buffer.toString('latin1') === 'PK\x03\x04';
  } finally {
    await file.close();
  }
}
