import type { Clock } from '../../domain/ports/clock.ts';
import type { IntegratedErrors } from '../../domain/ports/error-backend.ts';
import type { LinkStore } from '../../domain/ports/stores/link-store.ts';
import { found } from '../found.ts';
import type { ErrorAccess } from './triage.ts';

export type IssueStore = Pick<LinkStore, 'linkedIssues' | 'addLinkedIssue' | 'removeLinkedIssue'>;

/** Creates the operations on issues of the host that belong to errors. */
export function createLinkedIssues(
  store: IssueStore,
  clock: Clock,
  { get, underFormerId }: ErrorAccess,
): Pick<IntegratedErrors, 'linkedIssues' | 'linkIssue' | 'unlinkIssue'> {
  return {
    linkedIssues: async (project, errorId) =>
      found(await underFormerId(project, errorId, (id) => store.linkedIssues(project.id, id)), 'error'),
    async linkIssue(project, errorId, issue, userId) {
      const add = (id: string) => store.addLinkedIssue(project.id, id, issue, userId, clock.now());
      return found(await underFormerId(project, errorId, add), 'error');
    },
    async unlinkIssue(project, errorId, issueId, userId) {
      const { id } = await get(project, errorId);
      const removed = await store.removeLinkedIssue(project.id, id, issueId, userId, clock.now());
      found(removed || null, 'linked issue');
    },
  };
}
