import { NOUNS } from './values/value-patterns.ts';

/** Repeated items that are equal once placeholders replace their values: `<number>, <number>`, `lot-<id>; lot-<id>`. */
const SERIES =
  /(?<![^\s([{,;:="'|])([^\s,;()[\]{}|]{1,120})(?:[,;] ?\1(?![^\s,;)\]}.|]))+(?:,? (?:and|or|&) \1(?![^\s,;)\]}.|]))?/g;
/** Slices as Go prints them. */
const SPACED = /(<[a-z\d_]{1,20}>)(?: \1)+(?=\])/g;
/** Groups of values in brackets, such as the rows of an insert. */
const ROWS = /(\([^()\n]{1,200}\))(?:, ?\1)+/g;
/** Values of a query; a query inside it stays. */
const VALUES = /\b(IN|VALUES) ?\((?! ?SELECT\b)[^()\n]{0,4000}\)/gi;
/** List in brackets; behind a word brackets hold an index. */
const BRACKETS = /(?<![\w\])])\[(?:<[a-z\d_]{1,20}>|[^[\]\n,]{0,200}(?:,[^[\]\n]{0,2000})?)\]/g;
/** Placeholder alone in brackets, except a time or host: those begin a line of a log. */
const PLACEHOLDER = /^\[<(?!date|duration|host)[a-z\d_]{1,20}>\]$/;
const SINGLE = /^\[[\w.@/+<>-]{1,200}\]$/;
const NAMING = new RegExp(`\\b${NOUNS}:? $`);
/** Numbered placeholders of queries: `$1`, `:id_1`, `@p1`. */
const COUNTED = /(?<=[($, =:])([$@:][A-Za-z]{0,20})\d{1,5}(?!\w)/g;

/** Returns the text with its lists shortened, so that lists of different lengths give the same text. */
export function withoutLists(text: string): string {
  let result = text;
  if (/[$@:]/.test(result)) result = result.replace(COUNTED, '$1<number>');
  if (/[,;]/.test(result)) result = result.replace(SERIES, plainUnlessVariable);
  if (result.includes('(')) result = result.replace(ROWS, '$1').replace(VALUES, '$1 (<list>)');
  if (result.includes('[')) {
    result = result
      .replace(SPACED, '$1')
      .replace(BRACKETS, (list, at: number, all: string) =>
        isList(list) || isSetOff(list, all.slice(Math.max(0, at - 24), at)) ? '[<list>]' : list,
      );
  }
  return result;
}

/** Reduces a series to its item when the item holds a value; a series of plain words stays. */
function plainUnlessVariable(series: string, item: string): string {
  return item.includes('<') || item === '?' || /^[$@:%]/.test(item) ? item : series;
}

/** Returns true where brackets quote a value within a sentence: `user [ann] is locked`. */
function isSetOff(list: string, before: string): boolean {
  return SINGLE.test(list) && /[a-z]:? $/.test(before) && !NAMING.test(before);
}

function isList(list: string): boolean {
  return list === '[]' || list.includes(',') || PLACEHOLDER.test(list);
}
