import { mayUsePassword, type User } from '../../../domain/projects/account.ts';
import { AppError } from '../../../domain/app-error.ts';
import type { Identity } from '../../../domain/projects/identity.ts';
import { problems, problemSchema } from '../../http/common-schema.ts';
import { idOf } from '../../http/path-ids.ts';
import { accountRoute, type AccountCall, type Reply, type Route } from '../../http/route.ts';
import { endedCookie } from '../../http/session/session-cookie.ts';
import { identityTarget } from './audit-targets.ts';
import { userOf } from './user-lookup.ts';

const conflict = { 409: { description: 'The user could not sign in any more', schema: problemSchema } };

/** Throws `conflict` for an account without which its user could not sign in. */
function assertOtherWay({ deps }: AccountCall<unknown>, user: User, identities: readonly Identity[]): void {
  if (identities.length > 1 || mayUsePassword(user, deps.passwordSignIn)) return;
  throw new AppError(
    'conflict',
    'This is the only way to sign in to the account: an administrator must allow a password first.',
  );
}

async function disconnect(call: AccountCall<unknown>, user: User): Promise<Reply> {
  const { deps, path, session } = call;
  const identities = await deps.store.identitiesOfUser(user.id);
  const identity = identities.find(({ id }) => id === idOf(path.identity_id));
  if (identity === undefined) throw new AppError('not_found', 'there is no such account at an identity provider');
  assertOtherWay(call, user, identities);
  await deps.disconnectIdentity(user, identity);
  deps.webSessions.forget();
  const isOwn = session?.stored?.identityId === identity.id;
  return { status: 204, body: null, ...(isOwn && { headers: { 'Set-Cookie': endedCookie(deps.externalUrl()) } }) };
}

export const identityRoutes: readonly Route[] = [
  accountRoute({
    method: 'DELETE',
    path: '/api/v4/user/identities/:identity_id',
    operationId: 'disconnectIdentity',
    summary: 'Disconnect your account at an identity provider; its sessions and the roles by its groups end',
    action: 'manage_sessions',
    audit: { event: 'identity_disconnected', target: identityTarget },
    responses: { 204: { description: 'It is disconnected' }, ...problems, ...conflict },
    handle: (call) => disconnect(call, call.principal.user),
  }),
  accountRoute({
    method: 'DELETE',
    path: '/api/v4/users/:user_id/identities/:identity_id',
    operationId: 'disconnectIdentityOfUser',
    summary: 'Disconnect the account of a user at an identity provider; administrators only',
    action: 'manage_users',
    audit: { event: 'identity_disconnected', target: identityTarget },
    responses: { 204: { description: 'It is disconnected' }, ...problems, ...conflict },
    handle: async (call) => disconnect(call, await userOf(call)),
  }),
];
