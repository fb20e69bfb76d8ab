import type { FactCause } from '../../domain/errors/fact-cause.ts';
import { UNMUTE_REASONS } from '../../domain/errors/error-state.ts';
import type { StoredMarks } from '../../domain/errors/error-marks.ts';
import { type FileRow, memberOf, textOf, timeOf } from './row-values.ts';

/** Returns the marks of a line of errors.ndjson; undefined: none. Times are at most that of the export. */
export function marksOf(own: FileRow, exportedAt: number): StoredMarks | undefined {
  const marks = memberOf(own, 'marks');
  const timeIn = (row: FileRow, name: string): number | null => {
    const at = timeOf(row, name);
    return at === null ? null : Math.min(at, exportedAt);
  };
  const [regressed, escalated] = [memberOf(marks, 'regressed'), memberOf(marks, 'escalated')];
  const [regressedAt, escalatedAt] = [timeIn(regressed, 'at'), timeIn(escalated, 'at')];
  const unmuted = memberOf(marks, 'unmuted');
  const unmutedAt = timeIn(unmuted, 'at');
  const reviewAt = timeIn(marks, 'for_review_since');
  const unhandled = typeof marks['unhandled'] === 'boolean' ? marks['unhandled'] : null;
  if ([regressedAt, escalatedAt, unmutedAt, reviewAt, unhandled].every((mark) => mark === null)) return undefined;
  return {
    regressed: regressedAt === null ? null : { at: regressedAt, release: textOf(regressed, 'release', 250) },
    escalated: escalatedAt === null ? null : { at: escalatedAt, cause: causeOf(memberOf(escalated, 'cause')) },
    unmuted: unmutedAt === null ? null : { at: unmutedAt, cause: unmuteCauseOf(memberOf(unmuted, 'cause')) },
    reviewAt,
    unhandled,
  };
}

function causeOf(cause: FileRow): FactCause {
  const [spike, threshold] = [memberOf(cause, 'spike'), memberOf(cause, 'threshold')];
  const [users, events, mean] = [numberOf(cause, 'users'), numberOf(spike, 'events'), numberOf(spike, 'mean')];
  const [within, minutes] = [numberOf(threshold, 'events'), numberOf(threshold, 'minutes')];
  return {
    ...(users === null ? {} : { users }),
    ...(events === null || mean === null ? {} : { spike: { events, mean } }),
    ...(within === null || minutes === null ? {} : { threshold: { events: within, minutes } }),
  };
}

function unmuteCauseOf(cause: FileRow): FactCause {
  const reason = UNMUTE_REASONS.find((known) => known === cause['reason']);
  const count = numberOf(cause, 'count');
  return { ...(reason === undefined ? {} : { reason }), ...(count === null ? {} : { count }) };
}

/** Returns a number of 0 or more; null for anything else. */
function numberOf(row: FileRow, name: string): number | null {
  const value = row[name];
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
}
