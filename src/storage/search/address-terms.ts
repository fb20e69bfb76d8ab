import type { SingleCondition } from '../../domain/search/search-condition.ts';
import { hostName, urlHost, urlPath } from '../../domain/url-parts.ts';
import { foldedText } from './sought-tags.ts';

/** Condition on the address of any event. */
export type AddressCondition = Extract<SingleCondition, { readonly field: 'url.host' | 'url.path' }>;

/** Tags whose values have the addresses of an error's events. The second one is counted beside the first. */
export const ADDRESS_TAGS = ['url', 'url.host'] as const;

/** Maximum of last parts of a path by which it is found, beside the whole one. */
const MAX_PARTS = 4;
/** Maximum of domains by which a host is found, beside the whole name. */
const MAX_DOMAINS = 4;

/**
 * Returns the texts by which searches find a value of a tag: of a host the name and the domains it is in, of a path the
 * whole and its last parts. None for other tags.
 */
export function addressTerms(key: string, value: string): string[] {
  if (key === 'url.host') return hostTerms(hostName(value));
  if (key !== 'url') return [];
  const host = urlHost(value);
  const path = urlPath(value);
  return [...(host === null ? [] : hostTerms(host)), ...(path === null ? [] : pathTerms(foldedText(path)))];
}

/** Returns the terms of a tag, given as its key, a space and its value, each between line breaks. */
export function linedTerms(tag: string): string {
  const end = tag.indexOf(' ');
  return ['', ...addressTerms(tag.slice(0, end), tag.slice(end + 1)), ''].join('\n');
}

function hostTerms(host: string): string[] {
  const labels = host.startsWith('[') || /^[\d.]+$/.test(host) ? [host] : host.split('.');
  const domains = labels.map((_, index) => labels.slice(index).join('.')).slice(-MAX_DOMAINS);
  return [...new Set([host, ...domains])].map((name) => `h:${name}`);
}

function pathTerms(path: string): string[] {
  const parts = path.split('/').filter((part) => part !== '');
  const ends = parts.slice(-MAX_PARTS).map((_, index, last) => last.slice(index).join('/'));
  return [path, ...ends].map((text) => `p:${text}`);
}

/** Texts of which a term must equal one, or begin with one. */
export interface SoughtAddress {
  readonly values: readonly string[];
  readonly starts: readonly string[];
}

/**
 * Returns what terms must have; null: no address has it. A path without its first slash is one of the last parts, with
 * all that follows there: `cart` finds `/shop/cart/3`.
 */
export function soughtAddress(condition: AddressCondition): SoughtAddress | null {
  const term = termOf(condition);
  if (term === null) return null;
  if (condition.match === 'prefix') return { values: [], starts: [term] };
  const isPart = term.startsWith('p:') && !term.startsWith('p:/') && !term.endsWith('/');
  return { values: [term], starts: isPart ? [`${term}/`] : [] };
}

/** Returns the term of a condition's value. People paste whole addresses: their host or path counts. */
function termOf({ field, value }: AddressCondition): string | null {
  const text = value.trim();
  if (field === 'url.host') {
    const host = urlHost(text) ?? hostName(text.replace(/(?<=[^:\]]):\d+$|(?<=\]):\d+$|\/.*$/g, ''));
    return host === '' ? null : `h:${host}`;
  }
  const path = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? urlPath(text) : text.replace(/[?#].*$/s, '');
  return path === null || path === '' ? null : `p:${foldedText(path)}`;
}
