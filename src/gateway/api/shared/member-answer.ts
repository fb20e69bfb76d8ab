import type { FromSchema } from 'json-schema-to-ts';
import type { Principal } from '../../../auth/principal.ts';
import { AppError } from '../../../domain/app-error.ts';
import { ACCESS_LEVELS, type AccessLevel, type User } from '../../../domain/projects/account.ts';
import type { GroupMember } from '../../../domain/projects/group.ts';
import { presenter } from '../../http/presenter.ts';
import type { GatewayStore } from '../../http/route-deps.ts';
import type { ParametersSchema } from '../../../schemas/parameters.ts';
import { objectSchema } from '../../http/object-schema.ts';

const levels = { enum: [10, 20, 30, 40, 50] } as const;

const properties = {
  id: { type: 'integer', description: 'Id of the user' },
  username: { type: 'string' },
  name: { type: 'string' },
  state: { enum: ['active', 'blocked'] },
  access_level: levels,
} as const;

export const memberSchema = objectSchema({ title: 'Member', properties });

export const membersSchema = { type: 'array', items: memberSchema } as const;

const originSchema = objectSchema({
  title: 'RoleOrigin',
  properties: {
    kind: {
      enum: ['project', 'group', 'identity_provider'],
      description: 'A membership of the project itself or of a group, or a group of the identity provider',
    },
    path: { type: 'string', description: 'Full path of the project or the group' },
    access_level: levels,
  },
});

/** Member with all roles that the user has, of which the highest counts. */
export const memberWithOriginsSchema = objectSchema({
  title: 'MemberWithOrigins',
  properties: {
    ...properties,
    origins: { type: 'array', items: originSchema, description: 'Where the role comes from, the highest first' },
  },
});

export const membersWithOriginsSchema = { type: 'array', items: memberWithOriginsSchema } as const;

const access_level = {
  type: 'integer',
  description: '10 Guest, 20 Reporter, 30 Developer, 40 Maintainer, 50 Owner',
} as const;

export const addMemberSchema = {
  type: 'object',
  properties: {
    user_id: { type: 'integer', description: 'Id of the user; required without username' },
    username: { type: 'string', maxLength: 255, description: 'Username, case-insensitive; required without user_id' },
    access_level,
  },
  required: ['access_level'],
  additionalProperties: false,
} as const satisfies ParametersSchema;

export type AddMember = FromSchema<typeof addMemberSchema>;

export const updateMemberSchema = {
  type: 'object',
  properties: { access_level },
  required: ['access_level'],
  additionalProperties: false,
} as const satisfies ParametersSchema;

const present = presenter(memberSchema);
const presentOrigins = presenter(memberWithOriginsSchema);

const answerOf = (member: GroupMember) => ({
  ...member,
  id: member.userId,
  state: member.blocked ? ('blocked' as const) : ('active' as const),
});

export function presentMember(member: GroupMember) {
  return present(answerOf(member));
}

export function presentMemberWithOrigins(member: GroupMember) {
  return presentOrigins(answerOf(member));
}

/** Throws `invalid_parameter` for a number that is no role. */
export function levelOf(value: number): AccessLevel {
  const known = Object.values(ACCESS_LEVELS);
  const level = known.find((each) => each === value);
  if (level !== undefined) return level;
  throw new AppError('invalid_parameter', `access_level does not have a valid value: use one of ${known.join(' | ')}`);
}

/**
 * Throws `conflict` when users give themselves a role that they do not have by a membership of the project or group
 * itself: one by a group above would outlast that group's membership. Administrators may. `has`: 0 without membership.
 */
export function assertGivesOthers({ user: caller }: Principal, userId: number, level: number, has = 0): void {
  if (caller.admin || caller.id !== userId || level <= has) return;
  throw new AppError('conflict', 'You cannot give a role to yourself: ask another member or an administrator');
}

/** Returns the user that a new membership names. Throws `not_found`, and `invalid_parameter` without a name. */
export async function userToAdd(
  store: Pick<GatewayStore, 'userById' | 'userByName'>,
  { user_id: id, username }: AddMember,
): Promise<User> {
  if (id === undefined && username === undefined) {
    throw new AppError('invalid_parameter', 'user_id, username are missing, exactly one parameter must be provided');
  }
  const user = id === undefined ? await store.userByName(username ?? '') : await store.userById(id);
  if (user === null) throw new AppError('not_found', 'there is no such user');
  return user;
}
