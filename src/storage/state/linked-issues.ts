import { AppError } from '../../domain/app-error.ts';
import type { StoredLinks } from '../../domain/ports/link-store.ts';
import { MAX_LINKED_ISSUES, type LinkedIssue } from '../../domain/project-links.ts';

/** Links of a project that has none. */
export const NO_LINKS: StoredLinks = { repository: null, issueTracker: null, sealedToken: null };

/** Returns each address once, by its first issue: errors that were merged may have had the same one. */
export function eachAddressOnce(issues: readonly LinkedIssue[]): LinkedIssue[] {
  const known = new Set<string>();
  return issues.filter(({ url }) => !known.has(url) && known.add(url));
}

/** Throws `conflict` when an error has the maximum of issues. */
export function requireRoomForIssue(issues: readonly LinkedIssue[]): void {
  if (issues.length >= MAX_LINKED_ISSUES) {
    throw new AppError('conflict', `an error has at most ${MAX_LINKED_ISSUES} linked issues: remove one first`);
  }
}

/** Returns the issues of an export that an error does not have yet, up to the maximum. */
export function newIssues<I extends Pick<LinkedIssue, 'url'>>(
  present: readonly Pick<LinkedIssue, 'url'>[],
  added: readonly I[],
): I[] {
  const known = new Set(present.map(({ url }) => url));
  const room = Math.max(0, MAX_LINKED_ISSUES - known.size);
  return added.filter(({ url }) => !known.has(url) && known.add(url)).slice(0, room);
}
