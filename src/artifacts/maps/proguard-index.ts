import { LRUCache } from 'lru-cache';
import { MapIndex } from './map-index.ts';
import { readNotes, type MethodNotes } from './method-notes.ts';

/** Original place of a call of a program that R8 or ProGuard changed. */
export interface OriginalCall {
  /** Class with its package. */
  readonly className: string;
  readonly method: string;
  /** Null: not known. */
  readonly line: number | null;
  /** Name of the file; null: the mapping does not say. */
  readonly file: string | null;
  /** True: the build made the method; no source has it. */
  readonly isSynthesized: boolean;
}

/** What a stack says of a frame. */
export interface StackPlace {
  /** Original class of the exception whose innermost frame it is; null: it is another frame. */
  readonly thrown: string | null;
  /** Line of the outline that the frame calls; null: it calls none. */
  readonly outlineLine: number | null;
}

export const ANYWHERE: StackPlace = { thrown: null, outlineLine: null };

interface Method {
  /** Lines in the build; null: all. */
  readonly start: number | null;
  readonly end: number | null;
  readonly className: string;
  readonly method: string;
  /** Lines in the source; null: as in the build, and one line. */
  readonly from: number | null;
  readonly to: number | null;
  /** File of the class, where that is another one. */
  readonly file: string | null;
  readonly notes: MethodNotes;
}

interface Class {
  readonly original: string;
  readonly file: string | null;
  /** Methods by their name in the build, in their order. */
  readonly methods: ReadonlyMap<string, readonly Method[]>;
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
  callsOf(className: string, method: string, line: number | null, place = ANYWHERE): OriginalCall[] | null {
    const found = this.#class(className);
    if (found === null) return null;
    const named = found.methods.get(method) ?? [];
    const { line: realLine, methods: inLine } = methodsAt(named, line, place.outlineLine);
    if (inLine.length > 0) {
      const removed = removedCalls(inLine, place.thrown);
      // The outermost is the method of the build, which a note is about; the others were moved into it.
      const made = inLine.some(isMade) ? inLine.at(-1) : undefined;
      return inLine.slice(removed).map((each) => callOf(each, found, originalLine(each, realLine), each === made));
    }
    const unlined = named.filter(({ start }) => start === null);
    const calls = (unlined.length > 0 ? unlined : named).map((each) => callOf(each, found, null, isMade(each)));
    const [first] = calls;
    // Without lines, overloads and several methods of one name cannot be told apart.
    const isOne = calls.every((call) => call.method === first?.method && call.className === first.className);
    if (first !== undefined && isOne) return [{ ...first, line: unlined.length > 0 ? line : null }];
    return [{ className: found.original, method, line: null, file: found.file, isSynthesized: false }];
  }

  /** Whether a frame is in instructions that several methods share: the frame outside of it calls them. */
  isOutline(className: string, method: string, line: number | null): boolean {
    const named = this.#class(className)?.methods.get(method) ?? [];
    return named.some(({ start, end, notes }) => notes.isOutline && (start === null || isWithin(line, start, end)));
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
  const [original = '', file = '', ofClass = ''] = head.split('\t');
  const classNotes = readNotes(ofClass);
  const methods = new Map<string, Method[]>();
  for (const line of lines) {
    const [obfuscated = '', start, end, owner = '', method = '', from, to, ownersFile = '', text = ''] =
      line.split('\t');
    const className = owner === '' ? original : owner;
    const notes = readNotes(text);
    const read: Method = {
      ...{ className, method, start: numberIn(start), end: numberIn(end) },
      ...{ from: numberIn(from), to: numberIn(to) },
      file: ownersFile === '' ? null : ownersFile,
      notes: classNotes.isSynthesized && owner === '' ? { ...notes, isSynthesized: true } : notes,
    };
    const named = methods.get(obfuscated);
    if (named === undefined) methods.set(obfuscated, [read]);
    else named.push(read);
  }
  return { original, file: file === '' ? null : file, methods };
}

const numberIn = (text = ''): number | null => (text === '' ? null : Number(text));

function isWithin(line: number | null, start: number | null, end: number | null): boolean {
  return line !== null && line > 0 && start !== null && end !== null && start <= line && line <= end;
}

/** Returns the methods whose lines have the line, and the line: that of an outline stands for another one. */
function methodsAt(named: readonly Method[], line: number | null, outlineLine: number | null) {
  const at = (wanted: number | null) => ({
    line: wanted,
    methods: named.filter(({ start, end }) => isWithin(wanted, start, end)),
  });
  const sent = at(line);
  if (outlineLine === null) return sent;
  const lines = sent.methods.map(({ notes }) => notes.outlineLines?.get(outlineLine));
  const calling = at(lines.find((each) => each !== undefined) ?? null);
  return calling.methods.length > 0 ? calling : sent;
}

/** Returns the number of inner calls that did not happen: the exception was thrown before. One call always stays. */
function removedCalls(methods: readonly Method[], thrown: string | null): number {
  if (thrown === null) return 0;
  const removals = methods.flatMap(({ notes }) => notes.removals.filter((removal) => removal.thrown === thrown));
  return Math.min(methods.length - 1, Math.max(0, ...removals.map(({ calls }) => calls)));
}

const isMade = ({ notes }: Method): boolean => notes.isSynthesized || notes.isOutline;

function callOf(
  { className, method, file }: Method,
  found: Class,
  line: number | null,
  isSynthesized: boolean,
): OriginalCall {
  return { className, method, line, isSynthesized, file: className === found.original ? found.file : file };
}

function originalLine({ start, end, from, to }: Method, line: number | null): number | null {
  if (from === null || line === null) return line;
  // Methods that the build made have no lines.
  if (from === 0) return null;
  // One line: that of the call which was moved. Ranges of another length cannot be counted through.
  return to !== null && start !== null && end !== null && to - from === end - start ? from + (line - start) : from;
}
