import { distinctFields, NO_OVERRIDES, type ProtectionOverridesPatch } from '../../../domain/protection-overrides.ts';
import { definedMembers } from '../../../lib/defined-members.ts';
import { problems } from '../../http/common-schema.ts';
import { protectionSchema, putProtectionSchema, type PutProtection } from './protection-schema.ts';
import { presentProtection } from './protection-presenter.ts';
import { projectRoute, type Route } from '../../http/route.ts';

const PATH = '/api/v4/projects/:id/error_tracking/protection';
const responses = { 200: { description: 'The effective settings', schema: protectionSchema }, ...problems };

function patchOf(params: PutProtection): ProtectionOverridesPatch {
  const { sensitive_fields: names } = params;
  return definedMembers({
    sensitiveFields: names === undefined ? undefined : distinctFields(names),
    scrubIps: params.scrub_ips,
    keyEventsPerMinute: params.key_events_per_minute,
    projectEventsPerMinute: params.project_events_per_minute,
  });
}

export const protectionRoutes: readonly Route[] = [
  projectRoute({
    surface: 'api',
    method: 'GET',
    path: PATH,
    operationId: 'getProtection',
    summary: 'Read the effective scrubbing and rate limits',
    action: 'read_settings',
    responses,
    async handle({ deps, project }) {
      const own = (await deps.store.protection(project.id)) ?? NO_OVERRIDES;
      return { status: 200, body: presentProtection(deps.protection(project), own) };
    },
  }),
  projectRoute<PutProtection>({
    surface: 'api',
    method: 'PUT',
    path: PATH,
    operationId: 'putProtection',
    summary: 'Set stricter scrubbing and rate limits for the project; omitted members keep their values',
    action: 'update_settings',
    parameters: putProtectionSchema,
    responses,
    async handle({ deps, project, params }) {
      const own = await deps.store.saveProtection(project.id, patchOf(params));
      await deps.protectionSaved();
      return { status: 200, body: presentProtection(deps.protection(project), own) };
    },
  }),
];
