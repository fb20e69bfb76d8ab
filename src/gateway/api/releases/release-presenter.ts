import type { ReleaseBuild } from '../../../domain/artifacts/build.ts';
import { HOUR_MS } from '../../../domain/durations.ts';
import type { Project } from '../../../domain/projects/project.ts';
import {
  fateOf,
  inOrder,
  type ReleaseComparison,
  type ReleaseErrorGroup,
  type Releases,
} from '../../../domain/releases/release-comparison.ts';
import type { ReleaseReport } from '../../../domain/ports/error-backend.ts';
import type { ReleaseHealth, SessionCounts } from '../../../domain/releases/session.ts';
import { presenter } from '../../http/presenter.ts';
import { commitMembers } from '../shared/commit-schema.ts';
import { errorUrl, type ErrorContext } from '../shared/error-place.ts';
import { deploysSchema, releaseComparisonSchema, releaseDetailSchema, releaseSchema } from './release-schema.ts';

/** Returns one minus the share of failed items, 0 to 1; null without items. */
function freeOf(bad: number, all: number): number | null {
  return all === 0 ? null : Math.max(1 - bad / all, 0);
}

function sessionsOf({ sessions, errored, crashed, abnormal, unhandled }: SessionCounts) {
  return {
    total: sessions,
    healthy: Math.max(sessions - errored, 0),
    errored: Math.max(errored - crashed - abnormal - unhandled, 0),
    unhandled,
    abnormal,
    crashed,
  };
}

function shown(release: ReleaseHealth, project: Project, environment: string | null) {
  const { sessions, crashed, users, crashedUsers, sessions24h, allSessions24h } = release;
  return {
    ...release,
    projectId: project.id,
    environment,
    sessions: sessionsOf(release),
    users: { total: users, crashed: crashedUsers },
    crashFreeSessions: freeOf(crashed, sessions),
    crashFreeUsers: freeOf(crashedUsers, users),
    adoption24h: allSessions24h === 0 ? null : sessions24h / allSessions24h,
  };
}

const present = presenter(releaseSchema);
const presentDetail = presenter(releaseDetailSchema);
const presentBoth = presenter(releaseComparisonSchema);

export const presentDeploy = presenter(deploysSchema.items);

export function presentRelease(release: ReleaseHealth, project: Project, environment: string | null) {
  return present(shown(release, project, environment));
}

/** `releases`: those that the question is about; null: their order is not as asked. */
function groupOf({ total, errors }: ReleaseErrorGroup, context: ErrorContext, releases: Releases | null) {
  return {
    total,
    errors: errors.map((error) => ({
      ...error,
      ...fateOf(error, releases),
      baseCount: error.counts[0] ?? 0,
      headCount: error.counts[1] ?? 0,
      webUrl: errorUrl(context, error.id),
    })),
  };
}

function buildOf({ announced, commits, commitCount, deploys }: ReleaseBuild) {
  const { createdAt = null, startedAt = null, releasedAt = null, url = null, refs = [] } = announced ?? {};
  return { createdAt, startedAt, releasedAt, url, refs, commits: commits.map(commitMembers), commitCount, deploys };
}

export function presentReleaseDetail(
  { detail, build, ...news }: ReleaseReport,
  context: ErrorContext,
  environment: string | null,
) {
  const releases = { base: detail.previous, head: detail.release };
  return presentDetail({
    ...shown(detail, context.project, environment),
    ...buildOf(build),
    previous: detail.previous,
    next: detail.next,
    history: detail.history.map((counts) => ({ hour: counts.hour * HOUR_MS, sessions: sessionsOf(counts) })),
    new: groupOf(news.new, context, releases),
    regressed: groupOf(news.regressed, context, releases),
    resolved: groupOf(news.resolved, context, releases),
    gone: groupOf(news.gone, context, releases),
    complete: news.complete,
  });
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
  return presentBoth({
    ...comparison,
    base: shown(comparison.base, context.project, environment),
    head: shown(comparison.head, context.project, environment),
    new: groupOf(comparison.new, context, releases),
    gone: groupOf(comparison.gone, context, releases),
    louder: groupOf(comparison.louder, context, releases),
  });
}
