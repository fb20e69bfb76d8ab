/**
 * Facts about a method that R8 writes as JSON comments below it (mapping format 2). In the compact form they are one
 * text: notes that are separated by semicolons.
 */
export interface MethodNotes {
  /** True: the compiler made the method; no source has it. */
  readonly isSynthesized: boolean;
  /** True: instructions that several methods share, which R8 moved into a method of their own. */
  readonly isOutline: boolean;
  /** Lines of the call of an outline by the line in the outline; null: the method calls none. */
  readonly outlineLines: ReadonlyMap<number, number> | null;
  /** Calls to leave out, from the innermost, when the frame is the innermost and its exception is of this class. */
  readonly removals: readonly { readonly thrown: string; readonly calls: number }[];
}

/** Characters of the notes of a method. The lines of outlines beyond are left out: a frame keeps its place then. */
const MAX_NOTES = 200;

const NONE: MethodNotes = { isSynthesized: false, isOutline: false, outlineLines: null, removals: [] };
const SYNTHESIZED = 's';
const OUTLINE = 'o';
const OUTLINE_LINES = 'l';
const REMOVAL = 'r';

const COMMENT =
  /^ *# *(\{ *["']?id["']? *: *["']com\.android\.tools\.r8\.(synthesized|outline|outlineCallsite|rewriteFrame)["'].*\})/;
const THROWS = /^throws\(L([^;()\s]+);\)$/;
const REMOVE = /^removeInnerFrames\((\d{1,3})\)$/;

/** Returns the note that a comment gives the method above it; null: another comment. */
export function noteIn(comment: string): string | null {
  const [, json = '', id] = COMMENT.exec(comment) ?? [];
  if (id === 'synthesized') return SYNTHESIZED;
  if (id === 'outline') return OUTLINE;
  if (id === undefined) return null;
  const fields = fieldsOf(json);
  return id === 'rewriteFrame' ? removalIn(fields) : outlineLinesIn(fields['positions']);
}

/** Adds a note to those of a method. One that would exceed the bound is left out. */
export function withNote(notes: string, note: string): string {
  const all = notes === '' ? note : `${notes};${note}`;
  return all.length > MAX_NOTES ? notes : all;
}

/** Reads the notes of a method. */
export function readNotes(text: string): MethodNotes {
  if (text === '') return NONE;
  const notes = text.split(';');
  const ofKind = (kind: string) => notes.filter((note) => note.startsWith(kind)).map((note) => note.slice(kind.length));
  const [lines] = ofKind(OUTLINE_LINES);
  return {
    isSynthesized: notes.includes(SYNTHESIZED),
    isOutline: notes.includes(OUTLINE),
    outlineLines: lines === undefined ? null : new Map(lines.split(',').map(pairIn)),
    removals: ofKind(REMOVAL).map((removal) => {
      const [calls = '', thrown = ''] = removal.split(':');
      return { thrown, calls: Number(calls) };
    }),
  };
}

function fieldsOf(json: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(json) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** Two conditions are two classes of one exception, which it never has. */
function removalIn({ conditions, actions }: Readonly<Record<string, unknown>>): string | null {
  if (!Array.isArray(conditions) || !Array.isArray(actions) || conditions.length !== 1) return null;
  const thrown = THROWS.exec(String(conditions[0]))?.[1]?.replaceAll('/', '.');
  const calls = actions.map((action) => REMOVE.exec(String(action))?.[1]).find((count) => count !== undefined);
  return thrown === undefined || thrown.includes(':') || calls === undefined ? null : `${REMOVAL}${calls}:${thrown}`;
}

function outlineLinesIn(positions: unknown): string | null {
  if (typeof positions !== 'object' || positions === null) return null;
  const pairs = Object.entries(positions).filter(([from, to]) => /^\d{1,9}$/.test(from) && Number.isSafeInteger(to));
  return pairs.length === 0 ? null : `${OUTLINE_LINES}${pairs.map(([from, to]) => `${from}=${to}`).join(',')}`;
}

function pairIn(pair: string): [number, number] {
  const [from, to] = pair.split('=');
  return [Number(from), Number(to)];
}
