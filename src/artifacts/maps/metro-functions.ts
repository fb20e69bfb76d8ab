import { NONE } from './map-layout.ts';
import { UnusableMap, type FunctionMap, type MapPart } from './parse-map.ts';
import type { Segments } from './segments.ts';
import { COMMA, SEMICOLON, VlqReader } from './vlq-reader.ts';
import type { Texts } from './texts.ts';
import type { FunctionPlaces } from './write-map.ts';

/** Code outside of all functions, as Metro names it. */
const OUTSIDE = '<global>';

/** Places of a source where a function begins or ends, in order; lines and columns from 0. */
interface SourceFunctions {
  readonly lines: readonly number[];
  readonly columns: readonly number[];
  readonly names: readonly number[];
}

/**
 * Returns where functions run in a bundle of React Native, by the functions of the sources that Metro adds to its maps;
 * null without them. Bundles of Hermes are no scripts, so nothing else knows their functions.
 */
export function metroFunctions(segments: Segments, parts: readonly MapPart[], texts: Texts): FunctionPlaces | null {
  if (!parts.some(({ functions }) => functions.some((each) => each !== null))) return null;
  const maps = parts.flatMap(({ sources, functions }) => sources.map((_, index) => functions[index] ?? null));
  const known = new Map<number, SourceFunctions | null>();
  const functionsOf = (source: number): SourceFunctions | null => {
    let found = known.get(source);
    if (found === undefined) {
      found = readFunctions(maps[source] ?? null, texts);
      known.set(source, found);
    }
    return found;
  };
  const places = { lines: [] as number[], columns: [] as number[], names: [] as number[] };
  const { lineStarts, columns, sources, originalLines, originalColumns } = segments;
  let before = NONE;
  for (let line = 0; line + 1 < lineStarts.length; line += 1) {
    for (let at = lineStarts[line] ?? 0; at < (lineStarts[line + 1] ?? 0); at += 1) {
      const source = sources[at] ?? NONE;
      const functions = source === NONE ? null : functionsOf(source);
      const name = functions === null ? NONE : nameAt(functions, originalLines[at] ?? 0, originalColumns[at] ?? 0);
      if (name === before) continue;
      before = name;
      places.lines.push(line);
      places.columns.push(columns[at] ?? 0);
      places.names.push(name);
    }
  }
  return places;
}

/**
 * Reads the places of a source: per line, segments of column, name and, in the first of a line, lines since the one
 * before; all but the column count on. Null for functions that cannot be read, without which frames are still mapped.
 */
function readFunctions(map: FunctionMap | null, texts: Texts): SourceFunctions | null {
  if (map === null) return null;
  const names = map.names.map((name) => (name === OUTSIDE ? NONE : texts.numberOf(asInStacks(name))));
  const found = { lines: [] as number[], columns: [] as number[], names: [] as number[] };
  const reader = new VlqReader(map.mappings);
  let [line, column, name] = [0, 0, 0];
  try {
    while (!reader.isDone) {
      if (reader.takes(SEMICOLON)) {
        column = 0;
        continue;
      }
      if (reader.takes(COMMA)) continue;
      column += reader.number();
      if (reader.hasMore()) name += reader.number();
      if (reader.hasMore()) line += reader.number();
      found.lines.push(line);
      found.columns.push(column);
      found.names.push(names[name] ?? NONE);
    }
  } catch (error) {
    if (error instanceof UnusableMap) return null;
    throw error;
  }
  return found;
}

const CONSTRUCTOR = '#constructor';

/** Returns a name of Metro, such as `Basket#price`, as stacks show it: `Basket.price`, `new Basket`. */
function asInStacks(name: string): string {
  return name.endsWith(CONSTRUCTOR) ? `new ${name.slice(0, -CONSTRUCTOR.length)}` : name.replaceAll('#', '.');
}

/** Returns the name of the function around a place. */
function nameAt({ lines, columns, names }: SourceFunctions, line: number, column: number): number {
  let low = 0;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const isBehind = (lines[middle] ?? 0) - line || (columns[middle] ?? 0) - column;
    if (isBehind <= 0) low = middle + 1;
    else high = middle;
  }
  return names[low - 1] ?? NONE;
}
