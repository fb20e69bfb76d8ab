import type { Capabilities } from '../../api/errors-api.ts';

interface SearchTexts {
  readonly placeholder: string;
  readonly hint: string;
}

/** Texts about the searched fields. Merge support distinguishes the integrated backend from external trackers. */
export function searchTexts(capabilities: Pick<Capabilities, 'merge'> | null): SearchTexts {
  if (capabilities === null) {
    return { placeholder: 'Search errors…', hint: 'Search errors by words' };
  }
  return capabilities.merge
    ? {
        placeholder: 'Words, or is: user: file: release: …',
        hint: 'Finds errors with every word in title, message, type or culprit. Narrow down by key:value, such as is:regressed or browser:firefox, in any case; ! in front excludes',
      }
    : {
        placeholder: 'Search in the tracker…',
        hint: 'The external tracker searches by its own rules, mostly in titles and messages. Keys such as level:fatal are translated where it can',
      };
}
