import {
  MAX_EVENTS_FOR_REPORTS,
  MAX_REPORTS_PER_EVENT,
  type ReportOfEvent,
  type UserReport,
} from '../../../domain/events/user-report.ts';
import { EVENT_ID } from '../../events/event-body.ts';
import type { MongoContext } from '../engine/context.ts';
import { eventIdOf, eventKey } from '../documents/document-keys.ts';
import type { EventDocument } from '../documents/documents.ts';
import { reading } from '../engine/operation-options.ts';

/** Returns reports, oldest first. Gateways that wrote at the same moment may have stored more than are shown. */
export async function reportsOf(
  { collections }: MongoContext,
  p: number,
  eventId: EventDocument['_id'],
): Promise<UserReport[]> {
  const found = await collections.eventReports.findOne({ _id: eventId, p }, reading('reports.of_event', { r: 1 }));
  return inOrder(found?.r ?? {});
}

/** Returns the reports of a document, oldest first. */
export function inOrder(reports: Readonly<Record<string, Omit<UserReport, 'id'>>>): UserReport[] {
  return Object.entries(reports)
    .map(([id, report]) => ({ ...report, id }))
    .sort((a, b) => a.receivedAt - b.receivedAt || (a.id < b.id ? -1 : 1))
    .slice(0, MAX_REPORTS_PER_EVENT);
}

export async function reportsOfEvents(
  { collections }: MongoContext,
  p: number,
  eventIds: readonly string[],
  limit: number,
): Promise<ReportOfEvent[]> {
  const known = eventIds.filter((id) => EVENT_ID.test(id)).slice(0, MAX_EVENTS_FOR_REPORTS);
  const filter = { _id: { $in: known.map((id) => eventKey(p, id)) }, p };
  const found = await collections.eventReports.find(filter, reading('reports.of_events', { r: 1 })).toArray();
  return found
    .flatMap(({ _id, r }) => inOrder(r).map((report) => ({ eventId: eventIdOf(_id), report })))
    .sort((a, b) => b.report.receivedAt - a.report.receivedAt || (a.report.id < b.report.id ? -1 : 1))
    .slice(0, limit);
}
