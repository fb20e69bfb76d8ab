import { DEFAULT_ALERTS, type ProjectAlerts } from '../../../domain/alerts/alert-rule.ts';
import type { Outlook } from '../../../domain/ports/alert-setup.ts';
import { bodyValidator } from '../../http/body-validator.ts';
import { problems } from '../../http/common-schema.ts';
import { presenter } from '../../http/presenter.ts';
import { projectRoute, type ProjectCall, type Route } from '../../http/route.ts';
import { alertRulesTarget } from './audit-targets.ts';
import { alertsSchema, putAlertsSchema } from './alert-rule-schema.ts';
import { changedAlerts, rulesWithKnown, type KnownRecipients } from './alert-rules.ts';

const PATH = '/api/v4/projects/:id/error_tracking/alerts';
const responses = { 200: { description: 'The rules of the project', schema: alertsSchema }, ...problems };

const present = presenter(alertsSchema);
const validateAlerts = bodyValidator(putAlertsSchema);

async function knownRecipients({ deps, project }: ProjectCall<unknown>): Promise<KnownRecipients> {
  const [members, channels] = await Promise.all([
    deps.store.listMembers(project.id),
    deps.alertStore.listChannels(project.id),
  ]);
  return { users: new Set(members.map(({ userId }) => userId)), channels: new Set(channels.map(({ id }) => id)) };
}

const personOf = (outlook: Outlook) => ({
  id: Number(outlook.destination.split(':')[1]),
  name: outlook.name,
  outlook,
});

/** `own`: settings of the project; null: it has none. */
async function reply(call: ProjectCall<unknown>, own: ProjectAlerts | null, known: KnownRecipients) {
  const { alerts } = call.deps;
  const shown = own ?? DEFAULT_ALERTS;
  const people = (await alerts.outlook(call.project.id)).filter(({ destination }) => destination.startsWith('user:'));
  const body = present({
    rules: rulesWithKnown(shown, known),
    poll: shown.poll,
    default: own === null,
    mail: alerts.mail,
    people: people.map(personOf),
  });
  return { status: 200, body };
}

export const alertRoutes: readonly Route[] = [
  projectRoute({
    method: 'GET',
    path: PATH,
    operationId: 'getAlerts',
    summary: 'Read the alert rules of a project, and who gets messages',
    action: 'read_alerts',
    responses,
    async handle(call) {
      const own = await call.deps.alertStore.projectAlerts(call.project.id);
      return reply(call, own, await knownRecipients(call));
    },
  }),
  projectRoute({
    method: 'PUT',
    path: PATH,
    operationId: 'putAlerts',
    summary: 'Replace the alert rules of a project; omitted members of a rule have the values of the default rule',
    action: 'manage_alerts',
    audit: { event: 'alert_rules_changed', target: alertRulesTarget },
    body: putAlertsSchema,
    jsonOnly: true,
    responses,
    async handle(call) {
      const { deps, project } = call;
      const asked = validateAlerts(call.rawParameters);
      const known = await knownRecipients(call);
      const before = (await deps.alertStore.projectAlerts(project.id)) ?? DEFAULT_ALERTS;
      const changed = changedAlerts(before, asked, known);
      await deps.alertStore.saveProjectAlerts(project.id, changed);
      return reply(call, changed, known);
    },
  }),
];
