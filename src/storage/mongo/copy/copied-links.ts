import type { CopyRows } from '../../copy/copy-rows.ts';
import { memberKey } from '../documents/command-documents.ts';
import { linkedIssueKey, type LinkedIssueDocument, type SavedViewsDocument } from '../documents/link-documents.ts';

/** Documents of copied links, saved views and favourites. */
export const LINK_DOCUMENTS = {
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
} as const;
