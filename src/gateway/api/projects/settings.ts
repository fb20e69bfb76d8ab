import { AppError } from '../../../domain/app-error.ts';
import type { TrackerForm } from '../../../domain/ports/tracker-setup.ts';
import { servedByIntegrated, activationProblems } from '../../../domain/projects/settings-rules.ts';
import type { TrackingSettings } from '../../../domain/projects/tracking-settings.ts';
import { definedMembers } from '../../../lib/defined-members.ts';
import { problems } from '../../http/common-schema.ts';
import { withHostNames } from '../../http/host-names.ts';
import type { ProjectRouteDeps } from '../../http/route-deps.ts';
import { projectRoute, type ProjectCall, type Reply, type Route } from '../../http/route.ts';
import { settingsTarget } from './audit-targets.ts';
import { checkOffered, saveSettings } from './save-settings.ts';
import {
  patchSettingsSchema,
  putSettingsSchema,
  putThirdpartySchema,
  settingsSchema,
  type PutThirdparty,
} from './settings-schema.ts';

/** Converts `my-proj` to `My Proj`. */
function titleOf(slug: string): string {
  return slug
    .split(/[-_ ]+/)
    .filter((word) => word !== '')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}

function projectNameOf({ projectName, apiUrl }: TrackingSettings): string | null {
  if (projectName !== null) return projectName;
  // An address may be stored before a project is chosen.
  const slug = /\/api\/0\/projects\/[^/]+\/([^/]+)\/?$/.exec(apiUrl ?? '')?.[1];
  return slug === undefined ? null : titleOf(slug);
}

/**
 * Presents settings. While the integrated backend serves the project, fields of the tracker are hidden but still
 * stored.
 */
function presentSettings(settings: TrackingSettings, integratedOffered: boolean) {
  const integrated = servedByIntegrated(settings, integratedOffered);
  return {
    active: settings.active,
    project_name: integrated ? null : projectNameOf(settings),
    thirdparty_external_url: integrated ? null : (settings.apiUrl?.replace('api/0/projects/', '') ?? null),
    api_url: integrated ? null : settings.apiUrl,
    integrated,
  };
}

const PATH = '/api/v4/projects/:id/error_tracking/settings';
const responses = { 200: { description: 'The settings', schema: settingsSchema }, ...problems };

function present(deps: ProjectRouteDeps, settings: TrackingSettings): Reply {
  return { status: 200, body: withHostNames(presentSettings(settings, deps.integratedOffered), deps.fieldNames) };
}

async function existing({ deps, project }: ProjectCall<unknown>): Promise<TrackingSettings> {
  const settings = await deps.store.settings(project.id);
  if (settings === null) throw new AppError('settings_not_found', 'the project has no error tracking settings yet');
  return settings;
}

/**
 * Builds the form from the raw request: a blank member clears, an absent one keeps. Parsed parameters do not
 * distinguish them.
 */
function thirdpartyForm(
  params: PutThirdparty,
  rawParameters: Readonly<Record<string, unknown>>,
  before: TrackingSettings | null,
): TrackerForm {
  const text = (name: keyof PutThirdparty): string | undefined =>
    name in rawParameters ? String(params[name] ?? '') : undefined;
  const names = ['organization_slug', 'project_slug', 'organization_name', 'project_name'] as const;
  const ids = ['thirdparty_project_id', 'sentry_project_id'] as const;
  const namesProject = [...names, ...ids].some((name) => name in rawParameters);
  return definedMembers({
    integrated: false,
    keepsProject: true,
    active: params.active ?? before?.active ?? true,
    apiHost: text('api_host'),
    token: text('token'),
    project: namesProject
      ? definedMembers({
          organizationSlug: text('organization_slug'),
          organizationName: text('organization_name'),
          slug: text('project_slug'),
          name: text('project_name'),
          thirdpartyProjectId: text('thirdparty_project_id') ?? text('sentry_project_id'),
        })
      : undefined,
  });
}

/**
 * Throws for a request without any parameter, which must not switch a project to a tracker. `bad_request` names what
 * the link lacks; `invalid_parameter` when it lacks nothing.
 */
function requireParameters(rawParameters: Readonly<Record<string, unknown>>, before: TrackingSettings | null): void {
  const names = Object.keys(putThirdpartySchema.properties);
  if (names.some((name) => name in rawParameters)) return;
  const { apiUrl = null, sealedToken = null } = before ?? {};
  const lacking = activationProblems({ active: true, integrated: false, apiUrl, sealedToken });
  if (lacking.length > 0) throw new AppError('bad_request', lacking.join(', '));
  throw new AppError('invalid_parameter', `${names.join(', ')} are missing, at least one parameter must be provided`);
}

export const settingsRoutes: readonly Route[] = [
  projectRoute({
    method: 'GET',
    path: PATH,
    operationId: 'getSettings',
    summary: 'Read the error tracking settings',
    action: 'read_settings',
    responses,
    handle: async (call) => present(call.deps, await existing(call)),
  }),
  projectRoute({
    method: 'PUT',
    path: PATH,
    operationId: 'putSettings',
    summary: 'Create or change the settings; only where the integrated backend is offered',
    action: 'update_settings',
    audit: { event: 'settings_changed', target: settingsTarget },
    parameters: putSettingsSchema,
    responses,
    async handle(call) {
      checkOffered(call, true);
      const before = await call.deps.store.settings(call.project.id);
      const { active, integrated } = call.params;
      return present(call.deps, await saveSettings(call, before, { patch: { active, integrated }, problems: [] }));
    },
  }),
  projectRoute({
    method: 'PATCH',
    path: PATH,
    operationId: 'patchSettings',
    summary: 'Enable or disable settings that exist',
    action: 'update_settings',
    audit: { event: 'settings_changed', target: settingsTarget },
    parameters: patchSettingsSchema,
    responses,
    async handle(call) {
      const before = await existing(call);
      const { active, integrated } = call.params;
      checkOffered(call, integrated);
      const patch = integrated === undefined ? { active } : { active, integrated };
      return present(call.deps, await saveSettings(call, before, { patch, problems: [] }));
    },
  }),
  projectRoute({
    method: 'PUT',
    path: `${PATH}/thirdparty`,
    operationId: 'putThirdpartySettings',
    summary: 'Link the project to an external tracker, which then serves its errors',
    action: 'update_settings',
    audit: { event: 'settings_changed', target: settingsTarget },
    parameters: putThirdpartySchema,
    responses,
    async handle(call) {
      const { deps, project, params } = call;
      const before = await deps.store.settings(project.id);
      requireParameters(call.rawParameters, before);
      const draft = deps.trackers.draft(project.id, before, thirdpartyForm(params, call.rawParameters, before));
      return present(deps, await saveSettings(call, before, draft));
    },
  }),
];
