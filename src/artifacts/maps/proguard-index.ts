import { LRUCache } from 'lru-cache';
import { MapIndex } from './map-index.ts';

/** Original place of a call of a program that R8 or ProGuard changed. */
export interface OriginalCall {
  /** Class with its package. */
  readonly className: string;
  readonly method: string;
  /** Null: not known. */
  readonly line: number | null;
  /** Name of the file; null: the mapping does not say. */
  readonly file: string | null;
}

interface Method {
  readonly obfuscated: string;
  /** Lines in the build; null: all. */
  readonly start: number | null;
  readonly end: number | null;
  readonly className: string;
  readonly method: string;
  /** Lines in the source; null: as in the build, and one line. */
  readonly from: number | null;
  readonly to: number | null;
}

interface Class {
  readonly original: string;
  readonly file: string | null;
  readonly methods: readonly Method[];
}

/** Classes that one mapping keeps read. */
const KEPT_CLASSES = 64;

/** Reads the compact form of a mapping, which `readProguard` makes. */
export class ProguardIndex {
  readonly memoryBytes: number;
  readonly #index: MapIndex;
  readonly #classes = new LRUCache<string, Class | 'unknown'>({ max: KEPT_CLASSES });

  /** Throws for bytes that are no compact form of this version. */
  constructor(bytes: Uint8Array) {
    this.#index = new MapIndex(bytes);
    this.memoryBytes = this.#index.memoryBytes;
  }

  /** Returns the original name of a class; null: the mapping does not have it. */
  classOf(className: string): string | null {
    return this.#class(className)?.original ?? null;
  }

  /**
   * Returns the original calls of a frame, the innermost first: the build may have moved calls into one another. Null:
   * the mapping does not have the class. A method that several may be keeps its name.
   */
  callsOf(className: string, method: string, line: number | null): OriginalCall[] | null {
    const found = this.#class(className);
    if (found === null) return null;
    const named = found.methods.filter(({ obfuscated }) => obfuscated === method);
    const inLine = named.filter(({ start, end }) => isWithin(line, start, end));
    const chosen = inLine.length > 0 ? inLine : named.filter(({ start }) => start === null);
    const calls = (chosen.length > 0 ? chosen : named).map((each) => ({
      className: each.className,
      method: each.method,
      line: inLine.length > 0 ? originalLine(each, line) : null,
      file: each.className === found.original ? found.file : null,
    }));
    if (inLine.length > 0) return calls;
    const [first] = calls;
    // Without lines, overloads and several methods of one name cannot be told apart.
    const isOne = calls.every((call) => call.method === first?.method && call.className === first.className);
    if (first !== undefined && isOne) return [{ ...first, line: chosen.length > 0 ? line : null }];
    return [{ className: found.original, method, line: null, file: found.file }];
  }

  #class(name: string): Class | null {
    let known = this.#classes.get(name);
    if (known === undefined) {
      const source = this.#index.sourceNamed(name);
      known = source === null ? 'unknown' : readClass(this.#index.linesOf(source));
      this.#classes.set(name, known);
    }
    return known === 'unknown' ? null : known;
  }
}

function readClass([head = '', ...lines]: readonly string[]): Class {
  const [original = '', file = ''] = head.split('\t');
  const methods = lines.map((line): Method => {
    const [obfuscated = '', start, end, owner = '', method = '', from, to] = line.split('\t');
    const className = owner === '' ? original : owner;
    return {
      ...{ obfuscated, className, method, start: numberIn(start), end: numberIn(end) },
      ...{ from: numberIn(from), to: numberIn(to) },
    };
  });
  return { original, file: file === '' ? null : file, methods };
}

const numberIn = (text = ''): number | null => (text === '' ? null : Number(text));

function isWithin(line: number | null, start: number | null, end: number | null): boolean {
  return line !== null && line > 0 && start !== null && end !== null && start <= line && line <= end;
}

function originalLine({ start, end, from, to }: Method, line: number | null): number | null {
  if (from === null || line === null) return line;
  // One line: that of the call which was moved. Ranges of another length cannot be counted through.
  return to !== null && start !== null && end !== null && to - from === end - start ? from + (line - start) : from;
}
