import { parseExactJson } from '../../../lib/json/json-exact-numbers.ts';
import { FILTERED } from './filtered.ts';
import type { KindOf } from './value-patterns.ts';

/** Member of JSON that cannot be parsed, mostly because it was cut. */
const JSON_MEMBER = /"([^"\\]{1,100})"(\s*:\s*)("(?:[^"\\]|\\.)*"?|[^\s",{}[\]]+)/g;
const JSON_CONTAINER = /"([^"\\]{1,100})"\s*:\s*(?=[{[])/g;
/** Form body: names, equals signs and ampersands, no blanks. */
const FORM = /^[^\s=&]{1,200}=[^\s]*$/;

/**
 * Scrubs a request body in text form by the names in it: JSON (also cut JSON), else a form. Returns other text
 * unchanged.
 */
export function scrubBody(text: string, kindOf: KindOf, walk: (value: unknown) => unknown): string {
  const first = text.trimStart().charAt(0);
  if (first === '{' || first === '[') {
    return scrubJson(text, kindOf, walk);
  }
  return FORM.test(text) ? scrubForm(text, kindOf) : text;
}

function scrubJson(text: string, kindOf: KindOf, walk: (value: unknown) => unknown): string {
  try {
    const before = parseExactJson(text);
    const plain = JSON.stringify(before);
    const scrubbed = JSON.stringify(walk(before));
    return scrubbed === plain ? text : scrubbed;
  } catch {
    return untilSensitiveContainer(text, kindOf).replace(JSON_MEMBER, (whole, name: string, colon: string) =>
      kindOf(name) === 'sensitive' ? `"${name}"${colon}"${FILTERED}"` : whole,
    );
  }
}

/** Cuts the text at an object or list with a secret name: its end is unknown in cut JSON. */
function untilSensitiveContainer(text: string, kindOf: KindOf): string {
  for (const match of text.matchAll(JSON_CONTAINER)) {
    if (kindOf(match[1] ?? '') === 'sensitive') {
      return `${text.slice(0, match.index)}${match[0]}"${FILTERED}"`;
    }
  }
  return text;
}

function scrubForm(text: string, kindOf: KindOf): string {
  return text
    .split('&')
    .map((part) => {
      const equals = part.indexOf('=');
      const name = part.slice(0, Math.max(0, equals));
      return equals > 0 && equals < part.length - 1 && kindOf(decoded(name)) === 'sensitive'
        ? `${name}=${FILTERED}`
        : part;
    })
    .join('&');
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
