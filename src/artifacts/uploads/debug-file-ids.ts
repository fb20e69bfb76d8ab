import { mappingId, type ArtifactBundle, type ArtifactMap } from '../../domain/artifacts/artifact.ts';
import type { DebugFile } from '../../domain/artifacts/pending-upload.ts';

/** Debug ids of one debug file that are kept, newest first: builds give equal content new ones. */
const MAX_IDS = 100;

/** Returns the debug id by which a debug file is found; null: it has none. */
export const idOf = ({ name, debugId }: DebugFile): string | null => mappingId(name) ?? debugId;

/** Returns the debug ids of a debug file that was uploaded again with some. */
export function idsWith(ids: readonly string[], known: Pick<ArtifactBundle, 'debugIds'> | null): string[] {
  return [...new Set([...ids, ...(known?.debugIds ?? [])])].slice(0, MAX_IDS);
}

/** Returns new maps of a debug file at places that no map of another id among those kept has. */
export function besideOthers(
  maps: readonly ArtifactMap[],
  kept: readonly string[],
  known: readonly ArtifactMap[],
): ArtifactMap[] {
  const isOther = ({ debugId }: ArtifactMap): boolean =>
    debugId !== null && kept.includes(debugId) && !maps.some((map) => map.debugId === debugId);
  const taken = new Set(known.filter(isOther).map(({ place }) => place));
  let place = -1;
  return maps.map((map) => {
    do place += 1;
    while (taken.has(place));
    return { ...map, place };
  });
}
