import type { AccessToken, TokenScope, User } from '../domain/account.ts';

/** Who makes a request. Of a token, the person's rights are cut down to its scopes. */
export interface Principal {
  readonly user: User;
  readonly scopes: readonly TokenScope[];
  /** Null: signed in with a browser. */
  readonly token: AccessToken | null;
}
