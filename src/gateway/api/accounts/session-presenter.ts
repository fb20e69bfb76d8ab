import { csrfTokenOf } from '../../../auth/session-id.ts';
import type { User } from '../../../domain/account.ts';
import type { CommonDeps } from '../../http/route-deps.ts';
import type { BrowserSession, RequestOrigin } from '../../http/route.ts';

type Installation = Pick<CommonDeps, 'version' | 'externalUrl' | 'integratedOffered'>;

/** Presents the data that a page needs first. `owner`: the user, when it is not the session's. */
export function presentSession(
  { version, externalUrl, integratedOffered }: Installation,
  { mayPostponePassword }: Pick<RequestOrigin, 'mayPostponePassword'>,
  session: BrowserSession | null,
  owner: User | null = session?.signedIn.user ?? null,
) {
  const mustChange = session?.signedIn.mustChangePassword ?? false;
  return {
    user: owner === null ? null : presentSelf(owner),
    csrf_token: session === null ? null : csrfTokenOf(session.id),
    must_change_password: mustChange,
    may_postpone: mustChange && mayPostponePassword,
    version,
    external_url: externalUrl(),
    integrated_offered: integratedOffered,
  };
}

function presentSelf({ id, username, name, admin }: User) {
  return { id, username, name, admin };
}
