import { firstAbove, LINE_END, NONE } from './map-layout.ts';
import { functionScopes, type FunctionName, type FunctionScope } from './function-scopes.ts';
import type { MapPart } from './parse-map.ts';
import type { Segments } from './segments.ts';
import type { Texts } from './texts.ts';
import type { FunctionPlaces } from './write-map.ts';

/** Name of a function that has none. */
const ANONYMOUS = '<anonymous>';

/** Name that a minifier gives, such as `t` or `e1`. It changes with every build. */
const MINIFIED = /^(?:.{1,2}|.?[\d$].?|.{2}[\d$])$/;
const IDENTIFIER = /[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/uy;
/** Words with which a function or its declaration may begin; no function is named so. */
const KEYWORDS: ReadonlySet<string> = new Set(
  'async await case catch class const default delete do else export extends false finally for function get if import in instanceof let new null return set static super switch this throw true try typeof var void while with yield'.split(
    ' ',
  ),
);

/**
 * Returns where functions begin and end in a minified file, with their original names; null when the file cannot be
 * read. The name of a function is where the map leads from the name that it has in the file.
 */
export function functionPlaces(
  code: string,
  segments: Segments,
  parts: readonly MapPart[],
  texts: Texts,
): FunctionPlaces | null {
  const scopes = functionScopes(code);
  if (scopes === null) return null;
  const names = new OriginalNames(code, segments, parts, texts);
  const numbers = scopes.map((scope) => texts.numberOf(names.nameOf(scope)));
  const places = { lines: [] as number[], columns: [] as number[], names: [] as number[] };
  const add = (at: number, name: number) => {
    const { line, column } = names.placeOf(at);
    places.lines.push(line);
    places.columns.push(column);
    places.names.push(name);
  };
  const around: { readonly end: number; readonly name: number }[] = [];
  const endBefore = (at: number) => {
    for (let top = around.at(-1); top !== undefined && top.end <= at; top = around.at(-1)) {
      around.pop();
      add(top.end, around.at(-1)?.name ?? NONE);
    }
  };
  for (const [index, { start, end }] of scopes.entries()) {
    endBefore(start);
    const name = numbers[index] ?? NONE;
    add(start, name);
    around.push({ end, name });
  }
  endBefore(Infinity);
  return places;
}

/** Finds original names of names in a minified file. */
class OriginalNames {
  readonly #segments: Segments;
  readonly #sources: readonly { readonly content: string | null }[];
  readonly #texts: Texts;
  /** Starts of the lines of the minified file, and of each source that was looked at. */
  readonly #lineStarts: Uint32Array;
  readonly #sourceStarts = new Map<number, Uint32Array>();

  constructor(code: string, segments: Segments, parts: readonly MapPart[], texts: Texts) {
    this.#segments = segments;
    this.#sources = parts.flatMap(({ sources }) => sources);
    this.#texts = texts;
    this.#lineStarts = lineStartsOf(code);
  }

  /** Returns the name as stacks show it: `add`, `Cart.add`, `new Cart`. */
  nameOf({ name, owner, isConstructor }: FunctionScope): string {
    const className = owner === null ? null : this.#original(owner);
    if (isConstructor) return `new ${className ?? ANONYMOUS}`;
    const own = name === null ? null : this.#original(name);
    if (own === null) return ANONYMOUS;
    return className === null ? own : `${className}.${own}`;
  }

  /** Line and column of a character, from 0. */
  placeOf(at: number): { readonly line: number; readonly column: number } {
    const line = firstAbove(this.#lineStarts, 0, this.#lineStarts.length, at) - 1;
    return { line, column: at - (this.#lineStarts[line] ?? 0) };
  }

  #original({ at, text, isMember }: FunctionName): string | null {
    const segment = this.#segmentAt(at);
    const { names, sources, originalLines, originalColumns } = this.#segments;
    const name = segment === null ? NONE : (names[segment] ?? NONE);
    if (name !== NONE) return this.#texts.list[name] ?? null;
    // Minifiers keep the names of members; a map names those that are changed.
    if (isMember && !MINIFIED.test(text)) return text;
    if (segment !== null && (sources[segment] ?? NONE) !== NONE) {
      const found = this.#identifierAt(
        sources[segment] ?? 0,
        originalLines[segment] ?? 0,
        originalColumns[segment] ?? 0,
      );
      if (found !== null) return found;
    }
    return MINIFIED.test(text) ? null : text;
  }

  /** Returns the segment that begins at a character. */
  #segmentAt(at: number): number | null {
    const { lineStarts, columns } = this.#segments;
    const { line, column } = this.placeOf(at);
    const [from, to] = [lineStarts[line], lineStarts[line + 1]];
    if (from === undefined || to === undefined || from === to) return null;
    const found = firstAbove(columns, from, to, column) - 1;
    return found >= from && columns[found] === column ? found : null;
  }

  #identifierAt(source: number, line: number, column: number): string | null {
    const content = this.#sources[source]?.content ?? null;
    if (content === null) return null;
    let starts = this.#sourceStarts.get(source);
    if (starts === undefined) {
      starts = lineStartsOf(content);
      this.#sourceStarts.set(source, starts);
    }
    const start = starts[line];
    if (start === undefined) return null;
    IDENTIFIER.lastIndex = start + column;
    const found = IDENTIFIER.exec(content)?.[0] ?? null;
    return found === null || KEYWORDS.has(found) ? null : found;
  }
}

function lineStartsOf(text: string): Uint32Array {
  const starts = [0];
  const ends = new RegExp(LINE_END, 'g');
  for (let end = ends.exec(text); end !== null; end = ends.exec(text)) starts.push(ends.lastIndex);
  return Uint32Array.from(starts);
}
