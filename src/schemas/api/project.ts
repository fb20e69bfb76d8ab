import type { FromSchema } from 'json-schema-to-ts';
import type { ParametersSchema } from '../parameters.ts';
import { nullableText, time } from './common.ts';

export const projectSchema = {
  title: 'Project',
  type: 'object',
  properties: {
    id: { type: 'integer' },
    description: nullableText,
    name: { type: 'string' },
    name_with_namespace: { type: 'string' },
    path: { type: 'string' },
    path_with_namespace: { type: 'string' },
    created_at: time,
    web_url: { type: 'string' },
    visibility: { enum: ['private', 'public'] },
    monitor_access_level: { enum: ['enabled', 'disabled'] },
  },
  required: [
    'id',
    'description',
    'name',
    'name_with_namespace',
    'path',
    'path_with_namespace',
    'created_at',
    'web_url',
    'visibility',
    'monitor_access_level',
  ],
  additionalProperties: false,
} as const;

export const acceptedSchema = {
  title: 'Accepted',
  type: 'object',
  properties: { message: { enum: ['202 Accepted'] } },
  required: ['message'],
  additionalProperties: false,
} as const;

export const projectsSchema = { type: 'array', items: projectSchema } as const;

const path = { type: 'string', maxLength: 255, description: 'Full path, `group/name` or deeper' } as const;
const name = { type: 'string', maxLength: 255, description: 'The name that is displayed' } as const;
const visibility = {
  type: 'string',
  enum: ['private', 'public'],
  description: 'public: people who are no members get 403 instead of 404; grants nothing',
} as const;
const monitor_access_level = {
  type: 'string',
  enum: ['enabled', 'disabled'],
  description: 'Whether the Monitor feature is there: off hides errors, ingestion goes on',
} as const;

export const createProjectSchema = {
  type: 'object',
  properties: {
    path: { ...path, description: 'Full path, `group/name` or deeper; beside `namespace_path` its last part' },
    name: { ...name, description: 'The name that is displayed; without `path` that is made of it' },
    namespace_path: { type: 'string', maxLength: 255, description: 'The group, `group` or `group/subgroup`' },
    namespace_id: { type: 'integer', description: 'Refused: groups have no numbers here' },
    visibility,
    monitor_access_level,
  },
  additionalProperties: false,
} as const satisfies ParametersSchema;

export type CreateProject = FromSchema<typeof createProjectSchema>;

export const updateProjectSchema = {
  type: 'object',
  properties: { name, path, visibility, monitor_access_level },
  additionalProperties: false,
} as const satisfies ParametersSchema;

export type UpdateProject = FromSchema<typeof updateProjectSchema>;
