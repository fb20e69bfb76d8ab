import type { MaybeStale } from '../../../domain/page.ts';
import { isoTime } from '../../http/iso-time.ts';

/** Returns the member `stale_since` for object bodies, when the answer is the last known copy. */
export function staleMember({ staleSince }: MaybeStale) {
  return staleSince === undefined ? {} : { stale_since: isoTime(staleSince) };
}

/** Returns the same time as a header, for every kind of body. */
export function staleHeader({ staleSince }: MaybeStale): Readonly<Record<string, string>> {
  return staleSince === undefined ? {} : { 'X-Errgate-Stale-Since': isoTime(staleSince) };
}
