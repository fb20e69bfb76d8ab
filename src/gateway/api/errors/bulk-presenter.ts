import type { BulkResult, FormerState } from './bulk-errors.ts';
import { presentStatusDetails } from './triage-presenter.ts';

export function presentBulkResult({ changed, unchanged, skipped, gone, failed, previous }: BulkResult) {
  return {
    ...{ changed, unchanged, skipped, gone, failed },
    previous: previous.map(({ details, counted, now, ids, ...state }) => ({
      ...state,
      ...(details === undefined ? {} : { status_details: presentStatusDetails(details) }),
      ...(counted.length === 0 ? {} : { counted }),
      ...(now === undefined ? {} : { now: presentNow(now) }),
      ids,
    })),
  };
}

function presentNow(now: FormerState['now'] & object) {
  if ('assignee' in now) return now;
  const { status, details } = now;
  return { status, ...(details === undefined ? {} : { status_details: presentStatusDetails(details) }) };
}
