import type { AlertChannel } from '../domain/alerts/alert-channel.ts';
import type { AlertRule, ProjectAlerts } from '../domain/alerts/alert-rule.ts';

/**
 * Returns the alert rules of a project as its line in an export has them: channels by name and type, because addresses
 * are secrets, and no people.
 */
export function exportedAlerts({ rules, poll }: ProjectAlerts, channels: readonly AlertChannel[]): object {
  return {
    poll,
    channels: channels.map(({ name, type, enabled }) => ({ name, type, enabled })),
    rules: rules.map((rule) => exportedRule(rule, channels)),
  };
}

function exportedRule({ name, enabled, when, only, to, how }: AlertRule, channels: readonly AlertChannel[]): object {
  const { channels: ids, members } = to;
  const named = ids === 'all' ? ids : channels.filter(({ id }) => ids.includes(id)).map((channel) => channel.name);
  return { name, enabled, when, only, how, to: { members, channels: named } };
}
