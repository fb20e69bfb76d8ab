import type { ParametersSchema } from '../../../schemas/parameters.ts';
import { nullableText, nullableTime, time } from '../../http/common-schema.ts';
import { objectSchema } from '../../http/object-schema.ts';

/** Maximum addresses of one request, as at the host. */
const MAX_ADDRESSES = 100;

export const invitationSchema = objectSchema({
  title: 'Invitation',
  properties: {
    id: { type: 'integer' },
    invite_email: { type: 'string', description: 'E-mail address, in lower case' },
    access_level: { enum: [10, 20, 30, 40, 50] },
    created_at: time,
    expires_at: { ...time, description: 'Time at which the link stops working' },
    created_by_name: { ...nullableText, description: 'Name of who gave the role; null: an operator' },
    can_be_mailed: { type: 'boolean', description: 'Whether mail is configured' },
    sent_at: { ...nullableTime, description: 'Time of the last mail; null: none was sent' },
  },
});

export const invitationsSchema = { type: 'array', items: invitationSchema } as const;

export const linkSchema = objectSchema({
  title: 'InvitationLink',
  properties: {
    invite_email: { type: 'string' },
    url: { type: 'string', description: 'Address to give to the person. It is not shown again.' },
  },
});

/** Answer of the host for several addresses. */
export const invitedSchema = {
  title: 'Invited',
  type: 'object',
  properties: {
    status: { enum: ['success', 'error'], description: '`error`: for some of the addresses' },
    message: {
      type: 'object',
      description: 'Reason per address; only with `error`',
      additionalProperties: { type: 'string' },
    },
    links: {
      type: 'array',
      description: 'Links of the new invitations; only where mail is not configured',
      items: linkSchema,
    },
  },
  required: ['status'],
  additionalProperties: false,
} as const;

const access_level = {
  type: 'integer',
  description: '10 Guest, 20 Reporter, 30 Developer, 40 Maintainer, 50 Owner',
} as const;

const expires_at = {
  type: 'string',
  maxLength: 40,
  description: 'Day at whose end (UTC) the link stops working, at most 90 days from now; default: a week from now',
} as const;

export const inviteSchema = {
  type: 'object',
  properties: {
    email: {
      type: 'array',
      items: { type: 'string', maxLength: 254 },
      maxItems: MAX_ADDRESSES,
      description: 'E-mail addresses, at most 100: a list, or a text with commas',
    },
    access_level,
    expires_at,
  },
  required: ['email', 'access_level'],
  additionalProperties: false,
} as const satisfies ParametersSchema;

export const listInvitationsSchema = {
  type: 'object',
  properties: {
    query: { type: 'string', maxLength: 254, description: 'Only addresses that contain this text, case-insensitive' },
  },
  additionalProperties: false,
} as const satisfies ParametersSchema;

export const updateInvitationSchema = {
  type: 'object',
  properties: { access_level, expires_at },
  additionalProperties: false,
} as const satisfies ParametersSchema;
