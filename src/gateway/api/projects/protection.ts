import type { FromSchema } from 'json-schema-to-ts';
import { protectionInForce } from '../../../domain/ingest/protection-in-force.ts';
import {
  distinctFields,
  NO_OVERRIDES,
  type ProtectionOverrides,
  type ProtectionOverridesPatch,
} from '../../../domain/ingest/protection-overrides.ts';
import { definedMembers } from '../../../lib/defined-members.ts';
import type { ParametersSchema } from '../../../schemas/parameters.ts';
import { problems } from '../../http/common-schema.ts';
import { objectSchema } from '../../http/object-schema.ts';
import { presenter } from '../../http/presenter.ts';
import { projectRoute, type ProjectCall, type Reply, type Route } from '../../http/route.ts';
import { protectionTarget } from './audit-targets.ts';

/** Maximum of names per project, which bounds storage and responses. A look-up costs the same for any number. */
const MAX_FIELDS = 100;
/** Maximum characters of a name; names in events are shorter. */
const MAX_FIELD_LENGTH = 100;
/**
 * Visible characters on one line without a comma, which separates names. Other names would never match, or would be
 * split.
 */
const FIELD_PATTERN = '^[^,\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]+$';
/** Events per minute, as in the configuration. To send none, disable the key or switch tracking off. */
const MIN_PER_MINUTE = 1;
const MAX_PER_MINUTE = 1e9;

const allowed = {
  title: 'Allowed',
  type: ['object', 'null'],
  description: 'null: no limit',
  properties: { per_minute: { type: 'integer' }, burst: { type: 'integer' } },
  required: ['per_minute', 'burst'],
  additionalProperties: false,
} as const;

const kinds = objectSchema({ title: 'AllowedKinds', properties: { events: allowed, sessions: allowed } });

const fields = { type: 'array', items: { type: 'string' } } as const;

const scrubbing = objectSchema({
  title: 'Scrubbing',
  properties: {
    enabled: { type: 'boolean' },
    scrub_ips: { type: 'boolean' },
    sensitive_fields: { ...fields, description: 'In addition to the built-in ones' },
    safe_fields: fields,
  },
});

const limits = objectSchema({
  title: 'Limits',
  properties: {
    key: kinds,
    project: kinds,
    instance: kinds,
    spike_guard: {
      type: ['object', 'null'],
      properties: { factor: { type: 'number' }, minimum_per_minute: { type: 'integer' } },
      required: ['factor', 'minimum_per_minute'],
      additionalProperties: false,
    },
  },
});

const rate = {
  type: ['integer', 'null'],
  description: 'Events per minute; null: only the configured limit applies',
} as const;

const protectionSchema = {
  title: 'Protection',
  description: 'Effective scrubbing and limits, and the settings they result from; the stricter setting applies',
  type: 'object',
  properties: {
    scrubbing,
    limits,
    own: objectSchema({
      description: 'Settings of the project',
      properties: {
        sensitive_fields: fields,
        scrub_ips: { type: 'boolean', description: 'false: the configured setting applies' },
        key_events_per_minute: rate,
        project_events_per_minute: rate,
      },
    }),
    configured: objectSchema({
      description: 'Settings of the instance in its configuration',
      properties: { scrubbing, limits },
    }),
  },
  required: ['scrubbing', 'limits', 'own', 'configured'],
  additionalProperties: false,
} as const;

const ownRate = (of: string, label: string) =>
  ({
    type: ['integer', 'null'],
    minimum: MIN_PER_MINUTE,
    maximum: MAX_PER_MINUTE,
    description: `Events per minute of ${of}; null: as configured`,
    'x-label': label,
  }) as const;

const putProtectionSchema = {
  type: 'object',
  properties: {
    sensitive_fields: {
      type: 'array',
      items: {
        type: 'string',
        maxLength: MAX_FIELD_LENGTH,
        pattern: FIELD_PATTERN,
        'x-expected': 'a name of visible characters without commas',
      },
      maxItems: MAX_FIELDS,
      description:
        'Names of fields whose values are also hidden, compared in full and case-insensitively; an empty list removes them',
      'x-label': 'Fields to hide',
    },
    scrub_ips: { type: 'boolean', description: 'true: remove IP addresses; false: use the configured setting' },
    key_events_per_minute: ownRate('each client key', 'Events of each key per minute'),
    project_events_per_minute: ownRate('the project, all keys together', 'Events of this project per minute'),
  },
  additionalProperties: false,
} as const satisfies ParametersSchema;

/** Absent members keep their value. */
type PutProtection = FromSchema<typeof putProtectionSchema>;

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
    audit: { event: 'protection_changed', target: protectionTarget },
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
