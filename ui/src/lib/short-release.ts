import { visibleExcerpt } from './visible-text.ts';

/** Maximum characters of a version in a mark. */
const MAX_VERSION = 16;

/** Name of a release without the name of its package: `storefront@2.33.0` is `2.33.0`. */
export function shortRelease(release: string, max = MAX_VERSION): string {
  const version = release.slice(release.lastIndexOf('@') + 1);
  return visibleExcerpt(version === '' ? release : version, max);
}
