/** Key of a search, as the service describes it. */
export interface SearchKeyInfo {
  readonly key: string;
  readonly description: string;
  /** Values that are always offered. */
  readonly values: readonly string[];
  /** Whether the service suggests further values. */
  readonly suggests: boolean;
  /** What a value means, where it does not say it. */
  readonly hints?: Readonly<Record<string, string>>;
}

/** Word of a search at the caret. */
export interface WordAt {
  /** Bounds in the text. */
  readonly start: number;
  readonly end: number;
  /** `!` in front, or empty. */
  readonly not: string;
  /** Part before the colon; null without a colon. */
  readonly key: string | null;
  /** Values of a list before the one at the caret, such as `[fatal,`; empty outside lists. */
  readonly list: string;
  /** Part behind the colon or comma up to the caret, or the whole word up to the caret; without an opening quote. */
  readonly typed: string;
}

/** Entry of the list below the search. */
export interface Completion {
  readonly label: string;
  readonly description: string;
  /** Search text after the entry was chosen, and its place for the caret. */
  readonly text: string;
  readonly caret: number;
  /** Whether the text is complete, and is searched at once. */
  readonly complete: boolean;
}

/** Maximum of values that are listed at once. */
const MAX_VALUES = 8;

/**
 * Tags whose values are a product and its version. Their names alone find every version. Repeats `isProduct` of
 * `src/domain/search/tag-terms.ts`, because the pages know the service by its API alone and import none of its sources.
 */
const PRODUCTS = /^(?:(?:browser|os|runtime|device)(?:\.name)?|device\.(?:family|model))$/;

/** Words, with quotes around blanks. */
const WORDS = /(?:[^\s"]|"(?:[^"\\]|\\.)*(?:"|$))+/g;

/** List that is being typed, up to the value at its end. */
const LIST = /^\[(?:(?:"(?:[^"\\]|\\.)*"|[^",\]]+),)*/;

/** Returns the word at the caret; an empty one between words. */
export function wordAt(text: string, caret: number): WordAt {
  for (const { 0: word, index } of text.matchAll(WORDS)) {
    const end = index + word.length;
    if (caret < index || caret > end) continue;
    const not = word.startsWith('!') ? '!' : '';
    const before = word.slice(not.length, Math.max(not.length, caret - index));
    const colon = before.indexOf(':');
    const key = colon > 0 ? before.slice(0, colon) : null;
    const value = key === null ? before : before.slice(colon + 1);
    const [list = ''] = key === null ? [] : (LIST.exec(value) ?? []);
    return { start: index, end, not, key, list, typed: value.slice(list.length).replace(/^"/, '') };
  }
  return { start: caret, end: caret, not: '', key: null, list: '', typed: '' };
}

function quoted(value: string): string {
  return /[\s"*[\],]/.test(value) ? `"${value.replaceAll(/["\\*]/g, String.raw`\$&`)}"` : value;
}

function put(
  text: string,
  { start, end }: WordAt,
  word: string,
  complete: boolean,
): Pick<Completion, 'text' | 'caret'> {
  const after = text.slice(end).trimStart();
  const blank = complete ? ' ' : '';
  const head = text.slice(0, start) + word + blank;
  return { text: complete || after === '' ? head + after : `${head} ${after}`, caret: head.length };
}

/** Keys that begin with the typed text; all of them for an empty word. */
export function keyCompletions(text: string, word: WordAt, keys: readonly SearchKeyInfo[]): Completion[] {
  if (word.key !== null) return [];
  const typed = word.typed.toLowerCase();
  return keys
    .filter(({ key }) => key.toLowerCase().startsWith(typed))
    .map(({ key, description }) => ({
      label: `${word.not}${key}:`,
      description,
      complete: false,
      ...put(text, word, `${word.not}${key}:`, false),
    }));
}

/** Whether other values are this one with a version, such as `Firefox 140` of `Firefox`. */
function isName(value: string, values: readonly string[]): boolean {
  return values.some((other) => other.startsWith(value) && /^ ?\d/.test(other.slice(value.length)));
}

/** Values of the key at the caret. Those that begin with the typed text come first, then those that contain it. */
export function valueCompletions(
  text: string,
  word: WordAt,
  values: readonly string[],
  hints: Readonly<Record<string, string>> = {},
): Completion[] {
  const { key, list, not } = word;
  if (key === null) return [];
  const close = list === '' ? '' : ']';
  const typed = word.typed.replace(/"$/, '').toLowerCase();
  const fit = values.filter((value) => value.toLowerCase().includes(typed));
  const first = fit.filter((value) => value.toLowerCase().startsWith(typed));
  return [...new Set([...first, ...fit])].slice(0, MAX_VALUES).map((value) => ({
    label: value,
    description: hints[value] ?? (PRODUCTS.test(key) && isName(value, values) ? 'any version' : ''),
    complete: true,
    ...put(text, word, `${not}${key}:${list}${quoted(value)}${close}`, true),
  }));
}

/** Whether the word before the caret is the beginning of a key, as long as no colon follows. */
export function isPartOfKey(text: string, caret: number, keys: readonly SearchKeyInfo[]): boolean {
  const word = wordAt(text, caret);
  return word.typed !== '' && keyCompletions(text, word, keys).length > 0;
}

/** List whose end is not typed yet. */
const OPEN_LIST = /(?:^|\s)!?[a-z][\w.-]*:(?:[^\s"=[]+=)?\[[^\]]*$/i;

/** Whether a word is the beginning of a value that its key offers, such as `is:reg`, where no other value can be. */
function isPart(word: string, keys: readonly SearchKeyInfo[]): boolean {
  const { key, typed } = wordAt(word, word.length);
  const known = keys.find((each) => each.key.toLowerCase() === key?.toLowerCase());
  if (known === undefined || known.suggests || typed === '') return false;
  const values = known.values.map((value) => value.toLowerCase());
  return !values.includes(typed.toLowerCase()) && values.some((value) => value.includes(typed.toLowerCase()));
}

/**
 * Whether a search ends within a word, such as `level:`, `level:[fatal,`, `is:reg` or `user:"Ada L`: it is not searched
 * before the word ends.
 */
export function isUnfinished(text: string, keys: readonly SearchKeyInfo[]): boolean {
  if (OPEN_LIST.test(text)) return true;
  const last = [...text.matchAll(WORDS)].at(-1)?.[0] ?? '';
  if ((last.replaceAll(/\\./g, '').match(/"/g)?.length ?? 0) % 2 === 1) return true;
  if (text.endsWith(last) && isPart(last, keys)) return true;
  const key = last.replace(/^!/, '').replace(/:$/, '').toLowerCase();
  return last.endsWith(':') && text.endsWith(last) && keys.some((known) => known.key.toLowerCase() === key);
}
