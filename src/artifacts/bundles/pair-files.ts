import type { ManifestFile } from './manifest.ts';

/** Minified file with its map, or one of them alone. */
export interface Pair {
  readonly minified: ManifestFile | null;
  readonly map: ManifestFile | null;
}

/** Host of addresses that begin with `~`, and of paths, as servers send them. */
const ANY_HOST = 'https://any-host.invalid/';

/**
 * Pairs minified files with maps: by debug id, else by the reference of the minified file. Plugins rename maps and leave
 * the former name in the reference, so the id is decisive. A map may belong to several files.
 */
export function pairFiles(files: readonly ManifestFile[]): Pair[] {
  const maps = files.filter(({ type }) => type === 'source_map');
  const byId = new Map(maps.flatMap((map) => (map.debugId === null ? [] : [[map.debugId, map] as const])));
  const byUrl = mapsByUrl(files);
  const used = new Set<ManifestFile>();
  const pairs = files
    .filter(({ type }) => type === 'minified_source')
    .map((minified): Pair => {
      const ofId = minified.debugId === null ? undefined : byId.get(minified.debugId);
      const map = ofId ?? byReference(minified, byUrl);
      if (map !== null) used.add(map);
      return { minified, map };
    });
  return [...pairs, ...maps.filter((map) => !used.has(map)).map((map) => ({ minified: null, map }))];
}

function byReference({ url, sourceMap }: ManifestFile, byUrl: ReadonlyMap<string, ManifestFile>): ManifestFile | null {
  if (url === null || sourceMap === null || sourceMap.startsWith('data:')) return null;
  const place = resolved(sourceMap, url);
  return place === null ? null : (byUrl.get(place) ?? null);
}

/** Returns the maps of an upload by their addresses, as `resolved` returns them. */
export function mapsByUrl(files: readonly ManifestFile[]): ReadonlyMap<string, ManifestFile> {
  const found = new Map<string, ManifestFile>();
  for (const file of files) {
    const url = file.type !== 'source_map' || file.url === null ? null : resolved(file.url, '~');
    if (url !== null) found.set(url, file);
  }
  return found;
}

/** Returns the address of a reference within a file, in one form; null for one that is no address. */
export function resolved(reference: string, url: string): string | null {
  const whole = (text: string) => text.replace(/^~\/*/, ANY_HOST);
  if (!URL.canParse(whole(url), ANY_HOST)) return null;
  const { href } = new URL(whole(url), ANY_HOST);
  return URL.canParse(whole(reference), href) ? new URL(whole(reference), href).href : null;
}

/** Last reference of a file to its map; null without one. */
export function referenceIn(content: Buffer): string | null {
  const sign = 'sourceMappingURL=';
  const at = content.lastIndexOf(sign);
  if (at < 0) return null;
  const end = content.indexOf('\n', at);
  const text = content.subarray(at + sign.length, end < 0 ? content.length : end).toString('utf8');
  return /^\S+/.exec(text)?.[0] ?? null;
}
