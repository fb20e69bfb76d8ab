import type { OutcomeCount } from '../../../../domain/ingest/digest.ts';
import { MAX_REPORTS_PER_EVENT, type DigestedReport } from '../../../../domain/events/user-report.ts';
import { reportOutcome, type ReportOutcome } from '../../../releases/session-outcomes.ts';
import { eventKey, type Binary } from '../../documents/document-keys.ts';
import type { EventReportsDocument } from '../../documents/release-documents.ts';
import type { BatchCollections } from '../../engine/batch-collections.ts';
import { hex } from '../marked-rows.ts';
import type { PlannedWrite } from '../../engine/planned-write.ts';

export interface PlannedReports {
  readonly writes: readonly PlannedWrite[];
  readonly outcomes: readonly OutcomeCount[];
}

/**
 * Selects the reports to store, the first ones up to the bound. Gateways that plan at the same moment may exceed the
 * bound together; readers show the bounded part.
 */
export async function planReports(
  reports: readonly DigestedReport[],
  projects: ReadonlySet<number>,
  { eventReports }: BatchCollections,
): Promise<PlannedReports> {
  const outcomes: OutcomeCount[] = [];
  const perEvent = new Map<string, { _id: Binary; reports: DigestedReport[] }>();
  for (const report of reports) {
    if (!projects.has(report.projectId)) {
      outcomes.push(reportOutcome(report, 'project_deleted'));
      continue;
    }
    const _id = eventKey(report.projectId, report.eventId);
    const ofEvent = perEvent.get(hex(_id)) ?? { _id, reports: [] };
    ofEvent.reports.push(report);
    perEvent.set(hex(_id), ofEvent);
  }
  if (perEvent.size === 0) {
    return { writes: [], outcomes };
  }
  const filter = { _id: { $in: [...perEvent.values()].map(({ _id }) => _id) }, p: { $in: [...projects] } };
  const found = (await eventReports.find(filter, { r: 1 }, 'local')) as unknown as EventReportsDocument[];
  const known = new Map(found.map((document) => [hex(document._id), Object.keys(document.r)]));
  const writes: PlannedWrite[] = [];
  for (const [id, ofEvent] of perEvent) {
    const ids = new Set(known.get(id));
    const $set: Record<string, unknown> = {};
    let rcv = 0;
    for (const each of ofEvent.reports) {
      const { id: reportId, ...content } = each.report;
      const outcome: ReportOutcome = ids.has(reportId)
        ? 'duplicate'
        : ids.size >= MAX_REPORTS_PER_EVENT
          ? 'too_many_reports'
          : 'accepted';
      if (outcome === 'accepted') {
        ids.add(reportId);
        $set[`r.${reportId}`] = content;
        rcv = Math.max(rcv, content.receivedAt);
      }
      outcomes.push(reportOutcome(each, outcome));
    }
    const [first] = ofEvent.reports;
    if (first !== undefined && Object.keys($set).length > 0) {
      writes.push({ _id: ofEvent._id, p: first.projectId, update: { $set, $max: { rcv } }, upsert: true });
    }
  }
  return { writes, outcomes };
}
