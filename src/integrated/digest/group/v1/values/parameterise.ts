import { withoutDocuments } from '../documents.ts';
import { withoutLists } from '../lists.ts';
import { firstMatchIn, longTokenZones } from './long-tokens.ts';
import { PARAMETERS } from './parameter-patterns.ts';
import { BEARER, LONG_TOKEN } from './token-patterns.ts';

const PLACEHOLDERS = PARAMETERS.map(([kind]) => `<${kind}>`);

/** Position where a parameter can begin: not inside a word, and before one of its possible first characters. */
const BEGINNING = '(?<![A-Za-z0-9])(?=[A-Za-z0-9_:/\'"`“„«‹‘[\\\\-])';

function anyOf(patterns: readonly string[], flags: string): RegExp {
  return new RegExp(`${BEGINNING}(?:${patterns.map((pattern) => `(${pattern})`).join('|')})`, flags);
}

/** All kinds but long tokens, with the same groups as the pattern of all kinds. */
const USUAL_PARAMETER = anyOf(
  PARAMETERS.map(([kind, pattern]) => (kind === 'token' ? BEARER : pattern)),
  'g',
);
const PARAMETER_HERE = anyOf(
  PARAMETERS.map(([, pattern]) => pattern),
  'y',
);
const LONG_TOKEN_HERE = anyOf([LONG_TOKEN], 'y');

/**
 * Finds a sign of a parameter: digits, quotes, mail and web addresses, values behind `=`, hosts. A text without a match
 * has no parameters.
 */
const MAY_HOLD_PARAMETER = /[0-9@="'`“„«‹‘]|:[/\\]|\.[A-Za-z]|\/[A-Za-z]|eyJ|[Bb]e?a/;
/** Finds a sign of a body or list. A text without a match has neither. */
const MAY_HOLD_LIST = /[[{(,?]/;

/**
 * Returns the text for the key: its first two non-blank lines, with `...` where more follow. Placeholders such as
 * `<number>` and `<uuid>` replace variable parts. Each JSON body, and each list of any length, becomes one placeholder.
 * Parameters are replaced in one pass from left to right; at each place the first matching kind wins.
 */
export function parameterise(text: string): string {
  const listed = MAY_HOLD_LIST.test(text);
  const lines = firstLines(listed ? withoutDocuments(text) : text);
  let replaced = MAY_HOLD_PARAMETER.test(lines) ? replaceParameters(lines) : lines;
  if (listed && replaced.includes('?')) replaced = replaced.replace(QUERY, '');
  if (replaced.includes('=<')) replaced = replaced.replace(ASSIGNED, '=<value>');
  return listed ? withoutLists(replaced) : replaced;
}

/** Query of a route, which is optional. */
const QUERY = /(?<=\/[\w.%~<>-]{0,100})\?[\w.%~[\]-]{1,64}=(?:[^\s"'),;]{0,2000}[^\s"'),;.:!?])?/g;

/** Placeholder behind `key=`. The kind of the value does not matter there, nor whether it is in quotes. */
const ASSIGNED = /=<[a-z\d_]{1,20}>/g;

function placeholder(match: string, ...groups: unknown[]): string {
  for (let kind = 0; kind < PLACEHOLDERS.length; kind += 1) {
    if (groups[kind] !== undefined) return PLACEHOLDERS[kind] ?? match;
  }
  return match;
}

/** Start and end of a part of a text, in characters; the end is exclusive. */
export type Span = readonly [start: number, end: number];

/** Returns the places of all parameters, in order. A later version changes nothing inside them. */
export function parameterSpans(text: string): Span[] {
  const spans: Span[] = [];
  replaceParameters(text, (match, ...groups) => {
    const start = groups.at(-2) as number;
    spans.push([start, start + match.length]);
    return match;
  });
  return spans;
}

/**
 * Replaces parameters as one pattern of all kinds would, but in linear time. `replacer` gets what `String.replace`
 * hands over.
 */
export function replaceParameters(text: string, replacer = placeholder): string {
  const zones = longTokenZones(text);
  if (zones.length === 0) return text.replace(USUAL_PARAMETER, replacer);
  let result = '';
  let from = 0;
  let usual = matchFrom(USUAL_PARAMETER, text, from);
  for (;;) {
    if (usual !== null && usual.index < from) usual = matchFrom(USUAL_PARAMETER, text, from);
    const token = firstMatchIn(zones, LONG_TOKEN_HERE, text, from, usual?.index ?? text.length);
    const found = token === null ? usual : matchFrom(PARAMETER_HERE, text, token);
    if (found === null) return result + text.slice(from);
    result += text.slice(from, found.index) + replacer(...(found as unknown as [string]), found.index, text);
    from = found.index + found[0].length;
  }
}

function matchFrom(pattern: RegExp, text: string, from: number): RegExpExecArray | null {
  pattern.lastIndex = from;
  return pattern.exec(text);
}

const LINE_END = /\r\n|[\n\r\u2028\u2029]/;
/** Gap of blanks. Programs align their output, so the width of a gap depends on the values. */
const GAP = /[ \t]{2,}|\t/g;
/** Number of non-blank lines in the key. */
const LINES = 2;

function firstLines(text: string): string {
  if (!LINE_END.test(text)) return text.trim().replace(GAP, ' ');
  const lines = text.split(LINE_END).filter((line) => line.trim() !== '');
  const kept = lines.slice(0, LINES).map((line) => line.trimEnd());
  return kept.join('\n').trim().replace(GAP, ' ') + (lines.length > LINES ? '...' : '');
}
