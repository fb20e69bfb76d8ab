import type { EventColumns } from '../../../domain/events/event-columns.ts';
import { suspicionsOf } from '../../../domain/events/suspicious-text.ts';
import type { EventUser } from '../../../domain/events/event.ts';
import type { EventSummary, TrackedEvent, UserOfEvent } from '../../../domain/events/tracked-event.ts';
import { isoTime } from '../../http/iso-time.ts';
import { presenter } from '../../http/presenter.ts';
import { staleMember } from '../shared/stale.ts';
import { affectedUserSchema, eventSummarySchema, userReportSchema } from './event-schema.ts';

const presentSummary = presenter(eventSummarySchema);
const presentUser = presenter(affectedUserSchema);
const presentReport = presenter(userReportSchema);

export function presentEventSummary({ columns, ...event }: EventSummary) {
  return presentSummary({ ...event, timestamp: event.at, columns: columns && shownColumns(columns) });
}

function shownColumns(columns: EventColumns) {
  return { ...columns, user: columns.user === null ? null : shownUser(columns.user) };
}

function shownUser(user: EventUser) {
  return { ...user, ipAddress: user.ip_address };
}

export function presentAffectedUser({ user, at, eventId }: UserOfEvent) {
  return presentUser({ ...shownUser(user), lastSeen: at, eventId });
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
    exceptions: event.exceptions.map(({ type, value, module, thread_id, mechanism, frames, raw }) => ({
      type,
      value,
      module,
      thread_id,
      mechanism,
      frames,
      ...(raw === undefined ? {} : { raw }),
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
    suspicious: suspicionsOf(event),
    user_reports: tracked.userReports?.map(presentReport) ?? null,
    previous_event_id: previousEventId,
    next_event_id: nextEventId,
    position: tracked.position,
    stored: tracked.stored,
    ...(tracked.imported === undefined ? {} : { imported: tracked.imported }),
    ...staleMember(tracked),
  };
}
