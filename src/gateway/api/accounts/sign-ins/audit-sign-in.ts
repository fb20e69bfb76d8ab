import { entityOfUser, targetOf } from '../../../../audit/shown-values.ts';
import type { UsedCode } from '../../../../auth/second-factor/second-factors.ts';
import { AppError } from '../../../../domain/app-error.ts';
import { INSTANCE } from '../../../../domain/audit/audit-event.ts';
import type { User } from '../../../../domain/projects/account.ts';
import type { Call } from '../../../http/route.ts';

type From = Pick<Call<unknown>, 'deps' | 'origin'>;

/** How a person signed in, beside a password. */
interface SignedInBy {
  readonly used?: UsedCode | null;
  /** Issuer of the provider at which it was, in place of a password. */
  readonly issuer?: string;
}

/** Writes a sign-in to the audit log. Before the session begins: none can begin that the log does not have. */
export function recordSignIn({ deps, origin }: From, user: User, { used = null, issuer }: SignedInBy): Promise<void> {
  const author = { id: user.id, name: user.username, address: origin.address };
  const target = targetOf('User', user.id, user.username);
  const way = issuer === undefined ? { method: 'password' } : { method: 'identity provider', provider: issuer };
  const after = { ...way, second_factor: used };
  return deps.auditTrail.record({ event: 'signed_in', author, entity: entityOfUser(user), target, after });
}

/**
 * Writes a refused sign-in, and throws its reason. A name that nobody has is left out: people type their password
 * there.
 */
export async function refusedSignIn({ deps, origin }: From, username: string, error: unknown): Promise<never> {
  if (!(error instanceof AppError)) throw error;
  const user = await deps.store.userByName(username).catch(() => null);
  const author = { id: null, name: 'nobody signed in', address: origin.address };
  const [entity, target] =
    user === null
      ? [INSTANCE, targetOf('User', null, 'unknown user name')]
      : [entityOfUser(user), targetOf('User', user.id, user.username)];
  await deps.auditTrail.refused({ event: 'sign_in_refused', author, entity, target }, error.code);
  throw error;
}
