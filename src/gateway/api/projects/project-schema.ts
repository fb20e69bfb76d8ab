import type { ParametersSchema } from '../../../schemas/parameters.ts';
import { ONE_LINE } from '../../http/common-schema.ts';

const path = { type: 'string', maxLength: 255, description: 'Full path, `group/name` or deeper' } as const;
const name = { type: 'string', maxLength: 255, pattern: ONE_LINE, description: 'Display name' } as const;
const visibility = {
  type: 'string',
  enum: ['private', 'public'],
  description: 'public: users who are not members get 403 instead of 404; it grants no access',
} as const;

const monitor_access_level = {
  type: 'string',
  enum: ['enabled', 'disabled'],
  description: 'Whether the Monitor feature is enabled; disabled hides errors, but events are still accepted',
} as const;

export const createProjectSchema = {
  type: 'object',
  properties: {
    path: {
      ...path,
      description: 'Full path, `group/name` or deeper; together with `namespace_path` only its last part',
    },
    name: { ...name, description: 'Display name; the path is derived from it if `path` is omitted' },
    namespace_path: { type: 'string', maxLength: 255, description: 'Path of the group, `group` or `group/subgroup`' },
    namespace_id: { type: 'integer', description: 'Id of a group that was made, in place of `namespace_path`' },
    visibility,
    monitor_access_level,
  },
  additionalProperties: false,
} as const satisfies ParametersSchema;

export const updateProjectSchema = {
  type: 'object',
  properties: { name, path, visibility, monitor_access_level },
  additionalProperties: false,
} as const satisfies ParametersSchema;
