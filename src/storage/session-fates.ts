import type { OutcomeCount } from '../domain/digest.ts';
import type { DigestedSession, SessionCounts, SessionSums } from '../domain/session.ts';
import type { DigestedReport } from '../domain/user-report.ts';

/** What became of a `session` or `sessions` item. */
export type SessionFate = 'accepted' | 'session_changed' | 'project_deleted';
/** What became of a report. */
export type ReportFate = 'accepted' | 'duplicate' | 'too_many_reports' | 'project_deleted';

/** Whole sessions of an aggregate; those with errors include those that ended badly. */
export function countsOfSum(sum: SessionSums['sums'][number]): SessionCounts {
  const { exited, errored, crashed, abnormal, unhandled } = sum;
  const bad = errored + crashed + abnormal + unhandled;
  return { sessions: exited + bad, errored: bad, crashed, abnormal, unhandled };
}

export function sessionOutcome(session: DigestedSession, fate: SessionFate): OutcomeCount {
  const { projectId, keyId, receivedAt } = session;
  const outcome = fate === 'accepted' ? 'accepted' : fate === 'session_changed' ? 'invalid' : 'filtered';
  const reason = fate === 'accepted' ? '' : fate;
  return { projectId, keyId, category: 'session', outcome, reason, at: receivedAt, quantity: 1 };
}

export function reportOutcome({ projectId, keyId, report }: DigestedReport, fate: ReportFate): OutcomeCount {
  const category = report.kind === 'feedback' ? 'feedback' : 'default';
  const outcome = fate === 'accepted' ? 'accepted' : 'filtered';
  const reason = fate === 'accepted' ? '' : fate;
  return { projectId, keyId, category, outcome, reason, at: report.receivedAt, quantity: 1 };
}
