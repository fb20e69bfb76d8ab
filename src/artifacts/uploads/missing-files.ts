import type { FileStore } from '../../domain/ports/stores/file-store.ts';

/** Returns the names of files that are not there, that cannot be read, or that have other bytes than they should. */
export async function missingFiles(
  store: Pick<FileStore, 'knownFiles'>,
  files: ReadonlyMap<string, number>,
): Promise<string[]> {
  const known = new Map((await store.knownFiles([...files.keys()])).map(({ name, bytes }) => [name, bytes]));
  return [...files].filter(([name, bytes]) => known.get(name) !== bytes).map(([name]) => name);
}
