import type { CopyRows } from '../../copy/copy-rows.ts';
import { memberKey } from '../command-documents.ts';
import {
  linkedIssueKey,
  type FavouriteDocument,
  type LinkedIssueDocument,
  type ProjectLinksDocument,
  type SavedViewsDocument,
} from './link-documents.ts';

/** Documents of copied links, saved views and favourites. */
export const LINK_DOCUMENTS = {
  projectLinks: ({ projectId, ...links }: CopyRows['projectLinks']): ProjectLinksDocument => ({
    _id: projectId,
    ...links,
  }),
  linkedIssues: (issue: CopyRows['linkedIssues']): LinkedIssueDocument => ({
    _id: linkedIssueKey(issue.projectId, issue.groupHash, issue.url),
    p: issue.projectId,
    i: issue.id,
    url: issue.url,
    t: issue.title,
    at: issue.at,
    u: issue.userId,
  }),
  savedViews: ({ projectId, userId, views }: CopyRows['savedViews']): SavedViewsDocument => ({
    _id: memberKey(projectId, userId),
    ...{ projectId, userId, version: 0, views },
  }),
  favourites: ({ projectId, userId }: CopyRows['favourites']): FavouriteDocument => ({
    _id: memberKey(projectId, userId),
    ...{ projectId, userId },
  }),
} as const;
