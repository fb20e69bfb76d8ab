import type { ManifestFile } from './manifest.ts';

/** Minified file with its map, or one of them alone. */
export interface Pair {
  readonly minified: ManifestFile | null;
  readonly map: ManifestFile | null;
}

/** Host of addresses that begin with `~`. */
const ANY_HOST = 'https://any-host.invalid';

/**
 * Pairs minified files with maps: by debug id, else by the reference of the minified file. Plugins rename maps and leave
 * the former name in the reference, so the id is decisive. A map may belong to several files.
 */
export function pairFiles(files: readonly ManifestFile[]): Pair[] {
  const maps = files.filter(({ type }) => type === 'source_map');
  const byId = new Map(maps.flatMap((map) => (map.debugId === null ? [] : [[map.debugId, map] as const])));
  const byUrl = new Map(maps.flatMap((map) => (map.url === null ? [] : [[resolved(map.url, map.url), map] as const])));
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

function byReference(
  { url, sourceMap }: ManifestFile,
  byUrl: ReadonlyMap<string | null, ManifestFile>,
): ManifestFile | null {
  if (url === null || sourceMap === null || sourceMap.startsWith('data:')) return null;
  return byUrl.get(resolved(sourceMap, url)) ?? null;
}

/** Returns the address of a reference within a file, in one form; null for one that is no address. */
export function resolved(reference: string, url: string): string | null {
  const whole = (text: string) => (text.startsWith('~') ? ANY_HOST + text.slice(1) : text);
  if (!URL.canParse(whole(reference), whole(url))) return null;
  return new URL(whole(reference), whole(url)).href;
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
