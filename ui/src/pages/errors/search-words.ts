import type { Capabilities } from '../../api/errors-api.ts';

interface SearchWords {
  readonly placeholder: string;
  readonly hint: string;
}

/** What a search looks at, as far as it is known. Only what is stored here is merged here. */
export function searchWords(capabilities: Pick<Capabilities, 'merge'> | null): SearchWords {
  if (capabilities === null) {
    return { placeholder: 'Search errors…', hint: 'Search errors by words' };
  }
  return capabilities.merge
    ? {
        placeholder: 'Search title, message, culprit…',
        hint: 'Finds errors with every word in title, message, type or culprit, in upper or lower case',
      }
    : {
        placeholder: 'Search in the tracker…',
        hint: 'The external tracker searches by its own rules, mostly in titles and messages',
      };
}
