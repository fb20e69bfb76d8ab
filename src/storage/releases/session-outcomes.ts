import type { OutcomeCount } from '../../domain/ingest/digest.ts';
import {
  SESSION_ENDS,
  type DigestedSession,
  type SessionCounts,
  type SessionEnd,
  type SessionSums,
} from '../../domain/releases/session.ts';
import type { DigestedReport } from '../../domain/events/user-report.ts';
import { NO_SESSIONS } from './fold-releases.ts';

/** Outcome of a `session` or `sessions` item. */
export type SessionOutcome = 'accepted' | 'session_changed' | 'project_deleted';
/** Outcome of a report. */
export type ReportOutcome = 'accepted' | 'duplicate' | 'too_many_reports' | 'project_deleted';

/** Returns the counts of whole sessions in an aggregate; those with errors include those that ended badly. */
export function countsOfSum(sum: SessionSums['sums'][number]): SessionCounts {
  const { exited, errored, crashed, abnormal, unhandled } = sum;
  const bad = errored + crashed + abnormal + unhandled;
  return { sessions: exited + bad, errored: bad, crashed, abnormal, unhandled };
}

export function sessionOutcome(session: DigestedSession, how: SessionOutcome): OutcomeCount {
  const { projectId, keyId, receivedAt } = session;
  const outcome = how === 'accepted' ? 'accepted' : how === 'session_changed' ? 'invalid' : 'filtered';
  const reason = how === 'accepted' ? '' : how;
  return { projectId, keyId, category: 'session', outcome, reason, at: receivedAt, quantity: 1 };
}

export function reportOutcome({ projectId, keyId, report }: DigestedReport, how: ReportOutcome): OutcomeCount {
  const category = report.kind === 'feedback' ? 'feedback' : 'default';
  const outcome = how === 'accepted' ? 'accepted' : 'filtered';
  const reason = how === 'accepted' ? '' : how;
  return { projectId, keyId, category, outcome, reason, at: report.receivedAt, quantity: 1 };
}

/** Returns the code of a session's end in both stores; 0: not ended. Codes never change. */
export function endCode(end: SessionEnd | null): number {
  return end === null ? 0 : SESSION_ENDS.indexOf(end) + 1;
}

/** Returns the counts that the end of a session adds; an orderly end adds nothing. */
export function endCounts(code: number): SessionCounts {
  const end = SESSION_ENDS[code - 1];
  return end === undefined || end === 'exited' ? NO_SESSIONS : { ...NO_SESSIONS, [end]: 1 };
}

export const CRASHED = endCode('crashed');
