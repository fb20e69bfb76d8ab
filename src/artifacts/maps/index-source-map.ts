import { functionPlaces } from './function-names.ts';
import { metroFunctions } from './metro-functions.ts';
import { parseMap, UnusableMap } from './parse-map.ts';
import { decodeSegments } from './segments.ts';
import { textOf } from './text-of.ts';
import { Texts } from './texts.ts';
import { writeMap } from './write-map.ts';

/** Compact form of a map, or a sentence without a period that says why there is none. */
export type IndexResult = { readonly index: Uint8Array } | { readonly problem: string };

/**
 * Makes the compact form of a source map, which `MapIndex` reads without parsing. `minified`: the file that the map
 * belongs to, from which the functions around places are known; null: it was not uploaded, or is no script. Then they
 * are known if the map is of Metro.
 *
 * Takes a second for some 10 MB, and five times the size in memory: call it in a worker.
 */
export function indexSourceMap(map: Uint8Array, minified: Uint8Array | null): IndexResult {
  try {
    const parts = parseMap(map);
    const texts = new Texts();
    const segments = decodeSegments(parts, texts);
    const script = minified === null ? null : functionPlaces(textOf(minified), segments, parts, texts);
    const functions = script ?? metroFunctions(segments, parts, texts);
    const sources = parts.flatMap((part) => part.sources);
    const index = writeMap({ segments, functions, texts, sources });
    return { index };
  } catch (error) {
    if (error instanceof UnusableMap) return { problem: error.message };
    throw error;
  }
}
