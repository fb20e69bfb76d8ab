import type { Middleware } from 'koa';
import { withoutReporting } from '../../observability/reporting.ts';

/** Carries the mark of reports that a gateway sends about itself. */
export const SELF_REPORT_HEADER = 'X-Errgate-Self-Report';

/** A report about us that comes back to us must not cause another one: its errors are logged and no more. */
export function selfReport(mark: string): Middleware {
  return (ctx, next) => (ctx.get(SELF_REPORT_HEADER) === mark ? withoutReporting(next) : next());
}
