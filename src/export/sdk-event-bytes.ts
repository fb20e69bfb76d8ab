import { isUtf8 } from 'node:buffer';
import type { GrowingBytes } from '../lib/growing-bytes.ts';
import { BYTE, endOfString, endOfValue, hasBytes, NO_END } from '../lib/json/json-bytes.ts';

const { quote, comma, colon, openList, closeList, n, openObject, closeObject } = BYTE;

/** Members of a stored event that `toSdkEvent` changes. */
const CHANGED = [
  'message',
  'logentry',
  'exceptions',
  'threads',
  'breadcrumbs',
  'tags',
  'sdk',
  'contexts',
  'notes',
  'security_report',
] as const;
type Changed = (typeof CHANGED)[number];

const ascii = (text: string): Buffer => Buffer.from(text, 'latin1');

const NAMES = CHANGED.map((name) => ({ name, bytes: ascii(`"${name}"`) }));
const FRAMES = ascii('"frames"');
const KEY = ascii('{"key":');
const VALUE = ascii(',"value":');
const PART = {
  comma: ascii(','),
  openList: ascii('['),
  closeList: ascii(']'),
  closeObject: ascii('}'),
  endOfStack: ascii('}}'),
  stack: ascii('"stacktrace":{"frames":'),
  formatted: ascii('"logentry":{"formatted":'),
  exception: ascii('"exception":{"values":['),
  threads: ascii('"threads":{"values":['),
  endOfValues: ascii(']}'),
  breadcrumbs: ascii('"breadcrumbs":{"values":'),
  tags: ascii('"tags":['),
  sdk: ascii('"sdk":{'),
  settings: ascii('"settings":{"infer_ip":"never"}}'),
  contexts: ascii('"contexts":'),
} as const;

interface Span {
  readonly from: number;
  to: number;
}

/** Element of `exceptions` or `threads`: `frames` is its last member, and a list, or null. */
interface Stack extends Span {
  /** Where the name of `frames` begins, and its value. */
  readonly name: number;
  readonly frames: number;
}

/** Where the parts of a stored event are in its bytes. */
interface Parts {
  /** Members that stay as they are, in runs. */
  readonly same: Span[];
  readonly changed: Map<Changed, Span>;
  readonly exceptions: Stack[];
  readonly threads: Stack[];
}

/**
 * Writes a stored event as `JSON.stringify(toSdkEvent(event))` does, and `last`, a further member, from the bytes of
 * its JSON: the same bytes, without making values of them. False, and then nothing was written: the bytes are not as
 * the normaliser writes them, or hold a browser's report. Then `toSdkEvent` is needed.
 */
export function writeSdkEvent(json: Buffer, last: Uint8Array, out: GrowingBytes): boolean {
  if (!isUtf8(json)) return false;
  const parts = partsOf(json);
  if (parts === null) return false;
  const { same, changed } = parts;
  const [message, logentry, breadcrumbs] = [
    changed.get('message'),
    changed.get('logentry'),
    changed.get('breadcrumbs'),
  ];
  const [tags, sdk, contexts] = [changed.get('tags'), changed.get('sdk'), changed.get('contexts')];
  if (message === undefined || logentry === undefined || breadcrumbs === undefined) return false;
  if (tags === undefined || sdk === undefined || contexts === undefined) return false;
  if (!changed.has('exceptions') || !changed.has('threads')) return false;
  const pairs = pairsOf(json, tags);
  if (pairs === null) return false;
  out.add(json, 0, 1);
  for (const { from, to } of same) {
    out.add(json, from, to);
    out.add(PART.comma);
  }
  if (json[message.from] !== n) writeMessage(json, message, logentry, out);
  writeStacks(json, PART.exception, parts.exceptions, out);
  writeStacks(json, PART.threads, parts.threads, out);
  if (breadcrumbs.to - breadcrumbs.from > 2) {
    out.add(PART.breadcrumbs);
    out.add(json, breadcrumbs.from, breadcrumbs.to);
    out.add(PART.closeObject);
    out.add(PART.comma);
  }
  writePairs(json, pairs, out);
  out.add(PART.sdk);
  writeMembers(json, sdk, out);
  out.add(PART.settings);
  out.add(PART.comma);
  out.add(PART.contexts);
  out.add(json, contexts.from, contexts.to);
  out.add(PART.comma);
  out.add(last);
  out.add(PART.closeObject);
  return true;
}

function partsOf(json: Buffer): Parts | null {
  const parts: Parts = { same: [], changed: new Map(), exceptions: [], threads: [] };
  if (json[0] !== openObject) return null;
  for (let at = 1; ; at += 1) {
    const name = endOfString(json, at);
    if (name === NO_END || json[name] !== colon) return null;
    const from = name + 1;
    const changed = changedAt(json, at, name);
    if (changed === 'security_report') return null;
    const to =
      changed === 'exceptions' || changed === 'threads'
        ? endOfStacks(json, from, parts[changed])
        : endOfValue(json, from);
    if (to === NO_END) return null;
    if (changed !== null) parts.changed.set(changed, { from, to });
    else addMember(parts.same, at, to);
    if (json[to] === closeObject) return to + 1 === json.length ? parts : null;
    if (json[to] !== comma) return null;
    at = to;
  }
}

