import { createHash } from 'node:crypto';
import { addressTerms } from '../../search/address-terms.ts';
import { foldedText } from '../../search/sought-tags.ts';

/**
 * Returns the name of a tag's key or value in a map: 48 bits, without dots and dollar signs. It never has digits only.
 */
export function tagHash(text: string): string {
  return `t${createHash('sha256').update(text).digest('base64url').slice(0, 8)}`;
}

/**
 * Returns the term by which searches find a tag; `value` null: with any value. The terms of values have no case and sort
 * as they do, so that an index finds those that begin with a text.
 */
export function tagTerm(tagKey: string, value: string | null): string {
  return value === null ? tagHash(tagKey) : `${tagHash(tagKey)} ${foldedText(value)}`;
}

/** Returns all terms of a value of a tag: its own, and those of an address. */
export function valueTerms(tagKey: string, value: string): string[] {
  return [tagTerm(tagKey, value), ...addressTerms(tagKey, value)];
}

/** Returns a term as `tagTerm` makes it of one that was made before terms had no case. */
export function foldedTerm(term: string): string {
  const end = term.indexOf(' ');
  return end === -1 ? term : term.slice(0, end) + foldedText(term.slice(end));
}
