import { PARAMETERS } from './parameter-patterns.ts';

const PLACEHOLDERS = PARAMETERS.map(([kind]) => `<${kind}>`);

/** Nothing variable begins inside a word; what cannot begin anything is passed over at once. */
const ANY_PARAMETER = new RegExp(
  `(?<![A-Za-z0-9])(?=[A-Za-z0-9:/'"-])(?:${PARAMETERS.map(([, pattern]) => `(${pattern})`).join('|')})`,
  'g',
);

/** Without one of these nothing can match: figures, mail and web addresses, values behind `=`, host names. */
const MAY_HOLD_PARAMETER = /[0-9@=]|:[/\\]|\.[A-Za-z]|\/[A-Za-z]/;

/**
 * The text as it is grouped by: its first two lines that are not blank, with `...` where more followed,
 * and everything variable replaced by placeholders such as `<int>` and `<uuid>`. One pass from left to
 * right; at each place the first kind that fits wins.
 */
export function parameterise(text: string): string {
  const lines = firstLines(text);
  if (!MAY_HOLD_PARAMETER.test(lines)) return lines;
  return lines.replace(ANY_PARAMETER, placeholder);
}

function placeholder(match: string, ...groups: unknown[]): string {
  for (let kind = 0; kind < PLACEHOLDERS.length; kind += 1) {
    if (groups[kind] !== undefined) return PLACEHOLDERS[kind] ?? match;
  }
  return match;
}

const LINE_END = /\r\n|[\n\r\u2028\u2029]/;
/** How many lines that are not blank count. */
const LINES = 2;

function firstLines(text: string): string {
  if (!LINE_END.test(text)) return text.trim();
  const lines = text.split(LINE_END).filter((line) => line.trim() !== '');
  const kept = lines.slice(0, LINES).map((line) => line.trimEnd());
  return kept.join('\n').trim() + (lines.length > LINES ? '...' : '');
}
