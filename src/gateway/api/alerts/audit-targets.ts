import type { AuditValues } from '../../../audit/audit-values.ts';
import { channelValues } from '../../../audit/shown-values.ts';
import type { AlertRule } from '../../../domain/alerts/alert-rule.ts';
import { idOrMade, projectTarget } from '../../http/audit/audit-targets.ts';

export const channelTarget = projectTarget('Alert channel', async ({ deps, project, path }, made) => {
  const id = idOrMade(path.channel_id, made);
  const channel = (await deps.alertStore.listChannels(project.id)).find((each) => each.id === id);
  return channel === undefined ? null : { id, name: channel.name, values: channelValues(channel) };
});

/** Returns the parts of a rule, by name: a change names the parts that differ. */
function partsOf({ id, name, enabled, when, only, to, how }: AlertRule): AuditValues {
  const parts = { name, enabled, when: JSON.stringify(when), only: JSON.stringify(only), to: JSON.stringify(to) };
  const all = { ...parts, how: JSON.stringify(how) };
  return Object.fromEntries(Object.entries(all).map(([part, value]) => [`rule ${id} ${part}`, value]));
}

export const alertRulesTarget = projectTarget('Alert rules', async ({ deps, project }) => {
  const alerts = await deps.alertStore.projectAlerts(project.id);
  if (alerts === null) return null;
  const values = Object.assign({ poll: alerts.poll }, ...alerts.rules.map(partsOf)) as AuditValues;
  return { id: project.id, name: project.path, values };
});
