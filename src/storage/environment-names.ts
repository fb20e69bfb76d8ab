import { MAX_FILTER_VALUES } from '../domain/tracked-error.ts';

/** Errors of each status whose environments are looked at: not every event that names one names a release, too. */
export const ERRORS_LOOKED_AT = 100;

/**
 * The environments that are suggested, by name. Where there are too many, those of the errors that were seen last
 * come before those of releases.
 */
export function environmentNames(ofErrors: readonly string[], ofReleases: readonly string[]): string[] {
  const found = new Set([...ofErrors, ...ofReleases].filter((name) => name !== ''));
  return [...found].slice(0, MAX_FILTER_VALUES).sort();
}
