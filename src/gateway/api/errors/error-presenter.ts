import type { FactCause } from '../../../domain/alert-fact.ts';
import type { ErrorMarks } from '../../../domain/error-marks.ts';
import type { ImportedOrigin } from '../../../domain/error-origin.ts';
import type { SimilarError } from '../../../domain/similar-error.ts';
import type { MergedError, TrackedError, TrackedErrorDetail } from '../../../domain/tracked-error.ts';
import { errorUrl, type ErrorContext, type ErrorPlace } from '../shared/error-place.ts';
import { staleMember } from '../shared/stale.ts';
import { isoTime } from '../../http/iso-time.ts';
import { presentPerson, presentStatusDetails } from './triage-presenter.ts';

export function presentError(error: TrackedError, context: ErrorPlace) {
  return {
    id: error.id,
    project_id: error.projectId,
    integrated: context.integrated,
    title: error.title,
    type: error.type,
    message: error.message,
    culprit: error.culprit,
    level: error.level,
    platform: error.platform,
    status: error.status,
    status_details:
      error.statusDetails === null && error.tracker !== null ? null : presentStatusDetails(error.statusDetails),
    assignee: presentPerson(error.assignee),
    count: error.count,
    user_count: error.userCount,
    first_seen: isoTime(error.firstSeen),
    last_seen: isoTime(error.lastSeen),
    first_release: error.firstRelease,
    last_release: error.lastRelease,
    external_url: error.externalUrl,
    external_ids: error.externalIds.map(({ kind, value }) => ({ kind, value })),
    web_url: errorUrl(context, error.id),
    frequency: error.frequency,
    range_count: error.rangeCount,
    marks: error.marks === null ? null : presentMarks(error.marks),
  };
}

export function presentMarks({ isNew, regressed, escalating, unmuted, unhandled, forReview }: ErrorMarks) {
  return {
    new: isNew,
    regressed: regressed === null ? null : { at: timeOrNull(regressed.at), release: regressed.release },
    escalating: escalating === null ? null : { at: timeOrNull(escalating.at), cause: presentCause(escalating.cause) },
    unmuted:
      unmuted === null
        ? null
        : { at: isoTime(unmuted.at), reason: unmuted.cause.reason ?? null, count: unmuted.cause.count ?? null },
    unhandled,
    for_review: forReview,
  };
}

const timeOrNull = (at: number | null) => (at === null ? null : isoTime(at));

function presentCause({ users, spike, threshold }: FactCause) {
  return {
    ...(users === undefined ? {} : { users }),
    ...(spike === undefined ? {} : { spike: { events: spike.events, mean: spike.mean } }),
    ...(threshold === undefined ? {} : { threshold: { events: threshold.events, minutes: threshold.minutes } }),
  };
}

export function presentSimilarError({ error, reasons }: SimilarError) {
  const { id, title, type, culprit, level, status, count, lastSeen } = error;
  return { id, title, type, culprit, level, status, count, last_seen: isoTime(lastSeen), reasons };
}

export function presentErrorDetail(error: TrackedErrorDetail, context: ErrorContext) {
  return {
    ...presentError(error, context),
    frequency_30d: error.frequency30d,
    tags:
      error.tags?.map(({ key, total, values, other }) => ({
        key,
        total,
        values: values.map(({ value, count }) => ({ value, count })),
        other,
      })) ?? null,
    environments: error.environments,
    releases: error.releases,
    merged: error.merged?.map(presentMergedError) ?? null,
    merged_into: error.mergedInto,
    imported: error.imported === null ? null : presentOrigin(error.imported),
    ...staleMember(error),
  };
}

function presentOrigin(origin: ImportedOrigin) {
  return {
    kind: origin.kind,
    external_url: origin.externalUrl,
    base_count: origin.baseCount,
    base_users: origin.baseUsers,
    base_at: origin.baseAt === null ? null : isoTime(origin.baseAt),
    at_least: origin.atLeast,
    status_details: parsed(origin.statusDetails),
    assignee: origin.assignee,
    notes: origin.notes.map(({ author, at, text }) => ({ author, created_at: isoTime(at), text })),
  };
}

/** Returns details of a tracker as an object; null for anything else. */
function parsed(json: string | null): unknown {
  try {
    const value: unknown = JSON.parse(json ?? 'null');
    return typeof value === 'object' && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

export function presentMergedError({ id, title, count }: MergedError) {
  return { id, title, count };
}
