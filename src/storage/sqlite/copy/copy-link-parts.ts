import type { CopyRows } from '../../copy/copy-rows.ts';
import type { CopyPartOf } from './copy-release-parts.ts';
import { savedViews, toLinkedIssue } from '../links/link-views.ts';

type Part = 'linkedIssues' | 'savedViews';

const PERSON = "printf('%020d/%020d', project_id, user_id)";

/** Copy of links, and of what people set for projects. */
export const LINK_PARTS: { readonly [P in Part]: CopyPartOf<CopyRows[P]> } = {
  linkedIssues: {
    count: 'SELECT count(*) FROM linked_issues i JOIN errors e ON e.id = i.error_id',
    page: `SELECT i.id AS page_key, i.*, e.project_id, e.leaf FROM linked_issues i JOIN errors e ON e.id = i.error_id
      WHERE i.id > ? ORDER BY i.id`,
    first: 0,
    toRow: (row) => ({
      ...toLinkedIssue(row),
      projectId: row.project_id as number,
      groupHash: Buffer.from(row.leaf as Uint8Array).toString('hex'),
    }),
  },
  savedViews: {
    count: 'SELECT count(*) FROM (SELECT DISTINCT project_id, user_id FROM saved_views)',
    page: `SELECT DISTINCT ${PERSON} AS page_key, project_id, user_id FROM saved_views WHERE ${PERSON} > ?
      ORDER BY project_id, user_id`,
    first: '',
    toRow: (row, db) => {
      const [projectId, userId] = [row.project_id as number, row.user_id as number];
      return { projectId, userId, views: savedViews(db, projectId, userId) };
    },
  },
};
