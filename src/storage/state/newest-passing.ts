import { isNewerRelease } from '../../domain/releases/release-order.ts';
import type { Occurred, ReleaseLimit } from './status-end.ts';

/**
 * Returns the newest event of a newer release than the limit; null: none. `releases`: the newest event of each release
 * in a batch. `timeOf`: see `releaseTime`.
 */
export function newestEventPastRelease(
  releases: Iterable<readonly [release: string, at: number]>,
  { release: limit, firstSeenBy }: ReleaseLimit,
  timeOf: (release: string) => number | undefined,
): Occurred | null {
  let newest: Occurred | null = null;
  for (const [release, at] of releases) {
    const seen = (each: string) => timeOf(each) ?? (each === limit ? firstSeenBy(at) : undefined);
    if (isNewerRelease(release, limit, seen) && at > (newest?.at ?? -Infinity)) newest = { at, release };
  }
  return newest;
}
