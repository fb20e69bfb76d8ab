import type { FromSchema } from 'json-schema-to-ts';
import type { User } from '../../../domain/projects/account.ts';
import type { ParametersSchema } from '../../../schemas/parameters.ts';
import { nullableText, ONE_LINE, time } from '../../http/common-schema.ts';
import type { AccountDeps, GatewayStore } from '../../http/route-deps.ts';
import { objectSchema } from '../../http/object-schema.ts';
import { presenter } from '../../http/presenter.ts';

export const userSchema = objectSchema({
  title: 'User',
  properties: {
    id: { type: 'integer' },
    username: { type: 'string' },
    name: { type: 'string' },
    state: { enum: ['active', 'blocked'] },
    is_admin: { type: 'boolean' },
    email: { ...nullableText, description: 'Shown to the user and to administrators' },
    two_factor_enabled: { type: 'boolean', description: 'Whether sign-ins with the password ask for a second factor' },
    created_at: time,
  },
});

/** User with the accounts at identity providers, in the shape of the host with members of our own. */
export const fullUserSchema = objectSchema({
  title: 'FullUser',
  properties: {
    ...userSchema.properties,
    identities: {
      type: 'array',
      description: 'Accounts at identity providers with which the user signs in',
      items: objectSchema({
        title: 'Identity',
        properties: {
          id: { type: 'integer' },
          provider: { type: 'string', description: 'Issuer' },
          extern_uid: { type: 'string', description: 'Subject at the issuer' },
          username: { type: 'string', description: 'Name there at the last sign-in' },
          last_sign_in_at: { ...time, description: 'Last sign-in or check there' },
        },
      }),
    },
  },
});

export const usersSchema = { type: 'array', items: userSchema } as const;

export const newUserSchema = {
  ...userSchema,
  title: 'NewUser',
  properties: {
    ...userSchema.properties,
    password: { type: 'string', description: 'Only if it was generated; it is not shown again' },
  },
} as const;

const name = { type: 'string', maxLength: 255, pattern: ONE_LINE, description: 'Display name' } as const;
const admin = {
  type: 'boolean',
  description: 'Whether the user is an administrator, who may do everything in every project',
} as const;

const email = {
  type: 'string',
  maxLength: 254,
  description: 'E-mail address; an empty one removes it',
} as const;

const password = {
  type: 'string',
  maxLength: 1024,
  description: '8 to 128 characters; must be changed at the next sign-in',
} as const;

export const listUsersSchema = {
  type: 'object',
  properties: {
    username: { type: 'string', description: 'Only the user with this username, case-insensitive' },
    search: { type: 'string', description: 'Only users whose username or name contains this text, case-insensitive' },
  },
  additionalProperties: false,
} as const satisfies ParametersSchema;

export const createUserSchema = {
  type: 'object',
  properties: {
    username: { type: 'string', maxLength: 255, description: 'Letters, digits, "_", "." and "-"' },
    name,
    admin,
    email,
    password: { ...password, description: `${password.description}; if omitted, one is generated` },
  },
  required: ['username'],
  additionalProperties: false,
} as const satisfies ParametersSchema;

export const updateUserSchema = {
  type: 'object',
  properties: { name, admin, password, email },
  additionalProperties: false,
} as const satisfies ParametersSchema;

/** What people change about themselves. */
export const updateSelfSchema = {
  type: 'object',
  properties: { email },
  additionalProperties: false,
} as const satisfies ParametersSchema;

export type UpdateUser = FromSchema<typeof updateUserSchema>;

const present = presenter(userSchema);

/** Presents a user with what is stored about the second factor. */
export async function presentWithFactor(
  { secondFactors }: Pick<AccountDeps, 'secondFactors'>,
  user: User,
): Promise<ReturnType<typeof presentUser>> {
  return presentUser(user, (await secondFactors.state(user.id)).confirmedAt !== null);
}

export function presentUser(user: User, twoFactorEnabled: boolean) {
  return present({ ...user, twoFactorEnabled, state: user.blocked ? 'blocked' : 'active', isAdmin: user.admin });
}

const presentFull = presenter(fullUserSchema);

/** Presents a user with what is stored about the second factor and accounts at identity providers. */
export async function presentFullUser(
  deps: Pick<AccountDeps, 'secondFactors'> & { readonly store: Pick<GatewayStore, 'identitiesOfUser'> },
  user: User,
) {
  const [{ confirmedAt }, identities] = await Promise.all([
    deps.secondFactors.state(user.id),
    deps.store.identitiesOfUser(user.id),
  ]);
  return presentFull({
    ...{ ...user, twoFactorEnabled: confirmedAt !== null },
    ...{ state: user.blocked ? 'blocked' : 'active', isAdmin: user.admin },
    identities: identities.map(({ id, issuer, subject, name: username, signedInAt }) => ({
      ...{ id, provider: issuer, externUid: subject, username, lastSignInAt: signedInAt },
    })),
  });
}
