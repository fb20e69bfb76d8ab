import type { StoreTable } from '../store-table.ts';
import { ACCOUNT_RECORDS } from './account-records.ts';
import { ALERT_RECORDS } from './alert-records.ts';
import { ARTIFACT_RECORDS } from './artifact-records.ts';
import { AUDIT_RECORDS } from './audit-records.ts';
import { BUILD_RECORDS } from './build-records.ts';
import { GROUP_RECORDS } from './group-records.ts';
import { GROUPING_RECORDS } from './grouping-records.ts';
import { IDENTITY_RECORDS } from './identity-records.ts';
import { INVITATION_RECORDS } from './invitation-records.ts';
import { LINK_RECORDS } from './link-records.ts';
import { PROJECT_RECORDS } from './project-records.ts';
import type { Records } from './records.ts';
import { SECOND_FACTOR_RECORDS } from './second-factor-records.ts';
import { SESSION_RECORDS } from './session-records.ts';
import { TRACKING_RECORDS } from './tracking-records.ts';
import { VALUE_RECORDS } from './value-records.ts';

/** Methods of the store that are rules over records, by name in the port. */
export const RECORD_METHODS = {
  ...ACCOUNT_RECORDS,
  ...SESSION_RECORDS,
  ...IDENTITY_RECORDS,
  ...SECOND_FACTOR_RECORDS,
  ...TRACKING_RECORDS,
  ...VALUE_RECORDS,
  ...ALERT_RECORDS,
  ...LINK_RECORDS,
  ...PROJECT_RECORDS,
  ...GROUP_RECORDS,
  ...BUILD_RECORDS,
  ...ARTIFACT_RECORDS,
  ...GROUPING_RECORDS,
  ...AUDIT_RECORDS,
  ...INVITATION_RECORDS,
} as const satisfies StoreTable<Records>;
