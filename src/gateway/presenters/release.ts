import type { Project } from '../../domain/project.ts';
import type { ReleaseHealth } from '../../domain/session.ts';
import { isoTime } from './time.ts';

/** Returns one minus the share of failed items, 0 to 1; null without items. */
function freeOf(bad: number, all: number): number | null {
  return all === 0 ? null : Math.max(1 - bad / all, 0);
}

export function presentRelease(release: ReleaseHealth, project: Project, environment: string | null) {
  const { sessions, errored, crashed, abnormal, unhandled, users, crashedUsers } = release;
  const { sessions24h, allSessions24h } = release;
  return {
    project_id: project.id,
    release: release.release,
    environment,
    first_seen: isoTime(release.firstSeen),
    last_seen: isoTime(release.lastSeen),
    events: release.events,
    new_errors: release.newErrors,
    sessions: {
      total: sessions,
      healthy: Math.max(sessions - errored, 0),
      errored: Math.max(errored - crashed - abnormal - unhandled, 0),
      unhandled,
      abnormal,
      crashed,
    },
    users: { total: users, crashed: crashedUsers },
    crash_free_sessions: freeOf(crashed, sessions),
    crash_free_users: freeOf(crashedUsers, users),
    sessions_24h: sessions24h,
    adoption_24h: allSessions24h === 0 ? null : sessions24h / allSessions24h,
  };
}
