import type { FromSchema } from 'json-schema-to-ts';
import { compileSchema } from '../compile.ts';
import { thirdpartyId } from './issue.ts';

const nullableText = { type: ['string', 'null'] } as const;

const organization = {
  type: 'object',
  required: ['slug'],
  properties: { id: { type: ['string', 'integer', 'null'] }, slug: { type: 'string' }, name: nullableText },
  additionalProperties: true,
} as const;

export const thirdpartyProjectSchema = {
  type: 'object',
  required: ['id', 'name', 'slug'],
  properties: {
    id: thirdpartyId,
    name: { type: 'string' },
    slug: { type: 'string' },
    /** Absent below the route of an organization; some trackers send only the slug. */
    organization: { anyOf: [organization, nullableText] },
    status: { anyOf: [nullableText, { type: 'object', additionalProperties: true }] },
  },
  additionalProperties: true,
} as const;

export type ThirdpartyProject = FromSchema<typeof thirdpartyProjectSchema>;

export const isThirdpartyProject = compileSchema<ThirdpartyProject>(thirdpartyProjectSchema);

export type ThirdpartyOrganization = FromSchema<typeof organization>;

export const isThirdpartyOrganization = compileSchema<ThirdpartyOrganization>(organization);
