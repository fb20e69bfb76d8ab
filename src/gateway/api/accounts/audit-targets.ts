import { hidden } from '../../../audit/audit-values.ts';
import { tokenValues, userValues } from '../../../audit/shown-values.ts';
import { shownSessionId } from '../../../auth/session-id.ts';
import type { User } from '../../../domain/projects/account.ts';
import type { AuditedThing } from '../../http/audit/audit-rule.ts';
import { accountTarget, entityOfUser, idOrMade, projectTarget } from '../../http/audit/audit-targets.ts';
import type { AccountCall } from '../../http/route.ts';

/** The user of the path, or the one that was made. */
export const userTarget = accountTarget('User', async ({ deps, path }, made) => {
  const id = idOrMade(path.user_id, made);
  const user = id === null ? null : await deps.store.userById(id);
  if (user === null) return null;
  const values = { ...userValues(user), password: hidden(await deps.store.passwordHash(user.id)) };
  return { id: user.id, name: user.username, entity: entityOfUser(user), values };
});

/** The user who asks. */
export const ownUserTarget = accountTarget('User', async ({ deps, principal }) => {
  const user = await deps.store.userById(principal.user.id);
  return user === null ? null : { id: user.id, name: user.username, values: { email: user.email } };
});

/** Token of the path, or the one that was made. It belongs to its user. */
export const tokenTarget = accountTarget('Access token', async ({ deps, path }, made) => {
  const id = idOrMade(path.token_id, made);
  const token = id === null ? null : await deps.store.tokenById(id);
  const user = token === null ? null : await deps.store.userById(token.userId);
  return token === null || user === null
    ? null
    : { id, name: token.name, entity: entityOfUser(user), values: tokenValues(token) };
});

/** Token for build tools of a project, of the path or the one that was made. */
export const buildTokenTarget = projectTarget('Access token', async ({ deps, project, path }, made) => {
  const id = idOrMade(path.token_id, made);
  if (id === null || !(await deps.store.tokensOfProject(project.id)).includes(id)) return null;
  const token = await deps.store.tokenById(id);
  return token === null ? null : { id, name: token.name, values: tokenValues(token) };
});

/** Session of the path, by the name that lists show. */
export const sessionTarget = accountTarget('Session', async ({ deps, principal, path }) => {
  const { user } = principal;
  const id = path.session_id ?? '';
  const found = (await deps.webSessions.list(user.id)).find(({ hash }) => shownSessionId(hash) === id);
  if (found === undefined) return null;
  const { browser, address } = found;
  return { id, name: browser ?? 'unknown browser', entity: entityOfUser(user), values: { browser, address } };
});

/** Second factor of a user. Its secret and its codes stay out. */
async function secondFactorThing(call: AccountCall<unknown>, user: User): Promise<AuditedThing> {
  const { confirmedAt } = await call.deps.secondFactors.state(user.id);
  const { id, username: name } = user;
  return { id, name, entity: entityOfUser(user), values: { enabled: confirmedAt !== null } };
}

export const ownSecondFactorTarget = accountTarget('Second factor', (call) =>
  secondFactorThing(call, call.principal.user),
);

export const secondFactorTarget = accountTarget('Second factor', async (call) => {
  const id = idOrMade(call.path.user_id, null);
  const user = id === null ? null : await call.deps.store.userById(id);
  return user === null ? null : secondFactorThing(call, user);
});

/** Account at an identity provider, of the user of the path or the one who asks. */
export const identityTarget = accountTarget('Identity', async ({ deps, path, principal }) => {
  const userId = path.user_id === undefined ? principal.user.id : idOrMade(path.user_id, null);
  const user = userId === null ? null : await deps.store.userById(userId);
  const identities = user === null ? [] : await deps.store.identitiesOfUser(user.id);
  const found = identities.find(({ id }) => id === idOrMade(path.identity_id, null));
  if (user === null || found === undefined) return null;
  const { id, name, issuer: provider, subject } = found;
  return { id, name, entity: entityOfUser(user), values: { provider, extern_uid: subject, username: name } };
});