/** Returns which member's name is between two places; null: one that stays as it is. */
function changedAt(json: Buffer, from: number, to: number): Changed | null {
  for (const { name, bytes } of NAMES) {
    if (bytes.length === to - from && hasBytes(json, from, bytes)) return name;
  }
  return null;
}

/** Adds a member to the run that ends before it. */
function addMember(runs: Span[], from: number, to: number): void {
  const run = runs.at(-1);
  if (run !== undefined && run.to + 1 === from) run.to = to;
  else runs.push({ from, to });
}

/** Collects the elements of a list of stacks; returns its end. */
function endOfStacks(json: Buffer, at: number, stacks: Stack[]): number {
  if (json[at] !== openList) return NO_END;
  if (json[at + 1] === closeList) return at + 2;
  for (let next = at + 1; ; next += 1) {
    const stack = stackAt(json, next);
    if (stack === null) return NO_END;
    stacks.push(stack);
    next = stack.to;
    if (json[next] === closeList) return next + 1;
    if (json[next] !== comma) return NO_END;
  }
}

function stackAt(json: Buffer, from: number): Stack | null {
  if (json[from] !== openObject) return null;
  for (let at = from + 1; ; at += 1) {
    const name = endOfString(json, at);
    if (name === NO_END || json[name] !== colon) return null;
    const to = endOfValue(json, name + 1);
    if (to === NO_END) return null;
    if (name - at === FRAMES.length && hasBytes(json, at, FRAMES)) {
      return json[to] === closeObject ? { from, name: at, frames: name + 1, to: to + 1 } : null;
    }
    if (json[to] !== comma) return null;
    at = to;
  }
}

/** Returns where key and value of each tag are; null when a tag has other members. */
function pairsOf(json: Buffer, { from }: Span): readonly (readonly [Span, Span])[] | null {
  if (json[from] !== openList) return null;
  const pairs: [Span, Span][] = [];
  if (json[from + 1] === closeList) return pairs;
  for (let at = from + 1; ; at += 1) {
    const key = at + KEY.length;
    const endOfKey = hasBytes(json, at, KEY) ? endOfString(json, key) : NO_END;
    if (endOfKey === NO_END || !hasBytes(json, endOfKey, VALUE)) return null;
    const value = endOfKey + VALUE.length;
    const to = endOfString(json, value);
    if (to === NO_END || json[to] !== closeObject) return null;
    pairs.push([
      { from: key, to: endOfKey },
      { from: value, to },
    ]);
    at = to + 1;
    if (json[at] === closeList) return pairs;
    if (json[at] !== comma) return null;
  }
}

function writeMessage(json: Buffer, message: Span, logentry: Span, out: GrowingBytes): void {
  out.add(PART.formatted);
  out.add(json, message.from, message.to);
  if (json[logentry.from] === openObject && json[logentry.from + 1] === quote) {
    out.add(PART.comma);
    out.add(json, logentry.from + 1, logentry.to - 1);
  }
  out.add(PART.closeObject);
  out.add(PART.comma);
}

function writeStacks(json: Buffer, begin: Uint8Array, stacks: readonly Stack[], out: GrowingBytes): void {
  if (stacks.length === 0) return;
  out.add(begin);
  for (const [index, { from, name, frames, to }] of stacks.entries()) {
    if (index > 0) out.add(PART.comma);
    if (json[frames] !== n) {
      out.add(json, from, name);
      out.add(PART.stack);
      out.add(json, frames, to - 1);
      out.add(PART.endOfStack);
    } else {
      // Without the comma before the name, unless there is none.
      out.add(json, from, name === from + 1 ? name : name - 1);
      out.add(PART.closeObject);
    }
  }
  out.add(PART.endOfValues);
  out.add(PART.comma);
}

function writePairs(json: Buffer, pairs: readonly (readonly [Span, Span])[], out: GrowingBytes): void {
  out.add(PART.tags);
  for (const [index, [key, value]] of pairs.entries()) {
    if (index > 0) out.add(PART.comma);
    out.add(PART.openList);
    out.add(json, key.from, key.to);
    out.add(PART.comma);
    out.add(json, value.from, value.to);
    out.add(PART.closeList);
  }
  out.add(PART.closeList);
  out.add(PART.comma);
}

/** Writes the members of an object, each followed by a comma; of null nothing. */
function writeMembers(json: Buffer, { from, to }: Span, out: GrowingBytes): void {
  if (json[from] !== openObject || json[from + 1] !== quote) return;
  out.add(json, from + 1, to - 1);
  out.add(PART.comma);
}
