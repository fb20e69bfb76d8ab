import { MAX_REPORTS_PER_EVENT, type DigestedReport } from '../../../domain/events/user-report.ts';
import type { ReportOutcome } from '../../releases/session-outcomes.ts';
import type { SqliteDatabase } from '../engine/database.ts';

/** Stores a report beside its event, whether or not the event exists. */
export function addReport(db: SqliteDatabase, { projectId, eventId, report }: DigestedReport): ReportOutcome {
  const { id, receivedAt, ...content } = report;
  const event = Buffer.from(eventId, 'hex');
  const place = [projectId, event, Buffer.from(id, 'hex')] as const;
  const where = 'project_id = ? AND event_id = ?';
  if (db.get(`SELECT 1 FROM event_reports WHERE ${where} AND report_id = ?`, ...place) !== undefined) {
    return 'duplicate';
  }
  if (db.number(`SELECT count(*) FROM event_reports WHERE ${where}`, projectId, event) >= MAX_REPORTS_PER_EVENT) {
    return 'too_many_reports';
  }
  db.run(
    'INSERT INTO event_reports (project_id, event_id, report_id, received_at, report) VALUES (?, ?, ?, ?, ?)',
    ...[...place, receivedAt, JSON.stringify(content)],
  );
  return 'accepted';
}
