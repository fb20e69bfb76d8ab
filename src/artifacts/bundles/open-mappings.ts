import { readFile, stat } from 'node:fs/promises';
import { mappingId } from '../../domain/artifacts/artifact.ts';
import { sizeProblem } from '../maps/map-size.ts';
import { readProguard } from '../maps/read-proguard.ts';
import { RefusedBundle } from './bounds.ts';
import { BundleZip } from './bundle-zip.ts';
import type { OpenedMap, OpenedUpload, UploadToOpen } from './opened-upload.ts';
import { IndexWriter, TOO_LARGE } from './index-writer.ts';

const opened = (maps: readonly OpenedMap[]): OpenedUpload => ({
  ...{ kind: 'proguard', release: null, dist: null, files: maps.length, maps },
});

/** Opens one mapping. Throws RefusedBundle for one that cannot be read: nothing else is in the upload. */
export async function openMapping(upload: UploadToOpen, begin: (place: number) => void): Promise<OpenedUpload> {
  begin(0);
  const { path, debugId } = upload;
  const mapping = { place: 0, debugId, bytes: (await stat(path)).size, read: () => readFile(path) };
  const map = await indexed(upload, new IndexWriter(upload), mapping);
  if (map.problem !== null) throw new RefusedBundle(`The mapping cannot be used: ${map.problem}.`);
  return opened([map]);
}

/** Opens a zip of mappings. Throws RefusedBundle for another zip, and when one of them cannot be read. */
export async function openMappings(upload: UploadToOpen, begin: (place: number) => void): Promise<OpenedUpload> {
  const zip = await BundleZip.open(upload.path);
  try {
    const maps: OpenedMap[] = [];
    const indexes = new IndexWriter(upload);
    for (const [place, name] of zip.names.entries()) {
      const debugId = mappingId(name);
      if (debugId === null) throw new RefusedBundle('Only mappings of R8 are taken here, as proguard/<uuid>.txt.');
      begin(place);
      const bytes = zip.sizeOf(name) ?? 0;
      const map = await indexed(upload, indexes, { place, debugId, bytes, read: () => zip.read(name, bytes) });
      if (map.problem !== null) throw new RefusedBundle(`The mapping ${debugId} cannot be used: ${map.problem}.`);
      maps.push(map);
    }
    if (maps.length === 0) throw new RefusedBundle('The zip has no mapping of R8.');
    return opened(maps);
  } finally {
    zip.close();
  }
}

interface Mapping extends Pick<OpenedMap, 'place' | 'debugId' | 'bytes'> {
  readonly read: () => Promise<Uint8Array>;
}

async function indexed(
  { tooLarge }: UploadToOpen,
  indexes: IndexWriter,
  { place, debugId, bytes, read }: Mapping,
): Promise<OpenedMap> {
  const problem = tooLarge.includes(place) ? TOO_LARGE : sizeProblem('proguard', bytes);
  const result = problem === null ? readProguard(await read()) : { problem };
  return indexes.write({ place, kind: 'proguard', debugId, url: null }, result);
}
