import type { AlertPreferences, AlertRule, QuietHours } from '../../../domain/alert-rule.ts';

const presentQuiet = (quiet: QuietHours | null) => (quiet === null ? null : { from: quiet.from, to: quiet.to });

export function presentAlertRule({ id, name, enabled, when, only, to, how }: AlertRule) {
  const { threshold } = when;
  return {
    id,
    name,
    enabled,
    when: {
      kinds: when.kinds,
      threshold: threshold === null ? null : { events: threshold.events, minutes: threshold.minutes },
      users: when.users,
    },
    only: {
      environments: only.environments,
      except_environments: only.exceptEnvironments,
      levels: only.levels,
      releases: only.releases,
      tags: only.tags.map(({ key, value }) => ({ key, value })),
      contains: only.contains,
    },
    to: { members: to.members, users: to.users, channels: to.channels },
    how: { mode: how.mode, at: how.at, quiet: presentQuiet(how.quiet), zone: how.zone },
  };
}

/** Presents what a person wants by mail. */
export function presentAlertPreferences({ mail, projects, quiet, zone, heartbeat }: AlertPreferences) {
  return {
    mail,
    projects: projects.map((own) => ({ project_id: own.projectId, mail: own.mail })),
    quiet: presentQuiet(quiet),
    zone,
    heartbeat,
  };
}
