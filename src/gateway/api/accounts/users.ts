import { assertGoodPassword } from '../../../auth/password-rules.ts';
import { generatePassword, hashPassword } from '../../../auth/password.ts';
import { isLastAdministrator, type User, type UserPatch } from '../../../domain/projects/account.ts';
import { AppError } from '../../../domain/app-error.ts';
import { usernameProblem } from '../../../domain/names.ts';
import { definedMembers } from '../../../lib/defined-members.ts';
import { problems, problemSchema } from '../../http/common-schema.ts';
import { offsetPage } from '../../http/page-links.ts';
import { accountRoute, type AccountCall, type Route } from '../../http/route.ts';
import { userTarget } from './audit-targets.ts';
import { emailParameter } from './email-parameter.ts';
import { userOf } from './user-lookup.ts';
import {
  createUserSchema,
  fullUserSchema,
  listUsersSchema,
  newUserSchema,
  updateUserSchema,
  userSchema,
  usersSchema,
  presentFullUser,
  presentUser,
  presentWithFactor,
  type UpdateUser,
} from './user-schema.ts';

const PATH = '/api/v4/users';
const conflict = {
  409: { description: 'The username is taken, or no administrator would be left', schema: problemSchema },
};

/** Throws `conflict` for the last administrator. Without one, access can be restored only on the machine itself. */
async function assertOtherAdministrator({ deps }: AccountCall<unknown>, user: User): Promise<void> {
  if (isLastAdministrator(user, await deps.store.listUsers())) {
    throw new AppError(
      'conflict',
      `${user.username} is the last administrator who is not blocked: make another one first.`,
    );
  }
}

/** Blocks or unblocks a user. Both end the user's sessions, so cached ones are dropped. */
async function setBlocked(call: AccountCall<unknown>, blocked: boolean) {
  const user = await userOf(call);
  if (blocked && user.id === call.principal.user.id) throw new AppError('forbidden', 'you cannot block yourself');
  if (blocked) await assertOtherAdministrator(call, user);
  await call.deps.store.setUserBlocked(user.id, blocked);
  call.deps.webSessions.forget();
  return { status: 201, body: true };
}

async function changeUser(call: AccountCall<UpdateUser>) {
  const { deps, params, principal } = call;
  const user = await userOf(call);
  const { password, email: asked, ...rest } = params;
  const email = emailParameter(call, asked);
  if (rest.admin === false) await assertOtherAdministrator(call, user);
  if (password !== undefined) {
    if (user.id === principal.user.id) {
      throw new AppError(
        'bad_request',
        'Change your own password on your profile page, which asks for the current one.',
      );
    }
    await assertGoodPassword(password, user.username);
    await deps.store.setPasswordHash(user.id, await hashPassword(password), true);
  }
  // An administrator vouches for the address.
  const emailConfirmed = email === undefined ? undefined : email !== null;
  const patch: UserPatch = definedMembers({ ...rest, email, emailConfirmed });
  const updated = await deps.store.updateUser(user.id, patch);
  deps.webSessions.forget();
  if (updated === null) throw new AppError('not_found', 'the user was removed in the meantime');
  return { status: 200, body: await presentWithFactor(deps, updated) };
}

export const userRoutes: readonly Route[] = [
  accountRoute({
    method: 'GET',
    path: PATH,
    operationId: 'listUsers',
    summary: 'List users, paged by page and per_page; administrators only',
    action: 'read_users',
    parameters: listUsersSchema,
    pagedByOffset: true,
    responses: { 200: { description: 'One page of users, by id', schema: usersSchema }, ...problems },
    async handle(call) {
      const { username, search } = call.params;
      const [exact, part] = [username?.toLowerCase(), search?.toLowerCase()];
      const users = (await call.deps.store.listUsers()).filter((user) => {
        const [own, displayed] = [user.username.toLowerCase(), user.name.toLowerCase()];
        return (
          (exact === undefined || own === exact) &&
          (part === undefined || own.includes(part) || displayed.includes(part))
        );
      });
      const { items, headers } = offsetPage(call, users);
      const withFactor = await call.deps.secondFactors.users();
      return { status: 200, headers, body: items.map((user) => presentUser(user, withFactor.has(user.id))) };
    },
  }),
  accountRoute({
    method: 'GET',
    path: `${PATH}/:user_id`,
    operationId: 'getUserById',
    summary: 'Read one user; administrators only',
    action: 'read_users',
    responses: { 200: { description: 'The user', schema: fullUserSchema }, ...problems },
    handle: async (call) => ({ status: 200, body: await presentFullUser(call.deps, await userOf(call)) }),
  }),
  accountRoute({
    method: 'POST',
    path: PATH,
    operationId: 'createUser',
    summary: 'Create a user; the password must be changed at the first sign-in',
    action: 'manage_users',
    audit: { event: 'user_created', target: userTarget },
    parameters: createUserSchema,
    responses: { 201: { description: 'The user', schema: newUserSchema }, ...problems, ...conflict },
    async handle(call) {
      const { deps, params } = call;
      const { username, name = username, admin = false, password = generatePassword() } = params;
      const problem = usernameProblem(username);
      if (problem !== null) throw new AppError('invalid_parameter', `username is invalid: ${problem}`);
      await assertGoodPassword(password, username);
      const passwordHash = await hashPassword(password);
      const email = emailParameter(call, params.email) ?? null;
      const user = await deps.store.createUser({
        username,
        name,
        admin,
        passwordHash,
        mustChangePassword: true,
        email,
        emailConfirmed: email !== null,
      });
      const shown = params.password === undefined ? { password } : {};
      return { status: 201, headers: { 'Cache-Control': 'no-store' }, body: { ...presentUser(user, false), ...shown } };
    },
  }),
  accountRoute({
    method: 'PUT',
    path: `${PATH}/:user_id`,
    operationId: 'updateUser',
    summary: 'Change the name, the rights, the e-mail address or the password of a user',
    action: 'manage_users',
    audit: { event: 'user_changed', target: userTarget },
    parameters: updateUserSchema,
    responses: { 200: { description: 'The updated user', schema: userSchema }, ...problems, ...conflict },
    handle: changeUser,
  }),
  accountRoute({
    method: 'POST',
    path: `${PATH}/:user_id/block`,
    operationId: 'blockUser',
    summary: 'Block a user: tokens, sessions and password stop working',
    action: 'manage_users',
    audit: { event: 'user_blocked', target: userTarget },
    responses: { 201: { description: 'The user is blocked', schema: { type: 'boolean' } }, ...problems, ...conflict },
    handle: (call) => setBlocked(call, true),
  }),
  accountRoute({
    method: 'POST',
    path: `${PATH}/:user_id/unblock`,
    operationId: 'unblockUser',
    summary: 'Unblock a user',
    action: 'manage_users',
    audit: { event: 'user_unblocked', target: userTarget },
    responses: { 201: { description: 'The user is no longer blocked', schema: { type: 'boolean' } }, ...problems },
    handle: (call) => setBlocked(call, false),
  }),
];
