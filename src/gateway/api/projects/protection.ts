import { protectionInForce } from '../../../domain/protection-in-force.ts';
import {
  distinctFields,
  NO_OVERRIDES,
  type ProtectionOverrides,
  type ProtectionOverridesPatch,
} from '../../../domain/protection-overrides.ts';
import { definedMembers } from '../../../lib/defined-members.ts';
import { problems } from '../../http/common-schema.ts';
import { presenter } from '../../http/presenter.ts';
import { projectRoute, type ProjectCall, type Reply, type Route } from '../../http/route.ts';
import { protectionSchema, putProtectionSchema, type PutProtection } from './protection-schema.ts';

const PATH = '/api/v4/projects/:id/error_tracking/protection';
const responses = { 200: { description: 'The effective settings', schema: protectionSchema }, ...problems };

const present = presenter(protectionSchema);

function reply({ deps, project }: ProjectCall<unknown>, own: ProtectionOverrides): Reply {
  const configured = deps.protection(project);
  return { status: 200, body: present({ ...protectionInForce(configured, own), own, configured }) };
}

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
    method: 'GET',
    path: PATH,
    operationId: 'getProtection',
    summary: 'Read the effective scrubbing and rate limits',
    action: 'read_settings',
    responses,
    handle: async (call) => reply(call, (await call.deps.store.protection(call.project.id)) ?? NO_OVERRIDES),
  }),
  projectRoute({
    method: 'PUT',
    path: PATH,
    operationId: 'putProtection',
    summary: 'Set stricter scrubbing and rate limits for the project; omitted members keep their values',
    action: 'update_settings',
    parameters: putProtectionSchema,
    responses,
    async handle(call) {
      const { deps, project, params } = call;
      const own = await deps.store.saveProtection(project.id, patchOf(params));
      await deps.protectionSaved();
      return reply(call, own);
    },
  }),
];
