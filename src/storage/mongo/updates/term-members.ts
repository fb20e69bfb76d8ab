import { suffixesOf, type SearchTerms } from '../../search/search-terms.ts';
import type { ErrorDocument } from '../documents/error-documents.ts';

/** Terms of an error whose event has none. */
export const NO_TERMS: SearchTerms = { files: [], functions: [], unhandled: null };

/** Members of an error that come from its first event. */
export type TermMembers = Pick<ErrorDocument, 'tm' | 'uh'>;

/** Returns the member of an error by which searches for files and functions find it. */
export function termMembers({ files, functions, unhandled }: SearchTerms): TermMembers {
  const terms = [
    ...files.flatMap((file) => suffixesOf(file, '/').map((suffix) => `f:${suffix}`)),
    ...functions.flatMap((name) => suffixesOf(name, '.').map((suffix) => `n:${suffix}`)),
  ];
  return { tm: [...new Set(terms)], ...(unhandled === null ? {} : { uh: unhandled }) };
}
