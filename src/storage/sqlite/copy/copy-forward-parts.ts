import type { CopyRows } from '../../copy/copy-rows.ts';
import type { CopyPartOf } from './copy-release-parts.ts';
import { toForwardState } from '../projects/forward-states.ts';

type Part = 'forwardStates';

/** Copy of the state of spools. */
export const FORWARD_PARTS: { readonly [P in Part]: CopyPartOf<CopyRows[P]> } = {
  forwardStates: {
    count: 'SELECT count(*) FROM forward_states',
    page: `SELECT printf('%020d/%s', project_id, spool_id) AS page_key, * FROM forward_states
           WHERE printf('%020d/%s', project_id, spool_id) > ? ORDER BY project_id, spool_id`,
    first: '',
    toRow: toForwardState,
  },
};
