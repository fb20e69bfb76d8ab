import type { AccessToken, TokenScope, User } from '../domain/projects/account.ts';

/** Authenticated caller of a request. A token limits the user's rights to its scopes. */
export interface Principal {
  readonly user: User;
  readonly scopes: readonly TokenScope[];
  /** Access token of the request; null when signed in with a browser. */
  readonly token: AccessToken | null;
  /** Ids of the only projects that the token is for; null: all projects of the user. */
  readonly onlyProjects: readonly number[] | null;
}
