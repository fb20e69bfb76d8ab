import {
  DEFAULT_RULE,
  MAX_RULES,
  type AlertRule,
  type ProjectAlerts,
  type QuietHours,
} from '../../../domain/alerts/alert-rule.ts';
import { AppError } from '../../../domain/app-error.ts';
import type { NewAlertRule, PutAlerts } from './alert-rule-schema.ts';

/** Ids that rules of a project may name. */
export interface KnownRecipients {
  readonly users: ReadonlySet<number>;
  readonly channels: ReadonlySet<number>;
}

const invalid = (message: string): AppError => new AppError('invalid_parameter', message);

/** Throws `invalid_parameter` for an unknown time zone. */
export function assertTimeZone(zone: string): void {
  if (!isTimeZone(zone)) throw invalid(`zone is unknown: use a name such as Europe/Berlin or UTC`);
}

/** Returns quiet hours; null for a span without length. */
export function quietHoursOf(quiet: QuietHours | null): QuietHours | null {
  return quiet === null || quiet.from === quiet.to ? null : { from: quiet.from, to: quiet.to };
}

function ruleOf({ when = {}, only = {}, to = {}, how = {}, ...given }: NewAlertRule, id: number): AlertRule {
  const base = DEFAULT_RULE;
  return {
    id,
    name: given.name,
    enabled: given.enabled ?? true,
    when: {
      kinds: when.kinds ?? base.when.kinds,
      threshold: when.threshold ?? null,
      users: when.users ?? null,
    },
    only: {
      environments: only.environments ?? base.only.environments,
      exceptEnvironments: only.except_environments ?? base.only.exceptEnvironments,
      levels: only.levels ?? base.only.levels,
      releases: only.releases ?? base.only.releases,
      tags: only.tags ?? base.only.tags,
      contains: only.contains ?? base.only.contains,
    },
    to: {
      members: to.members ?? base.to.members,
      users: to.users ?? base.to.users,
      channels: to.channels ?? base.to.channels,
    },
    how: {
      mode: how.mode ?? base.how.mode,
      at: how.at ?? base.how.at,
      quiet: quietHoursOf(how.quiet ?? null),
      zone: how.zone ?? base.how.zone,
    },
  };
}

function assertUsable({ name, enabled, when, to, how }: AlertRule, known: KnownRecipients): void {
  const rule = `the rule ${JSON.stringify(name)}`;
  if (when.kinds.length === 0 && when.threshold === null && when.users === null) {
    throw invalid(`${rule} reports nothing: choose kinds, a threshold or a number of users`);
  }
  const stranger = to.users.find((id) => !known.users.has(id));
  if (stranger !== undefined) throw invalid(`${rule} names the user ${stranger}, who is no member of the project`);
  const channels = to.channels === 'all' ? [] : to.channels;
  const unknown = channels.find((id) => !known.channels.has(id));
  if (unknown !== undefined) throw invalid(`${rule} names the channel ${unknown}, which the project does not have`);
  if (enabled && !to.members && to.users.length === 0 && to.channels !== 'all' && channels.length === 0) {
    throw invalid(`${rule} goes to no recipient: choose members, users or channels, or switch it off`);
  }
  assertTimeZone(how.zone);
}

/**
 * Returns the settings after a request. Rules with an id keep it; others get the next ones. Without rules they stay.
 * Throws `invalid_parameter` for a request without members, and for ids that the project does not have.
 */
export function changedAlerts(before: ProjectAlerts, asked: PutAlerts, known: KnownRecipients): ProjectAlerts {
  if (asked.rules === undefined) {
    if (asked.poll === undefined) throw invalid('rules and poll are missing: give at least one of them');
    return { ...before, poll: asked.poll };
  }
  if (asked.rules.length > MAX_RULES) throw invalid(`a project has at most ${MAX_RULES} rules`);
  const given = asked.rules.map(({ id }) => id).filter((id) => id !== undefined);
  if (new Set(given).size < given.length) throw invalid('two rules have the same id');
  const present = new Set(before.rules.map(({ id }) => id));
  const missing = given.find((id) => !present.has(id));
  if (missing !== undefined) throw invalid(`there is no rule with the id ${missing}: leave the id of a new rule out`);
  let { lastRuleId } = before;
  const rules = asked.rules.map((rule) => ruleOf(rule, rule.id ?? (lastRuleId += 1)));
  for (const rule of rules) assertUsable(rule, known);
  return { rules, lastRuleId, poll: asked.poll ?? before.poll };
}

/** Leaves out recipients that no longer exist, so that the rules of an answer can be saved as they are. */
export function rulesWithKnown({ rules }: ProjectAlerts, known: KnownRecipients): AlertRule[] {
  return rules.map((rule) => {
    const { users, channels } = rule.to;
    return {
      ...rule,
      to: {
        ...rule.to,
        users: users.filter((id) => known.users.has(id)),
        channels: channels === 'all' ? channels : channels.filter((id) => known.channels.has(id)),
      },
    };
  });
}

/** Returns true for the name of a time zone that this Node.js knows, such as `Europe/Berlin`. */
function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
