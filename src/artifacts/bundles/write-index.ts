import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { IndexResult } from '../maps/index-source-map.ts';
import type { OpenedMap } from './opened-upload.ts';

/** Says why a map that exceeded the memory of a worker is left out. */
export const TOO_LARGE = 'the map needs more memory than is allowed: split the build into smaller files';

/** Writes the compact form of a map into a folder, and describes it. */
export async function writeIndex(
  outDir: string,
  known: Pick<OpenedMap, 'place' | 'kind' | 'debugId' | 'url'>,
  result: IndexResult,
): Promise<OpenedMap> {
  if ('problem' in result) return { ...known, problem: result.problem, bytes: 0, content: null };
  const content = createHash('sha256').update(result.index).digest('hex');
  await writeFile(join(outDir, content), result.index, { mode: 0o600 });
  return { ...known, problem: null, bytes: result.index.length, content };
}
