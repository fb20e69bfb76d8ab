import type { IndexResult } from './index-source-map.ts';
import { UnusableMap } from './parse-map.ts';
import { textOf } from './text-of.ts';
import { Texts, writeMap } from './write-map.ts';

/** Bytes of a mapping: with the text and its lines, that fits into 300 MB. */
const MAX_MAPPING_BYTES = 64 * 1024 * 1024;
const MAX_CLASSES = 500_000;

const CLASS = /^(\S.*) -> (\S+):$/;
/** `3:4:void com.example.Cart.pay(int):12:13 -> a`: lines in the build, type, name, lines in the source, name there. */
const METHOD = /^ +(?:(\d+):(\d+):)?\S+ ([^\s(]+)\([^)]*\)(?::(\d+))?(?::(\d+))? -> (\S+)$/;
/** R8 names the file of the class in a comment below it. */
const SOURCE_FILE = /^ *# *\{.*"id" *: *"sourceFile".*"fileName" *: *"([^"\\]{1,255})"/;

/**
 * Makes the compact form of a mapping of ProGuard or R8, which `ProguardIndex` reads: a class of the build is a source,
 * its methods are lines of it.
 */
export function readProguard(mapping: Uint8Array): IndexResult {
  try {
    if (mapping.length > MAX_MAPPING_BYTES) {
      const megabytes = Math.round(mapping.length / 1024 / 1024);
      throw new UnusableMap(`the mapping has ${megabytes} MB; at most ${MAX_MAPPING_BYTES / 1024 / 1024} MB are read`);
    }
    const classes = classesIn(textOf(mapping));
    if (classes.size === 0) throw new UnusableMap('the file is no mapping of ProGuard or R8: it has no classes');
    const sources = [...classes]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, lines]) => ({ name, content: lines.join('\n') }));
    return { index: writeMap({ lists: NO_SEGMENTS, texts: new Texts(), sources, knowsFunctions: false }) };
  } catch (error) {
    if (error instanceof UnusableMap) return { problem: error.message };
    throw error;
  }
}

const NO_SEGMENTS = {
  lineStarts: [0],
  columns: [],
  sources: [],
  originalLines: [],
  originalColumns: [],
  names: [],
  scopeLines: [],
  scopeColumns: [],
  scopeNames: [],
};

/** Returns the lines of each class of the build: its original name and file, then its methods in their order. */
function classesIn(text: string): Map<string, string[]> {
  const classes = new Map<string, string[]>();
  let lines: string[] = [];
  let original = '';
  for (const line of linesIn(text)) {
    const named = line.startsWith(' ') ? null : CLASS.exec(line);
    if (named !== null) {
      const [, name = '', obfuscated = ''] = named;
      if (classes.size === MAX_CLASSES) throw new UnusableMap(`the mapping has more than ${MAX_CLASSES} classes`);
      original = name;
      lines = [`${name}\t`];
      classes.set(obfuscated, lines);
      continue;
    }
    const file = SOURCE_FILE.exec(line)?.[1];
    if (file !== undefined && lines.length === 1) lines[0] = `${original}\t${file}`;
    const method = line.includes('(') ? METHOD.exec(line) : null;
    if (method === null || lines.length === 0) continue;
    const [, start = '', end = '', name = '', from = '', to = '', obfuscated = ''] = method;
    const dot = name.lastIndexOf('.');
    const owner = dot === -1 ? '' : name.slice(0, dot);
    lines.push([obfuscated, start, end, owner === original ? '' : owner, name.slice(dot + 1), from, to].join('\t'));
  }
  return classes;
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
