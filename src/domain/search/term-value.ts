/** Value of a term. */
export interface TermValue {
  /** Text without quotes and escapes. Of `tag:name="some value"` the part before the quotes is in it. */
  readonly text: string;
  /** Places in `text` of each `*` that stands for any characters. `\*` is the character itself. */
  readonly stars: readonly number[];
}

/** Entry of a list: words in quotes, perhaps with a beginning before them, or plain text. */
const ENTRY = /\s*(?:(?:[^\s",=]+=)?"(?:[^"\\]|\\.)*"\s*(?=,|$)|[^,]+)/gsu;

/** Reads text in which backslashes are characters, except in `\*`. At the end, as in `C:\app\*`, it is a path. */
function plain(text: string): TermValue {
  let read = '';
  const stars: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] ?? '';
    if (sign === '\\' && text[at + 1] === '*' && (at + 2 < text.length || at === 0)) {
      at += 1;
      read += '*';
      continue;
    }
    if (sign === '*') stars.push(read.length);
    read += sign;
  }
  return { text: read, stars };
}

/** Reads the text between quotes: `\"`, `\\` and `\*` mean the character itself. */
function inQuotes(text: string): TermValue {
  let read = '';
  const stars: number[] = [];
  for (const [part] of text.matchAll(/\\["\\*]|[^]/gu)) {
    if (part === '*') stars.push(read.length);
    read += part.length === 2 && part.startsWith('\\') ? part.slice(1) : part;
  }
  return { text: read, stars };
}

/** Reads a value as written, with or without quotes. */
function valueOf(written: string): TermValue {
  const start = written.indexOf('"');
  const isQuoted = written.endsWith('"') && start !== -1 && start < written.length - 1;
  if (!isQuoted || (start > 0 && written[start - 1] !== '=')) return plain(written);
  const head = written.slice(0, start);
  const { text, stars } = inQuotes(written.slice(start + 1, -1));
  return { text: head + text, stars: stars.map((at) => head.length + at) };
}

/**
 * Returns the values of a term: those of a list `[a,"b c"]` or `name=[a,b]`, else the one that is written. Of an empty
 * list none.
 */
export function valuesOf(written: string): TermValue[] {
  const [, head, inside] = /^([^\s"=[]+=)?\[(.*)\]$/su.exec(written) ?? [];
  if (inside === undefined) return [valueOf(written)];
  const entries = [...inside.matchAll(ENTRY)].map(([entry]) => entry.trim()).filter((entry) => entry !== '');
  return entries.map((entry) => valueOf(`${head ?? ''}${entry}`));
}
