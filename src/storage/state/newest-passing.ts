import { isNewerRelease } from './release-order.ts';
import type { Occurred } from './status-end.ts';

/**
 * Returns the newest event of a newer release than the limit; null: none. `releases`: the newest event of each release
 * in a batch. `firstSeen`: when the project first saw a release.
 */
export function newestPassing(
  releases: Iterable<readonly [release: string, at: number]>,
  limit: string | null,
  firstSeen: (release: string) => number | undefined,
): Occurred | null {
  let newest: Occurred | null = null;
  for (const [release, at] of releases) {
    if (isNewerRelease(release, limit, firstSeen) && at > (newest?.at ?? -Infinity)) newest = { at, release };
  }
  return newest;
}
