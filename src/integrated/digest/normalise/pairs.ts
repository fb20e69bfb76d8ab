import { cleanText, cutText } from '../../../lib/text/clean-text.ts';
import { isRecord } from '../../../lib/own-property.ts';
import { scalarText } from './bounds/lenient-text.ts';
import { TREE } from './bounds/limits.ts';
import { Notes } from './bounds/notes.ts';
import { trimTree } from './bounds/trim-tree.ts';

export type Pair = [name: string, value: string];

/** Maximum characters of text that is parsed, far above the kept size. */
const MAX_TEXT = 65_536;
const MAX_PAIRS = 2000;
/** Quotes, brackets and commas around a pair. */
const PAIR_SIZE = 6;

/** Reads name and value pairs from an object, a list of pairs, or text (with `split`). */
export function pairList(raw: unknown, split: (text: string) => Pair[]): Pair[] {
  if (typeof raw === 'string') {
    return split(cleanText(raw.slice(0, MAX_TEXT)));
  }
  if (Array.isArray(raw)) {
    return (raw as unknown[]).slice(0, MAX_PAIRS).flatMap((entry) => {
      if (Array.isArray(entry)) {
        return entry.length === 0 ? [] : [pair(entry[0], entry[1])];
      }
      return typeof entry === 'string'
        ? split(cleanText(entry.slice(0, MAX_TEXT)))
        : isRecord(entry)
          ? pairList(entry, split)
          : [];
    });
  }
  return isRecord(raw)
    ? Object.entries(raw)
        .slice(0, MAX_PAIRS)
        .map(([name, value]) => pair(name, value))
    : [];
}

function pair(name: unknown, value: unknown): Pair {
  return [scalarText(name) ?? '', valueText(value)];
}

/**
 * Converts a value to text. Joins a list of values, as some servers send repeated headers; other containers become
 * JSON.
 */
function valueText(value: unknown): string {
  if (Array.isArray(value)) {
    return (value as unknown[]).map((entry) => scalarText(entry) ?? '').join(',');
  }
  if (typeof value === 'object' && value !== null) {
    return JSON.stringify(trimTree(value, TREE.env, new Notes(), ''));
  }
  return scalarText(value) ?? '';
}

/** Keeps pairs up to `size` units of text in total; cuts the pair at the border. */
export function boundPairs(pairs: Pair[], size: number, notes: Notes, name: string): Pair[] {
  let left = size;
  for (const [index, entry] of pairs.entries()) {
    left -= entry[0].length + entry[1].length + PAIR_SIZE;
    if (left < 0) {
      notes.add(name, 'truncated');
      const room = left + entry[1].length;
      return room < 4 || entry[0].length > size
        ? pairs.slice(0, index)
        : [...pairs.slice(0, index), [entry[0], cutText(entry[1], room)]];
    }
  }
  return pairs;
}

/** Splits `a=1&b=2`, percent-encoded. A value with invalid percent-encoding stays unchanged. */
export function splitQuery(text: string): Pair[] {
  return splitAt(text.replace(/^\?/, ''), '&', decodeQuery);
}

/** Splits `a=1; b=2`, as in a Cookie header. */
export function splitCookies(text: string): Pair[] {
  return splitAt(text, ';', (part) => part.trim());
}

/** Splits `Name: value`, one header per line. */
export function splitHeaders(text: string): Pair[] {
  return text.split('\n').flatMap((line): Pair[] => {
    const colon = line.indexOf(':');
    return colon <= 0 ? [] : [[line.slice(0, colon).trim(), line.slice(colon + 1).trim()]];
  });
}

function splitAt(text: string, separator: string, decode: (part: string) => string): Pair[] {
  return text.split(separator).flatMap((part): Pair[] => {
    if (part.trim() === '') {
      return [];
    }
    const equals = part.indexOf('=');
    return equals < 0 ? [[decode(part), '']] : [[decode(part.slice(0, equals)), decode(part.slice(equals + 1))]];
  });
}

function decodeQuery(part: string): string {
  const spaced = part.replaceAll('+', ' ');
  try {
    return cleanText(decodeURIComponent(spaced));
  } catch {
    return spaced;
  }
}
