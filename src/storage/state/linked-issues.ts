import { AppError } from '../../domain/app-error.ts';
import type { StoredLinks } from '../../domain/ports/stores/link-store.ts';
import { MAX_LINKED_ISSUES, type LinkedIssue } from '../../domain/projects/project-links.ts';

/** Links of a project that has none. */
export const NO_LINKS: StoredLinks = { repository: null, issueTracker: null, sealedToken: null };

/** Returns each address once, by its first issue: errors that were merged may have had the same one. */
export function eachAddressOnce(issues: readonly LinkedIssue[]): LinkedIssue[] {
  const known = new Set<string>();
  return issues.filter(({ url }) => !known.has(url) && known.add(url));
}

/** Returns a text that comes after all that begin with this one. */
export const afterAll = (start: string): string => `${start}\u{10ffff}`;

/** Throws `conflict` when an error has the maximum of issues. */
export function requireRoomForIssue(issues: readonly LinkedIssue[]): void {
  if (issues.length >= MAX_LINKED_ISSUES) {
    throw new AppError('conflict', `an error has at most ${MAX_LINKED_ISSUES} linked issues: remove one first`);
  }
}

/** Address of an issue that a person removed from an error, and when. */
export interface RemovedIssue {
  readonly url: string;
  readonly at: number;
}

/**
 * Returns the issues of an export that an error does not have yet, up to the maximum. One that was removed here since it
 * was linked there stays removed.
 */
export function newIssues<I extends Pick<LinkedIssue, 'url' | 'at'>>(
  present: readonly Pick<LinkedIssue, 'url'>[],
  given: readonly I[],
  removed: readonly RemovedIssue[],
): I[] {
  const added = given.filter(({ url, at }) => !removed.some((each) => each.url === url && each.at >= at));
  const known = new Set(present.map(({ url }) => url));
  const room = Math.max(0, MAX_LINKED_ISSUES - known.size);
  return added.filter(({ url }) => !known.has(url) && known.add(url)).slice(0, room);
}
