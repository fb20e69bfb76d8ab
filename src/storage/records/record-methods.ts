import type { StoreTable } from '../store-table.ts';
import { ALERT_RECORDS } from './alert-records.ts';
import { LINK_RECORDS } from './link-records.ts';
import { PROJECT_RECORDS } from './project-records.ts';
import type { Records } from './records.ts';

/** Methods of the store that are rules over records, by name in the port. */
export const RECORD_METHODS = {
  ...ALERT_RECORDS,
  ...LINK_RECORDS,
  ...PROJECT_RECORDS,
} as const satisfies StoreTable<Records>;
