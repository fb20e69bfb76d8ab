import type { IndexResult } from './index-source-map.ts';
import { MAX_LINE_CHARACTERS } from './map-layout.ts';
import { sizeProblem } from './map-size.ts';
import { noteIn, withNote } from './method-notes.ts';
import { UnusableMap } from './parse-map.ts';
import { textOf } from './text-of.ts';
import { Texts } from './texts.ts';
import { writeMap } from './write-map.ts';

const MAX_CLASSES = 500_000;

const CLASS = /^(\S.*) -> (\S+):$/;
/** `3:4:void com.example.Cart.pay(int):12:13 -> a`: lines in the build, type, name, lines in the source, name there. */
const METHOD = /^ +(?:(\d+):(\d+):)?\S+ ([^\s(]+)\([^)]*\)(?::(\d+))?(?::(\d+))? -> (\S+)$/;
const COMMENT = /^ *#/;
/** Names the file of the class above, as R8 does. */
const SOURCE_FILE = /^ *# *\{.*"id" *: *"sourceFile".*"fileName" *: *"([^"\\]{1,255})"/;

/**
 * Makes the compact form of a mapping of ProGuard or R8, which `ProguardIndex` reads: a class of the build is a source,
 * its methods are lines of it.
 */
export function readProguard(mapping: Uint8Array): IndexResult {
  try {
    const tooLarge = sizeProblem('proguard', mapping.length);
    if (tooLarge !== null) throw new UnusableMap(tooLarge);
    const classes = classesIn(textOf(mapping));
    if (classes.size === 0) throw new UnusableMap('the file is no mapping of ProGuard or R8: it has no classes');
    const sources = [...classes].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, content]) => ({ name, content }));
    return { index: writeMap({ segments: NO_SEGMENTS, functions: null, texts: new Texts(), sources }) };
  } catch (error) {
    if (error instanceof UnusableMap) return { problem: error.message };
    throw error;
  }
}

const NONE_LISTED = new Uint32Array(0);
const NO_SEGMENTS = {
  lineStarts: [0],
  columns: NONE_LISTED,
  sources: NONE_LISTED,
  originalLines: NONE_LISTED,
  originalColumns: NONE_LISTED,
  names: NONE_LISTED,
};

/** Class of the build with its methods in their order. */
interface ReadClass {
  readonly original: string;
  readonly obfuscated: string;
  notes: string;
  readonly methods: Method[];
  /** What comments are about: the class or method above them; null: a field. */
  subject: { notes: string } | null;
}

/** Range of lines of a method. A method of another class was moved here. */
interface Method {
  /** Name in the build, first and last line there, separated by tabs. */
  readonly head: string;
  /** Original class; empty: that of the class which has the method. */
  readonly owner: string;
  /** Original name, first and last line, separated by tabs. */
  readonly original: string;
  notes: string;
}

/** Returns the content of each class of the build: a line for the class, then one for each of its methods. */
function classesIn(text: string): Map<string, string> {
  const files = filesIn(text);
  const classes = new Map<string, string>();
  let current: ReadClass | null = null;
  for (const line of linesIn(text)) {
    const named = namedClass(line);
    if (named === null) {
      if (current !== null) readInto(current, line);
      continue;
    }
    if (classes.size === MAX_CLASSES) throw new UnusableMap(`the mapping has more than ${MAX_CLASSES} classes`);
    if (current !== null) classes.set(current.obfuscated, contentOf(current, files));
    current = { ...named, notes: '', methods: [], subject: null };
    current.subject = current;
  }
  if (current !== null) classes.set(current.obfuscated, contentOf(current, files));
  return classes;
}

/** Returns the file of each original class that names it. Methods that were moved into other classes need it there. */
function filesIn(text: string): Map<string, string> {
  const files = new Map<string, string>();
  let original: string | null = null;
  for (const line of linesIn(text)) {
    original = namedClass(line)?.original ?? original;
    const file = line.includes('sourceFile') ? SOURCE_FILE.exec(line)?.[1] : undefined;
    if (file !== undefined && original !== null) files.set(original, file);
  }
  return files;
}

function namedClass(line: string): { readonly original: string; readonly obfuscated: string } | null {
  const [, original, obfuscated] = (line.startsWith(' ') ? null : CLASS.exec(line)) ?? [];
  return original === undefined || obfuscated === undefined ? null : { original, obfuscated };
}

/** Reads a line below that of a class: a field, a method, or a comment about what is above. */
function readInto(current: ReadClass, line: string): void {
  const { subject } = current;
  if (COMMENT.test(line)) {
    const note = subject === null ? null : noteIn(line);
    if (subject !== null && note !== null) subject.notes = withNote(subject.notes, note);
    return;
  }
  current.subject = null;
  const method = line.includes('(') ? METHOD.exec(line) : null;
  if (method === null) return;
  const [, start = '', end = '', name = '', from = '', to = '', obfuscated = ''] = method;
  const dot = name.lastIndexOf('.');
  const owner = dot === -1 ? '' : name.slice(0, dot);
  const read: Method = {
    head: `${obfuscated}\t${start}\t${end}`,
    owner: owner === current.original ? '' : owner,
    original: `${name.slice(dot + 1)}\t${from}\t${to}`,
    notes: '',
  };
  current.methods.push(read);
  current.subject = read;
}

function contentOf({ original, notes, methods }: ReadClass, files: ReadonlyMap<string, string>): string {
  const head = `${original}\t${files.get(original) ?? ''}`;
  const lines = methods.map((method) => {
    const { head: start, owner } = method;
    const line = `${start}\t${owner}\t${method.original}`;
    const file = owner === '' ? '' : (files.get(owner) ?? '');
    const whole = file === '' && method.notes === '' ? line : `${line}\t${file}\t${method.notes}`;
    // A longer line would be cut within a note.
    return whole.length > MAX_LINE_CHARACTERS ? line : whole;
  });
  return [notes === '' ? head : `${head}\t${notes}`, ...lines].join('\n');
}

function* linesIn(text: string): Generator<string> {
  let from = 0;
  while (from < text.length) {
    let end = text.indexOf('\n', from);
    if (end === -1) end = text.length;
    yield text.slice(from, text[end - 1] === '\r' ? end - 1 : end);
    from = end + 1;
  }
}
