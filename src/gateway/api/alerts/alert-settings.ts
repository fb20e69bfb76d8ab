import { DEFAULT_PREFERENCES, type AlertPreferences } from '../../../domain/alerts/alert-rule.ts';
import { AppError } from '../../../domain/app-error.ts';
import { bodyValidator } from '../../http/body-validator.ts';
import { problems } from '../../http/common-schema.ts';
import { presenter } from '../../http/presenter.ts';
import { accountRoute, type AccountCall, type Route } from '../../http/route.ts';
import { assertTimeZone, quietHoursOf } from './alert-rules.ts';
import { alertSettingsSchema, putAlertSettingsSchema, type PutAlertSettings } from './alert-settings-schema.ts';

const PATH = '/api/v4/user/alert_settings';
const { 401: unauthorised, 403: forbidden } = problems;
const settings = { 200: { description: 'The settings', schema: alertSettingsSchema } };

const presentSettings = presenter(alertSettingsSchema);
const validateSettings = bodyValidator(putAlertSettingsSchema);

async function reply({ deps, principal }: AccountCall<unknown>, preferences: AlertPreferences) {
  // The principal may be two seconds old.
  const email = (await deps.store.userById(principal.user.id))?.email ?? null;
  return { status: 200, body: presentSettings({ ...preferences, email, mailConfigured: deps.alerts.mail }) };
}

async function preferencesOf({ deps, principal }: AccountCall<unknown>): Promise<AlertPreferences> {
  return (await deps.alertStore.alertPreferences(principal.user.id)) ?? DEFAULT_PREFERENCES;
}

/** Throws `invalid_parameter` for a project that the user is not a member of; one that is named already may stay. */
async function projectsOf(
  { deps, principal }: AccountCall<unknown>,
  asked: NonNullable<PutAlertSettings['projects']>,
  before: AlertPreferences,
): Promise<AlertPreferences['projects']> {
  const ids = asked.map(({ project_id: id }) => id);
  if (new Set(ids).size < ids.length) throw new AppError('invalid_parameter', 'projects names a project twice');
  const own = await deps.store.projectsOfUser(principal.user.id);
  const known = new Set([...own.map(({ id }) => id), ...before.projects.map(({ projectId }) => projectId)]);
  const unknown = ids.find((id) => !known.has(id));
  if (unknown !== undefined) {
    throw new AppError('invalid_parameter', `projects names ${unknown}, of which you are not a member`);
  }
  return asked.map(({ project_id: projectId, mail }) => ({ projectId, mail }));
}

export const alertSettingsRoutes: readonly Route[] = [
  accountRoute({
    method: 'GET',
    path: PATH,
    operationId: 'getAlertSettings',
    summary: 'Read which alerts you get by mail',
    action: 'read_self',
    responses: { ...settings, 401: unauthorised, 403: forbidden },
    handle: async (call) => reply(call, await preferencesOf(call)),
  }),
  accountRoute({
    method: 'PUT',
    path: PATH,
    operationId: 'putAlertSettings',
    summary: 'Change which alerts you get by mail; omitted members keep their values',
    action: 'update_self',
    audit: { not: 'changes only which mails the caller gets' },
    body: putAlertSettingsSchema,
    jsonOnly: true,
    responses: { ...settings, 400: problems[400], 401: unauthorised, 403: forbidden },
    async handle(call) {
      const { deps, principal } = call;
      const asked = validateSettings(call.rawParameters);
      const before = await preferencesOf(call);
      const changed: AlertPreferences = {
        mail: asked.mail ?? before.mail,
        projects: asked.projects === undefined ? before.projects : await projectsOf(call, asked.projects, before),
        quiet: asked.quiet === undefined ? before.quiet : quietHoursOf(asked.quiet),
        zone: asked.zone ?? before.zone,
        heartbeat: asked.heartbeat ?? before.heartbeat,
      };
      assertTimeZone(changed.zone);
      await deps.alertStore.saveAlertPreferences(principal.user.id, changed);
      return reply(call, changed);
    },
  }),
];
