import type { CopyRows } from '../copy/copy-rows.ts';
import type { CopyPartOf } from './copy-release-parts.ts';
import { toForward } from './rows.ts';
import { toForwardState } from './views/forward-views.ts';

type Part = 'forwards' | 'forwardStates';

/** Copy of forwards and of the state of their spools. */
export const FORWARD_PARTS: { readonly [P in Part]: CopyPartOf<CopyRows[P]> } = {
  forwards: {
    count: 'SELECT count(*) FROM forwards',
    page: 'SELECT project_id AS page_key, * FROM forwards WHERE project_id > ? ORDER BY project_id',
    first: 0,
    toRow: toForward,
  },
  forwardStates: {
    count: 'SELECT count(*) FROM forward_states',
    page: `SELECT printf('%020d/%s', project_id, spool_id) AS page_key, * FROM forward_states
           WHERE printf('%020d/%s', project_id, spool_id) > ? ORDER BY project_id, spool_id`,
    first: '',
    toRow: toForwardState,
  },
};
