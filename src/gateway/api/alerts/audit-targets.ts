import { channelValues } from '../../../audit/shown-values.ts';
import type { AlertRule } from '../../../domain/alerts/alert-rule.ts';
import { idOrMade, projectTarget } from '../../http/audit/audit-targets.ts';

export const channelTarget = projectTarget('Alert channel', async ({ deps, project, path }, made) => {
  const id = idOrMade(path.channel_id, made);
  const channel = (await deps.alertStore.listChannels(project.id)).find((each) => each.id === id);
  return channel === undefined ? null : { id, name: channel.name, values: channelValues(channel) };
});

/** Describes a rule by what people choose on its page. */
function textOf({ name, enabled, when, only, to, how }: AlertRule): string {
  return JSON.stringify({ name, enabled, when, only, to, how });
}

export const alertRulesTarget = projectTarget('Alert rules', async ({ deps, project }) => {
  const alerts = await deps.alertStore.projectAlerts(project.id);
  if (alerts === null) return null;
  const rules = alerts.rules.map((rule) => [`rule ${rule.id}`, textOf(rule)] as const);
  return { id: project.id, name: project.path, values: { poll: alerts.poll, ...Object.fromEntries(rules) } };
});
