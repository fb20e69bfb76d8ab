import {
  DEFAULT_ALERT_MODES,
  DEFAULT_TRACKING,
  DEFAULT_VISIBILITIES,
} from '../../../domain/projects/group-defaults.ts';
import type { ParametersSchema } from '../../../schemas/parameters.ts';
import { nullableText, nullableTime, ONE_LINE } from '../../http/common-schema.ts';
import { objectSchema } from '../../http/object-schema.ts';

const nullableId = { type: ['integer', 'null'] } as const;

export const groupSchema = objectSchema({
  title: 'Group',
  properties: {
    id: { ...nullableId, description: 'null: the group was never made; it is there because it has projects' },
    name: { type: 'string' },
    path: { type: 'string', description: 'Last part of the full path' },
    full_path: { type: 'string' },
    full_name: { type: 'string' },
    description: nullableText,
    visibility: { enum: ['private'] },
    default_visibility: { enum: DEFAULT_VISIBILITIES },
    default_error_tracking: { enum: DEFAULT_TRACKING },
    default_alerts: { enum: DEFAULT_ALERT_MODES },
    parent_id: nullableId,
    web_url: { type: 'string' },
    created_at: nullableTime,
    access_level: {
      enum: [10, 20, 30, 40, 50, null],
      description: 'Your highest role in the group and the groups above; null: none, or administrator',
    },
  },
});

export const groupsSchema = { type: 'array', items: groupSchema } as const;

const INHERIT = 'inherit: as the group above says';

/** What new projects begin with, by the name of the parameter. */
const defaults = {
  default_visibility: {
    type: 'string',
    enum: DEFAULT_VISIBILITIES,
    description: `Visibility of new projects; ${INHERIT}, else private`,
  },
  default_error_tracking: {
    type: 'string',
    enum: DEFAULT_TRACKING,
    description: `Whether new projects take events at once; ${INHERIT}, else disabled`,
  },
  default_alerts: {
    type: 'string',
    enum: DEFAULT_ALERT_MODES,
    description: `How the first alert rule of new projects reports; ${INHERIT}, else now`,
  },
} as const;

const name = { type: 'string', minLength: 1, maxLength: 255, pattern: ONE_LINE, description: 'Display name' } as const;
const path = { type: 'string', maxLength: 255, description: 'Last part of the full path' } as const;
const description = { type: 'string', maxLength: 500, description: 'What the group is about' } as const;

export const listGroupsSchema = {
  type: 'object',
  properties: {
    search: { type: 'string', maxLength: 255, description: 'Part of the name or the path, in any case' },
    min_access_level: { type: 'integer', description: 'Only groups in which you have at least this role' },
  },
  additionalProperties: false,
} as const satisfies ParametersSchema;

export const createGroupSchema = {
  type: 'object',
  properties: {
    name,
    path,
    description,
    parent_id: { type: 'integer', description: 'Id of the group above' },
    parent_path: { type: 'string', maxLength: 255, description: 'Full path of the group above, in place of its id' },
  },
  required: ['name', 'path'],
  additionalProperties: false,
} as const satisfies ParametersSchema;

export const updateGroupSchema = {
  type: 'object',
  properties: {
    name,
    path,
    description,
    full_path: { type: 'string', maxLength: 255, description: 'Moves the group to this path, in place of `path`' },
    ...defaults,
  },
  additionalProperties: false,
} as const satisfies ParametersSchema;

export const groupProjectsSchema = {
  type: 'object',
  properties: {
    include_subgroups: { type: 'boolean', description: 'Also projects of groups below; default false' },
  },
  additionalProperties: false,
} as const satisfies ParametersSchema;
