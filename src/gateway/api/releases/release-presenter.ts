import type { Project } from '../../../domain/project.ts';
import {
  fateOf,
  inOrder,
  type ReleaseComparison,
  type ReleaseErrorGroup,
  type ReleaseNews,
  type Releases,
} from '../../../domain/release-comparison.ts';
import type { ReleaseDetail, ReleaseHealth, SessionCounts } from '../../../domain/session.ts';
import { errorUrl, type ErrorContext } from '../shared/error-place.ts';
import { isoTime } from '../../http/iso-time.ts';
import { HOUR_MS } from '../../../domain/durations.ts';

/** Returns one minus the share of failed items, 0 to 1; null without items. */
function freeOf(bad: number, all: number): number | null {
  return all === 0 ? null : Math.max(1 - bad / all, 0);
}

function presentSessions({ sessions, errored, crashed, abnormal, unhandled }: SessionCounts) {
  return {
    total: sessions,
    healthy: Math.max(sessions - errored, 0),
    errored: Math.max(errored - crashed - abnormal - unhandled, 0),
    unhandled,
    abnormal,
    crashed,
  };
}

export function presentRelease(release: ReleaseHealth, project: Project, environment: string | null) {
  const { sessions, crashed, users, crashedUsers } = release;
  const { sessions24h, allSessions24h } = release;
  return {
    project_id: project.id,
    release: release.release,
    environment,
    first_seen: isoTime(release.firstSeen),
    last_seen: isoTime(release.lastSeen),
    events: release.events,
    new_errors: release.newErrors,
    sessions: presentSessions(release),
    users: { total: users, crashed: crashedUsers },
    crash_free_sessions: freeOf(crashed, sessions),
    crash_free_users: freeOf(crashedUsers, users),
    sessions_24h: sessions24h,
    adoption_24h: allSessions24h === 0 ? null : sessions24h / allSessions24h,
  };
}

const presentFate = ({ backIn, goneIn }: ReturnType<typeof fateOf>) => ({ back_in: backIn, gone_in: goneIn });

/** `releases`: those that the question is about; null: their order is not as asked. */
function presentGroup({ total, errors }: ReleaseErrorGroup, context: ErrorContext, releases: Releases | null) {
  return {
    total,
    errors: errors.map((error) => ({
      ...presentFate(fateOf(error, releases)),
      id: error.id,
      title: error.title,
      type: error.type,
      culprit: error.culprit,
      level: error.level,
      status: error.status,
      first_seen: isoTime(error.firstSeen),
      last_seen: isoTime(error.lastSeen),
      first_release: error.firstRelease,
      last_release: error.lastRelease,
      regressed_in: error.regressedIn,
      base_count: error.counts[0] ?? 0,
      head_count: error.counts[1] ?? 0,
      web_url: errorUrl(context, error.id),
    })),
  };
}

export function presentReleaseDetail(
  detail: ReleaseDetail,
  news: ReleaseNews & { readonly resolved: ReleaseErrorGroup; readonly complete: boolean },
  context: ErrorContext,
  environment: string | null,
) {
  const releases = { base: detail.previous, head: detail.release };
  return {
    ...presentRelease(detail, context.project, environment),
    previous: detail.previous,
    next: detail.next,
    history: detail.history.map((counts) => ({
      hour: isoTime(counts.hour * HOUR_MS),
      sessions: presentSessions(counts),
    })),
    new: presentGroup(news.new, context, releases),
    regressed: presentGroup(news.regressed, context, releases),
    resolved: presentGroup(news.resolved, context, releases),
    gone: presentGroup(news.gone, context, releases),
    complete: news.complete,
  };
}

export function presentComparison(
  comparison: ReleaseComparison & {
    readonly base: ReleaseHealth;
    readonly head: ReleaseHealth;
    readonly complete: boolean;
  },
  context: ErrorContext,
  environment: string | null,
) {
  const releases = inOrder(comparison.base, comparison.head);
  return {
    base: presentRelease(comparison.base, context.project, environment),
    head: presentRelease(comparison.head, context.project, environment),
    by: comparison.by,
    new: presentGroup(comparison.new, context, releases),
    gone: presentGroup(comparison.gone, context, releases),
    louder: presentGroup(comparison.louder, context, releases),
    unchanged: comparison.unchanged,
    complete: comparison.complete,
  };
}
