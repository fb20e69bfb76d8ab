import type { Middleware } from 'koa';
import { withoutReporting } from '../../../observability/reporting.ts';

/** Header with the mark of reports that a gateway sends about itself. */
export const SELF_REPORT_HEADER = 'X-Errgate-Self-Report';

/**
 * Turns reporting off for requests that bring a report of this gateway about itself. Their errors must not cause
 * another report; they are only logged.
 */
export function selfReport(mark: string): Middleware {
  return (ctx, next) => (ctx.get(SELF_REPORT_HEADER) === mark ? withoutReporting(next) : next());
}
