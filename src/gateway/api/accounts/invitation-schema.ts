import { INVITATION_STATES } from '../../../domain/ports/invitations.ts';
import type { ParametersSchema } from '../../../schemas/parameters.ts';
import { nullableText, ONE_LINE, time } from '../../http/common-schema.ts';
import { objectSchema } from '../../http/object-schema.ts';

const path = { type: 'string', description: 'Path of the project or the group' } as const;
const kind = { enum: ['project', 'group'] } as const;

export const linkedInvitationSchema = objectSchema({
  title: 'LinkedInvitation',
  properties: {
    state: {
      enum: INVITATION_STATES,
      description:
        '`unknown`: withdrawn, replaced by a newer link, or not complete. `refused`: who invited may not give the role any more. `taking`: another request uses it.',
    },
    invitation: {
      anyOf: [
        objectSchema({
          properties: {
            kind,
            path,
            invite_email: { type: 'string' },
            access_level: { enum: [10, 20, 30, 40, 50] },
            invited_by: { ...nullableText, description: 'Name of who gave the role; null: an operator' },
            expires_at: time,
          },
        }),
        { type: 'null' },
      ],
      description: 'Only while it is `open`',
    },
  },
});

export const joinedSchema = objectSchema({ title: 'Joined', properties: { kind, path } });

export const signedUpSchema = objectSchema({
  title: 'SignedUp',
  properties: { kind, path, username: { type: 'string', description: 'Name to sign in with' } },
});

const token = { type: 'string', maxLength: 100, 'x-secret': true, description: 'Last part of the link' } as const;

export const tokenOfLinkSchema = {
  type: 'object',
  properties: { token },
  required: ['token'],
  additionalProperties: false,
} as const satisfies ParametersSchema;

export const signUpSchema = {
  type: 'object',
  properties: {
    token,
    username: { type: 'string', maxLength: 255, description: 'Letters, digits, "_", "." and "-"' },
    name: { type: 'string', maxLength: 255, pattern: ONE_LINE, description: 'Display name; default: the username' },
    password: { type: 'string', maxLength: 1024, description: '8 to 128 characters, not the username' },
  },
  required: ['token', 'username', 'password'],
  additionalProperties: false,
} as const satisfies ParametersSchema;
