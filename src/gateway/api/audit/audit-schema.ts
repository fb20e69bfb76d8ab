import type { FromSchema } from 'json-schema-to-ts';
import { AUDIT_ENTITIES, AUDIT_OUTCOMES } from '../../../domain/audit/audit-event.ts';
import { AUDIT_EVENTS } from '../../../domain/audit/audit-events.ts';
import type { ParametersSchema } from '../../../schemas/parameters.ts';
import { nullableText, time } from '../../http/common-schema.ts';
import { cursor, perPage } from '../shared/error-filters-schema.ts';

const changeSchema = {
  title: 'AuditChange',
  type: 'object',
  properties: {
    name: { type: 'string' },
    from: { ...nullableText, description: 'null: there was none; `(hidden)`: a secret' },
    to: { ...nullableText, description: 'null: there is none' },
  },
  required: ['name', 'from', 'to'],
  additionalProperties: false,
} as const;

const detailsSchema = {
  title: 'AuditDetails',
  type: 'object',
  properties: {
    author_name: { type: 'string', description: 'User name at that time, or what acted, such as a command' },
    ip_address: { ...nullableText, description: 'null: unknown, or a command on the machine' },
    entity_path: { type: 'string', description: 'Path or user name at that time; empty for the instance' },
    target_type: { type: 'string' },
    target_id: nullableText,
    target_details: { type: 'string', description: 'Name of what was changed' },
    outcome: {
      enum: AUDIT_OUTCOMES,
      description:
        'started: written before the change, and the process ended before it knew whether it was made; failed: it was not made, or not all of it; refused: the person may not do it',
    },
    changes: { type: 'array', items: changeSchema, description: 'Values before and after, at most 100' },
    change: { type: 'string', description: 'Name of the value, where exactly one was changed' },
    from: { ...nullableText, description: 'Its value before' },
    to: { ...nullableText, description: 'Its value after' },
    token_id: { type: 'integer', description: 'Access token of the request; absent: none' },
    code: { type: 'string', description: 'Why a change failed or was refused' },
    left_out: { type: 'integer', description: 'Number of refusals that have no event of their own' },
  },
  required: [
    ...(['author_name', 'ip_address', 'entity_path', 'target_type', 'target_id', 'target_details'] as const),
    ...(['outcome', 'changes'] as const),
  ],
  additionalProperties: false,
} as const;

export const auditEventSchema = {
  title: 'AuditEvent',
  type: 'object',
  properties: {
    id: { type: 'integer' },
    author_id: { type: 'integer', description: '-1: no user' },
    entity_id: { type: ['integer', 'null'], description: 'null: the instance' },
    entity_type: { enum: AUDIT_ENTITIES },
    event_name: { enum: AUDIT_EVENTS },
    details: detailsSchema,
    created_at: time,
  },
  required: ['id', 'author_id', 'entity_id', 'entity_type', 'event_name', 'details', 'created_at'],
  additionalProperties: false,
} as const;

export const auditEventsSchema = { type: 'array', items: auditEventSchema } as const;

const filters = {
  created_after: { type: 'string', format: 'date-time', description: 'Only events at this time or later' },
  created_before: { type: 'string', format: 'date-time', description: 'Only events at this time or earlier' },
  author_id: { type: 'integer', description: 'Only events by this user' },
  event_name: { type: 'string', enum: AUDIT_EVENTS, description: 'Only events of this name' },
  outcome: { type: 'string', enum: AUDIT_OUTCOMES, description: 'Only events with this outcome' },
} as const;

const ofInstance = {
  entity_type: { type: 'string', enum: AUDIT_ENTITIES, description: 'With entity_id: only events of this entity' },
  entity_id: { type: 'integer', minimum: 1, description: 'Id of a project, a group or a user' },
} as const;

const bom = {
  type: 'boolean',
  description: 'Begin with a byte order mark, by which spreadsheets recognise UTF-8',
} as const;

const paged = { per_page: perPage, cursor } as const;

export const listAuditEventsSchema = {
  type: 'object',
  properties: { ...filters, ...paged },
  required: ['per_page'],
  additionalProperties: false,
} as const satisfies ParametersSchema;

export const listInstanceAuditEventsSchema = {
  type: 'object',
  properties: { ...ofInstance, ...filters, ...paged },
  required: ['per_page'],
  additionalProperties: false,
} as const satisfies ParametersSchema;

export const exportAuditEventsSchema = {
  type: 'object',
  properties: { ...filters, bom },
  additionalProperties: false,
} as const satisfies ParametersSchema;

export const exportInstanceAuditEventsSchema = {
  type: 'object',
  properties: { ...ofInstance, ...filters, bom },
  additionalProperties: false,
} as const satisfies ParametersSchema;

export type AuditFilters = Omit<FromSchema<typeof exportInstanceAuditEventsSchema>, 'bom'>;
