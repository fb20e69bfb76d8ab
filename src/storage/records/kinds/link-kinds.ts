import type { StoredLinks } from '../../../domain/ports/stores/link-store.ts';
import type { IssueHook, SeenIssue } from '../../../domain/projects/issue-hook.ts';
import { hex, integer, json, kind, nullable, text, type Kind } from '../kind.ts';

export type LinksOfProject = StoredLinks & { readonly projectId: number };

export const projectLinks: Kind<LinksOfProject, 'projectId'> = kind({
  name: 'projectLinks',
  key: ['projectId'],
  of: 'project',
  members: {
    projectId: integer,
    repository: nullable(json()),
    issueTracker: nullable(json()),
    sealedToken: nullable(text()),
  },
});

export const issueHooks: Kind<IssueHook, 'projectId'> = kind({
  name: 'issueHooks',
  key: ['projectId'],
  of: 'project',
  members: { projectId: integer, sealed: text(), createdAt: integer },
});

/** At most MAX_SEEN_ISSUES per project. */
export const seenIssues: Kind<SeenIssue, 'issue' | 'projectId'> = kind({
  name: 'seenIssues',
  key: ['projectId', 'issue'],
  of: 'project',
  members: { projectId: integer, issue: hex, state: text(), at: integer, delivery: text() },
  indexes: { by_time: ['projectId', '-at'] },
});

/** Project that a person marked. */
export interface Favourite {
  readonly userId: number;
  readonly projectId: number;
}

export const favourites: Kind<Favourite, 'projectId' | 'userId'> = kind({
  name: 'favourites',
  key: ['projectId', 'userId'],
  of: 'member',
  members: { projectId: integer, userId: integer },
  indexes: { of_user: ['userId', 'projectId'], of_project: ['projectId'] },
});
