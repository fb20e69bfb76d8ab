import type { FromSchema } from 'json-schema-to-ts';
import type { ParametersSchema } from '../../../schemas/parameters.ts';
import { nullableText, time } from '../../http/common-schema.ts';
import { objectSchema } from '../../http/object-schema.ts';
import { presenter } from '../../http/presenter.ts';

export const sessionSchema = objectSchema({
  title: 'Session',
  properties: {
    user: {
      type: ['object', 'null'],
      description: 'The signed-in user; null: no user is signed in',
      properties: {
        id: { type: 'integer' },
        username: { type: 'string' },
        name: { type: 'string' },
        admin: { type: 'boolean' },
      },
      required: ['id', 'username', 'name', 'admin'],
      additionalProperties: false,
    },
    csrf_token: {
      ...nullableText,
      description: 'Value of the header X-CSRF-Token for all methods except GET and HEAD',
    },
    must_change_password: {
      type: 'boolean',
      description: 'Whether the user must choose a new password, because someone else set the current one',
    },
    may_postpone: {
      type: 'boolean',
      description: 'Whether the user may change the password later and use everything until then',
    },
    second_factor_challenge: {
      ...nullableText,
      description:
        'Only after the right password of somebody with a second factor, who is not signed in yet: send it with a code to /-/session/second_factor within five minutes',
    },
    must_set_up_second_factor: {
      type: 'boolean',
      description: 'Whether the user must set up a second factor before anything else',
    },
    proxy: {
      enum: ['signed_in', 'refused', null],
      description:
        'Whether the proxy in front of errgate names the user; refused: it names nobody who has an account and is not blocked; null: it names nobody',
    },
    version: { type: 'string' },
    external_url: { type: 'string' },
    password_sign_in: {
      type: 'boolean',
      description: 'Whether people sign in with passwords; else only those whom an operator allowed it',
    },
    sign_in_with: { ...nullableText, description: 'Name of the identity provider; null: none is configured' },
    own_password: { type: 'boolean', description: 'Whether the signed-in user may sign in with a password' },
    integrated_offered: { type: 'boolean', description: 'Whether projects can use the integrated backend' },
  },
});

/** Session in the list of its user. */
export const listedSessionSchema = objectSchema({
  title: 'ListedSession',
  properties: {
    id: { type: 'string', description: 'Names the session in `DELETE`; nobody can use a session by it' },
    current: { type: 'boolean', description: 'Whether this request uses the session; false for all with a token' },
    user_agent: { ...nullableText, description: 'What the browser called itself when signing in; null: nothing' },
    ip_address: { ...nullableText, description: 'Address of the last use; null: not known' },
    created_at: { ...time, description: 'Time of signing in' },
    last_used_at: { ...time, description: 'Time of the last use, up to a minute late' },
    expires_at: { ...time, description: 'Time at which the browser has to sign in again in any case' },
  },
});

export const listedSessionsSchema = { type: 'array', items: listedSessionSchema } as const;

export const elsewhereSchema = objectSchema({
  title: 'AtIdentityProvider',
  properties: { url: { type: 'string', description: 'Address of the identity provider' } },
});

export const presentElsewhere = presenter(elsewhereSchema);

const MAX_TEXT = 1024;

export const signInSchema = {
  type: 'object',
  properties: {
    username: { type: 'string', maxLength: MAX_TEXT, description: 'Username, case-insensitive' },
    password: { type: 'string', maxLength: MAX_TEXT, description: 'Password' },
  },
  required: ['username', 'password'],
  additionalProperties: false,
} as const satisfies ParametersSchema;

export type SignIn = FromSchema<typeof signInSchema>;

export const finishSignInSchema = {
  type: 'object',
  properties: {
    challenge: { type: 'string', maxLength: MAX_TEXT, description: '`second_factor_challenge` of the sign-in' },
    code: { type: 'string', maxLength: 100, description: 'Code of the authenticator app, or a recovery code' },
  },
  required: ['challenge', 'code'],
  additionalProperties: false,
} as const satisfies ParametersSchema;

export type FinishSignIn = FromSchema<typeof finishSignInSchema>;

export const endSessionsSchema = {
  type: 'object',
  properties: {
    others: {
      type: 'boolean',
      description: 'Ends all other sessions only; this browser gets a new one, with a new cookie and CSRF token',
    },
  },
  additionalProperties: false,
} as const satisfies ParametersSchema;

export const changePasswordSchema = {
  type: 'object',
  properties: {
    current_password: { type: 'string', maxLength: MAX_TEXT, description: 'Current password' },
    password: {
      type: 'string',
      maxLength: MAX_TEXT,
      description: 'New password: 8 to 128 characters, not the username',
    },
  },
  required: ['current_password', 'password'],
  additionalProperties: false,
} as const satisfies ParametersSchema;
