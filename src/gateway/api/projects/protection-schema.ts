import type { FromSchema } from 'json-schema-to-ts';
import type { ParametersSchema } from '../../../schemas/parameters.ts';
import { objectSchema } from '../../http/object-schema.ts';

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

export const protectionSchema = {
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

export const putProtectionSchema = {
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
export type PutProtection = FromSchema<typeof putProtectionSchema>;
