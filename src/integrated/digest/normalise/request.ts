import type { EventRequest } from '../../../domain/events/event.ts';
import { isRecord } from '../../../lib/own-property.ts';
import { lenientText } from './bounds/lenient-text.ts';
import { PAIRS, TEXT, TREE } from './bounds/limits.ts';
import type { Notes } from './bounds/notes.ts';
import { boundPairs, pairList, splitCookies, splitHeaders, splitQuery, type Pair } from './pairs.ts';
import { trimBag, trimTree } from './bounds/trim-tree.ts';

/** Normalises the request; null for anything but a non-empty object. */
export function normaliseRequest(raw: unknown, notes: Notes): EventRequest | null {
  if (!isRecord(raw)) {
    return null;
  }
  notes.at('request');
  const { address, query } = splitUrl(raw.url);
  const request: EventRequest = {
    url: lenientText(address, TEXT.url, notes, 'url'),
    method: lenientText(raw.method, TEXT.method, notes, 'method'),
    query_string: boundPairs(pairList(raw.query_string ?? query, splitQuery), PAIRS.queryString, notes, 'query_string'),
    headers: boundPairs(headerList(raw.headers), PAIRS.headers, notes, 'headers'),
    cookies: boundPairs(pairList(raw.cookies, splitCookies), PAIRS.cookies, notes, 'cookies'),
    data: raw.data === undefined ? null : trimTree(raw.data, TREE.requestData, notes, 'data'),
    env: trimBag(raw.env, TREE.env, notes, 'env') ?? {},
  };
  notes.at();
  return isEmpty(request) ? null : request;
}

/** Separates the query, whose members are scrubbed by name. A fragment stays in the address. */
function splitUrl(raw: unknown): { address: unknown; query: string | null } {
  if (typeof raw !== 'string') {
    return { address: raw, query: null };
  }
  const match = /^([^?#]*)\?([^#]*)(#.*)?$/s.exec(raw);
  return match === null
    ? { address: raw, query: null }
    : { address: `${match[1]}${match[3] ?? ''}`, query: match[2] ?? null };
}

function headerList(raw: unknown): Pair[] {
  const headers = pairList(raw, splitHeaders);
  for (const header of headers) {
    header[0] = titleCase(header[0].trim());
  }
  return headers.filter(([name]) => name !== '').sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}

/** Converts `user-agent` and `USER_AGENT` to `User-Agent`. */
function titleCase(name: string): string {
  if (/^[A-Z][a-z0-9]*(?:-[A-Z][a-z0-9]*)*$/.test(name)) {
    return name;
  }
  return name
    .replaceAll('_', '-')
    .toLowerCase()
    .replace(/(?:^|-)[a-z]/g, (start) => start.toUpperCase());
}

function isEmpty(request: EventRequest): boolean {
  return (
    request.url === null &&
    request.method === null &&
    request.query_string.length === 0 &&
    request.headers.length === 0 &&
    request.cookies.length === 0 &&
    request.data === null &&
    Object.keys(request.env).length === 0
  );
}
