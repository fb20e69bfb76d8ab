import type { EventColumns } from '../../../domain/event-columns.ts';
import type { EventUser } from '../../../domain/event.ts';
import type { ReportedEvent } from '../../../domain/report-list.ts';
import type { EventSummary, TrackedEvent, UserOfEvent } from '../../../domain/tracked-error.ts';
import type { UserReport } from '../../../domain/user-report.ts';
import { errorUrl, type ErrorPlace } from '../shared/error-place.ts';
import { staleMember } from '../shared/stale.ts';
import { isoTime } from '../../http/iso-time.ts';

export function presentEventSummary(event: EventSummary) {
  return {
    event_id: event.eventId,
    error_id: event.errorId,
    timestamp: isoTime(event.at),
    received_at: isoTime(event.receivedAt),
    ...importedMember(event),
    ...(event.columns === undefined ? {} : { columns: event.columns === null ? null : presentColumns(event.columns) }),
  };
}

function presentColumns({ user, serverName, ...columns }: EventColumns) {
  return { ...columns, user: user === null ? null : namesOf(user), server_name: serverName };
}

function namesOf({ id, username, email, name, ip_address }: EventUser) {
  return { id, username, email, name, ip_address };
}

function importedMember({ imported }: { readonly imported?: true }) {
  return imported === undefined ? {} : { imported };
}

export function presentAffectedUser({ user, at, eventId }: UserOfEvent) {
  return { ...namesOf(user), last_seen: isoTime(at), event_id: eventId };
}

export function presentUserReport({ kind, name, email, comments, url, receivedAt }: UserReport) {
  return { kind, name, email, comments, url, received_at: isoTime(receivedAt) };
}

export function presentReportedEvent({ eventId, error, reports }: ReportedEvent, place: ErrorPlace) {
  return {
    event_id: eventId,
    error: error === null ? null : { ...error, web_url: errorUrl(place, error.id) },
    reports: reports.map(presentUserReport),
  };
}

export function presentEvent(tracked: TrackedEvent) {
  const { event, errorId, receivedAt, previousEventId, nextEventId } = tracked;
  return {
    event_id: event.event_id,
    error_id: errorId,
    timestamp: event.timestamp,
    received_at: isoTime(receivedAt),
    level: event.level,
    platform: event.platform,
    logger: event.logger,
    release: event.release,
    dist: event.dist,
    environment: event.environment,
    server_name: event.server_name,
    transaction: event.transaction,
    message: event.message,
    exceptions: event.exceptions.map(({ type, value, module, thread_id, mechanism, frames }) => ({
      type,
      value,
      module,
      thread_id,
      mechanism,
      frames,
    })),
    threads: event.threads,
    breadcrumbs: event.breadcrumbs,
    request: event.request,
    user: event.user,
    tags: event.tags,
    contexts: event.contexts,
    extra: event.extra,
    sdk: event.sdk,
    modules: event.modules,
    fingerprint: event.fingerprint,
    notes: event.notes,
    user_reports: tracked.userReports?.map(presentUserReport) ?? null,
    previous_event_id: previousEventId,
    next_event_id: nextEventId,
    position: tracked.position,
    stored: tracked.stored,
    ...importedMember(tracked),
    ...staleMember(tracked),
  };
}
