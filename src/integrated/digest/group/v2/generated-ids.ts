import { parameterSpans, type Span } from '../v1/values/parameterise.ts';
import { isRandom } from './random-token.ts';

/** Stands for every id that is found: version 1 calls it an id, whatever surrounds it. */
const KNOWN = 'a1b2c3d4e5f6g7h8';

/** Maximum characters that are searched; only the first two lines of a text count, and they are far shorter. */
const MAX_TEXT = 8192;

/** Capital behind a small letter or figure: every id that looks random has one. */
const MIXED = /[a-z\d][A-Z]/;
/** End of a label, which may stand before an id. */
const LABEL = /(?:est|ost|ace|ion|age|EST|ACE)[ _-]?(?:[Ii]d|ID)\b/;

/** Ids of Gmail's servers at the end of their answers: `d9443c01a7336-1ff1a5b2c3dsi12345678plg.123 - gsmtp`. */
const GMAIL = /(?<![\w.-])[a-z0-9][\w-]{7,80}\.\d{1,4}(?= - gsmtp)/g;

/** Ids of messages of Exim, older and newer: `1rXyZ0-0001aB-Cd`. */
const EXIM = /(?<![\w-])\d[0-9A-Za-z]{5}-[0-9A-Za-z]{6}(?:[0-9A-Za-z]{5})?-[0-9A-Za-z]{2}(?:[0-9A-Za-z]{2})?(?![\w-])/g;

/** Names under which cloud services print ids of requests, hosts and traces; the id has a digit or padding. */
const LABELLED =
  /(?<=\b(?:[Rr]equest|[Hh]ost|[Tt]race|[Cc]orrelation|[Tt]ransaction|[Mm]essage|[Ss]ession|[Ii]nvocation|[Oo]peration|REQUEST|TRACE)[ _-]?(?:[Ii]d|ID)['"]?(?: ?[:=] ?| (?:is |was )?)['"]?)(?=[A-Za-z_+/-]{0,127}(?:\d|={1,2}(?![\w=])))[\w+/-]{8,128}={0,2}(?![\w+/-])/g;

/** Id behind a prefix that names its kind: `cus_NffrFeUfNV2Hib`, `pi_test_…`, `org-…`. */
const PREFIXED =
  /(?<![A-Za-z0-9-])(?<!\w\.)([A-Za-z]{1,12}[_-](?:(?:test|live|prod|dev)[_-])?)([A-Za-z0-9]{10,64})(?![\w-]|\.\w)/g;

/** Token that may be an id of letters, digits, `_` and `-` without a visible form, such as a nanoid. */
const TOKEN = /(?<![\w+-])(?<!\w\.)[\w-]{10,64}(?![\w+-]|\.\w)/g;

/**
 * Returns the text with ids that version 1 does not recognise replaced by one that it does. What version 1 replaces with
 * more around it stays: base 64 with its padding, a token of three parts, a value behind `key=`.
 */
export function withKnownIds(text: string): string {
  if (text.length > MAX_TEXT) return withKnownIds(text.slice(0, MAX_TEXT)) + text.slice(MAX_TEXT);
  let result = text;
  if (result.includes('gsmtp')) result = replaceIds(result, GMAIL, () => KNOWN);
  if (LABEL.test(result)) result = replaceIds(result, LABELLED, () => KNOWN);
  if (!MIXED.test(result)) return result;
  result = replaceIds(result, EXIM, () => KNOWN);
  result = replaceIds(result, PREFIXED, (all, prefix, id) => (isRandom(id ?? '', true) ? `${prefix}${KNOWN}` : all));
  return replaceIds(result, TOKEN, (token) => (isRandom(token) ? KNOWN : token));
}

/** Replaces what the pattern finds, unless it is a piece of a longer parameter of version 1. */
function replaceIds(
  text: string,
  pattern: RegExp,
  change: (all: string, prefix?: string, id?: string) => string,
): string {
  let spans: Span[] | null = null;
  return text.replace(pattern, (all: string, ...rest: unknown[]) => {
    const [prefix, id] = rest.slice(0, -2) as string[];
    const changed = change(all, prefix, id);
    if (changed === all) return all;
    const start = rest.at(-2) as number;
    const end = start + all.length;
    spans ??= parameterSpans(text);
    const inside = spans.some(([from, to]) => from < end && to > start && (from < start || to > end));
    return inside ? all : changed;
  });
}
