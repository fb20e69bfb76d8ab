import { isRecord } from '../../lib/own-property.ts';
import { sizeProblem } from './map-size.ts';
import { textOf } from './text-of.ts';

const MAX_SOURCES = 50_000;
const MAX_NAMES = 2_000_000;
const MAX_SECTIONS = 20_000;
/** Sections in sections. */
const MAX_DEPTH = 4;

/** Part of a source map that has its own lists; a map without sections has one. */
export interface MapPart {
  /** Generated place from which it counts, from 0. The column belongs to its first line. */
  readonly line: number;
  readonly column: number;
  readonly mappings: string;
  readonly sources: readonly OriginalSource[];
  readonly names: readonly string[];
  /** Functions of each source, in the form of Metro; null: the map does not know them. */
  readonly functions: readonly (FunctionMap | null)[];
}

/** Source of a map. `isIgnored`: debuggers are to skip it. */
interface OriginalSource {
  readonly name: string;
  readonly content: string | null;
  readonly isIgnored: boolean;
}

/** Functions of a source, as Metro writes them. `mappings`: of each place where one begins or ends. */
export interface FunctionMap {
  readonly names: readonly string[];
  readonly mappings: string;
}

/** Fault of a source map. The message is a sentence without a period. */
export class UnusableMap extends Error {}

/** Reads the JSON of a source map. Throws `UnusableMap`. */
export function parseMap(bytes: Uint8Array): MapPart[] {
  const tooLarge = sizeProblem('source_map', bytes.length);
  if (tooLarge !== null) throw new UnusableMap(tooLarge);
  let map: unknown;
  try {
    map = JSON.parse(jsonOf(textOf(bytes)));
  } catch {
    throw new UnusableMap('the source map is no JSON');
  }
  const parts: MapPart[] = [];
  addParts(parts, map, { line: 0, column: 0 }, 0);
  if (parts.reduce((sum, { sources }) => sum + sources.length, 0) > MAX_SOURCES) {
    throw new UnusableMap(`the source map has more than ${MAX_SOURCES} sources`);
  }
  if (parts.reduce((sum, { names }) => sum + names.length, 0) > MAX_NAMES) {
    throw new UnusableMap(`the source map has more than ${MAX_NAMES} names`);
  }
  return parts;
}

/** Returns the text without the line that keeps scripts from running it: `)]}'`. */
function jsonOf(text: string): string {
  if (!text.startsWith(")]}'")) return text;
  const end = text.indexOf('\n');
  return end === -1 ? '' : text.slice(end + 1);
}

function addParts(parts: MapPart[], map: unknown, at: { line: number; column: number }, depth: number): void {
  if (!isRecord(map)) throw new UnusableMap('the source map is no JSON object');
  if (map.version !== undefined && Number(map.version) !== 3) {
    throw new UnusableMap('the source map is not of version 3');
  }
  const { sections } = map;
  if (sections === undefined) {
    parts.push(partOf(map, at));
    return;
  }
  if (!Array.isArray(sections)) throw new UnusableMap('the sections of the source map are no list');
  if (depth === MAX_DEPTH) throw new UnusableMap(`the source map has sections in sections, deeper than ${MAX_DEPTH}`);
  // The part before ends where this section begins, which its own first section may do later.
  if (depth > 0) parts.push({ ...at, mappings: '', sources: [], names: [], functions: [] });
  for (const section of sections as unknown[]) {
    if (parts.length === MAX_SECTIONS) throw new UnusableMap(`the source map has more than ${MAX_SECTIONS} sections`);
    const offset = isRecord(section) && isRecord(section.offset) ? section.offset : {};
    const [line, column] = [offset.line, offset.column].map(placeNumber);
    if (!isRecord(section) || line === undefined || column === undefined) {
      throw new UnusableMap('a section of the source map has no offset');
    }
    if (section.map === undefined) throw new UnusableMap('a section of the source map has no map');
    addParts(parts, section.map, { line: at.line + line, column: line === 0 ? at.column + column : column }, depth + 1);
  }
}

function placeNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value < 2 ** 31 ? value : undefined;
}

function partOf(map: Record<string, unknown>, { line, column }: { line: number; column: number }): MapPart {
  const { mappings, sourceRoot } = map;
  if (typeof mappings !== 'string') throw new UnusableMap('the source map has no mappings');
  const root = typeof sourceRoot === 'string' ? sourceRoot : '';
  const contents = listIn(map.sourcesContent);
  const given = listIn(map.sources);
  const ignored = ignoredSources(map, given.length);
  const sources = given.map((name, index) => {
    const content = contents[index];
    const text = typeof content === 'string' ? content : null;
    return { name: sourceName(root, name), content: text, isIgnored: ignored[index] === 1 };
  });
  const names = listIn(map.names).map((name) => (typeof name === 'string' ? name : ''));
  const functions = listIn(map.x_facebook_sources).slice(0, sources.length).map(functionMap);
  return { line, column, mappings, sources, names, functions };
}

/** Returns 1 for each source that the map says to ignore, else 0. Browsers began with a name of their own for the list. */
function ignoredSources(map: Record<string, unknown>, sources: number): Uint8Array {
  const ignored = new Uint8Array(sources);
  const { ignoreList = map.x_google_ignoreList } = map;
  // Numbers of no source change nothing.
  for (const source of listIn(ignoreList)) if (typeof source === 'number') ignored[source] = 1;
  return ignored;
}

/** Reads what Metro tells of a source: a list that begins with its functions. */
function functionMap(source: unknown): FunctionMap | null {
  const [first] = listIn(source);
  if (!isRecord(first) || typeof first.mappings !== 'string') return null;
  return { names: listIn(first.names).map((name) => (typeof name === 'string' ? name : '')), mappings: first.mappings };
}

function listIn(value: unknown): unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

const ABSOLUTE = /^(?:[\\/]|[A-Za-z][A-Za-z0-9+.-]*:)/;

/** Returns the name of a source below the root of the map. No source is ever opened by its name. */
function sourceName(root: string, name: unknown): string {
  if (typeof name !== 'string') return '';
  if (root === '' || ABSOLUTE.test(name)) return name;
  return root.endsWith('/') ? root + name : `${root}/${name}`;
}
