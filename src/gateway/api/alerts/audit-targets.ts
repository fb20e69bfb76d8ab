import { hidden } from '../../../audit/audit-values.ts';
import type { AlertRule } from '../../../domain/alerts/alert-rule.ts';
import { idOrMade, projectTarget } from '../../http/audit/audit-targets.ts';

/** A channel without its address, which often is a secret: the host names it. */
export const channelTarget = projectTarget('Alert channel', async ({ deps, project, path }, made) => {
  const id = idOrMade(path.channel_id, made);
  const channel = (await deps.alertStore.listChannels(project.id)).find((each) => each.id === id);
  if (channel === undefined) return null;
  const { type, name, host, enabled, sealed } = channel;
  return { id, name, values: { type, name, host, enabled, address: hidden(sealed) } };
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
