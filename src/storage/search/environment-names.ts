import { MAX_FILTER_VALUES } from '../../domain/search/error-query.ts';

/**
 * Maximum errors of each status whose environments are read, because events may name an environment without a release.
 */
export const ERRORS_LOOKED_AT = 100;

/**
 * Returns the suggested environments, sorted by name. Above `MAX_FILTER_VALUES`, those of the errors seen last take
 * precedence over those of releases.
 */
export function environmentNames(ofErrors: readonly string[], ofReleases: readonly string[]): string[] {
  const found = new Set([...ofErrors, ...ofReleases].filter((name) => name !== ''));
  return [...found].slice(0, MAX_FILTER_VALUES).sort();
}
