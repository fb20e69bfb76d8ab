import type { BulkResult } from '../bulk-errors.ts';
import { presentStatusDetails } from './triage.ts';

export function presentBulkResult({ changed, unchanged, failed, previous }: BulkResult) {
  return {
    changed,
    unchanged,
    failed,
    previous: previous.map(({ details, ids, ...state }) => ({
      ...state,
      ...(details === undefined ? {} : { status_details: presentStatusDetails(details) }),
      ids,
    })),
  };
}
