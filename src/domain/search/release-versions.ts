import { AppError } from '../app-error.ts';
import { anyOf, choicesOf, MAX_VALUES, type SearchCondition, type SingleCondition } from './search-condition.ts';

type ReleaseCondition = Extract<SingleCondition, { readonly field: 'release' | 'environment' }>;

/** Returns whether a condition asks for a version alone: `2.33.0` or `2.33.*`, not `shop@2.33.0`. */
function isVersion(condition: SingleCondition): condition is ReleaseCondition {
  return condition.field === 'release' && !condition.value.includes('@');
}

/** Returns whether a condition asks for a version, which may be that of several packages. */
export function asksForVersion(condition: SearchCondition): boolean {
  return choicesOf(condition).some(isVersion);
}

/** Returns the package of a release `name@version` with its `@`; null without one. */
function packageOf(release: string): string | null {
  const at = release.lastIndexOf('@');
  return at <= 0 ? null : release.slice(0, at + 1);
}

/** Returns the conditions of which one must hold for a version. */
function releasesOf(condition: ReleaseCondition, names: readonly string[]): ReleaseCondition[] {
  const { value, match } = condition;
  // A release may be called like a version.
  const lower = value.toLowerCase();
  if (match === undefined && names.some((name) => name.toLowerCase() === lower)) return [condition];
  const packages = names.flatMap((name) => {
    const owner = packageOf(name);
    if (owner === null) return [];
    const version = name.slice(owner.length).toLowerCase();
    return (match === 'prefix' ? version.startsWith(lower) : version === lower) ? [owner] : [];
  });
  return [condition, ...[...new Set(packages)].map((owner) => ({ ...condition, value: owner + value }))];
}

/**
 * Replaces versions by the releases of all packages that have them: `2.33.0` by `shop@2.33.0` and `web@2.33.0`, `2.33.*`
 * by what begins so. `names`: of releases. Throws `invalid_search` above MAX_VALUES.
 */
export function withReleases(condition: SearchCondition, names: readonly string[]): SearchCondition {
  if (!asksForVersion(condition)) return condition;
  const of = choicesOf(condition).flatMap((each): readonly SingleCondition[] =>
    isVersion(each) ? releasesOf(each, names) : [each],
  );
  if (of.length <= MAX_VALUES) return anyOf(condition.not, of);
  const version = choicesOf(condition).find(isVersion)?.value ?? '';
  throw new AppError(
    'invalid_search',
    `release: more than ${MAX_VALUES} packages have a version such as ${version}. Write the package too: release:name@${version}.`,
  );
}
