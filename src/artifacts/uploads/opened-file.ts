import { open } from 'node:fs/promises';
import { mappingId } from '../../domain/artifacts/artifact.ts';
import type { DebugFile } from '../../domain/artifacts/pending-upload.ts';
import { RefusedBundle } from '../bundles/bounds.ts';
import type { OpenedUpload, UploadToOpen } from '../bundles/opened-upload.ts';
import type { readUpload } from './read-upload.ts';

/** First bytes of native debug files, as hex: ELF, Mach-O (both orders, both sizes, universal), PDB. */
const NATIVE = [
  '7f454c46',
  'feedface',
  'feedfacf',
  'cefaedfe',
  'cffaedfe',
  'cafebabe',
  '4d6963726f736f667420432f432b2b20',
];

/**
 * Opens what an upload is: a bundle of source files, a mapping of R8, or a native debug file, of which nothing is read
 * but its kind. Throws RefusedBundle for any other debug file.
 */
export async function openedFile(
  files: Pick<UploadToOpen, 'path' | 'outDir' | 'roomBytes'>,
  debugFile: DebugFile | null,
  read: typeof readUpload,
): Promise<OpenedUpload> {
  if (debugFile === null) return read({ ...files, form: 'bundle', debugId: null });
  const debugId = mappingId(debugFile.name);
  if (debugId !== null) return read({ ...files, form: 'mapping', debugId });
  if (debugFile.debugId !== null && (await isNative(files.path))) {
    return { kind: 'debug', release: null, dist: null, files: 1, maps: [] };
  }
  throw new RefusedBundle('This kind of debug file is not supported: mappings of R8, dSYM, ELF and PDB are taken.');
}

async function isNative(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(16), 0, 16, 0);
    const head = buffer.subarray(0, bytesRead).toString('hex');
    return NATIVE.some((beginning) => head.startsWith(beginning));
  } finally {
    await file.close();
  }
}
