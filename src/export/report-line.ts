import type { ExportedReport } from '../domain/ports/export-source.ts';

/** Converts a report to the payload of the item in which SDKs send it, `user_report` or `feedback`. */
export function reportLine({ projectId, errorId, eventId, report }: ExportedReport): object {
  const { id, kind, name, email, comments, url, receivedAt } = report;
  const own = { project_id: projectId, error_id: errorId, id, kind, received: new Date(receivedAt).toISOString() };
  if (kind === 'user_report') return { event_id: eventId, name, email, comments, url, _errgate: own };
  const feedback = { message: comments, name, contact_email: email, url, associated_event_id: eventId };
  return { event_id: id, timestamp: own.received, contexts: { feedback }, _errgate: own };
}
