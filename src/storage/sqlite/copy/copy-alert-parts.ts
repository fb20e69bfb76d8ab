import type { CopyRows } from '../../copy/copy-rows.ts';
import type { CopyPartOf } from './copy-release-parts.ts';
import { toDelivery } from '../alerts/delivery-views.ts';
import { toFact } from '../alerts/fact-views.ts';

type Part = 'alertFacts' | 'alertDeliveries';

/** Copy of alerts. */
export const ALERT_PARTS: { readonly [P in Part]: CopyPartOf<CopyRows[P]> } = {
  alertFacts: {
    count: 'SELECT count(*) FROM alert_facts',
    page: 'SELECT seq AS page_key, * FROM alert_facts WHERE seq > ? ORDER BY seq',
    first: 0,
    toRow: (row) => ({ ...toFact(row), addedAt: row.added_at as number }),
  },
  alertDeliveries: {
    count: 'SELECT count(*) FROM alert_deliveries',
    page: 'SELECT id AS page_key, * FROM alert_deliveries WHERE id > ? ORDER BY id',
    first: '',
    toRow: toDelivery,
  },
};
