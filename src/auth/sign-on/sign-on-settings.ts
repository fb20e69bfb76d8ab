import type { AccessLevelName } from '../../domain/projects/account.ts';

/** Path at which a sign-in begins. */
export const SIGN_ON_PATH = '/users/auth/oidc';
/** Path at which the provider sends the browser back; it is registered there. */
export const CALLBACK_PATH = `${SIGN_ON_PATH}/callback`;
/** Path at which the provider ends sessions; it is registered there. */
export const BACK_CHANNEL_PATH = `${SIGN_ON_PATH}/logout`;

/** Issuer at which everybody has an account. Its claim `hd` names the organization of an account that has one. */
export const GOOGLE = 'https://accounts.google.com';

/** Role in a group or project for the members of a group of the provider. */
export interface GroupRole {
  /** Group of the claim; a `*` at its end: all that begin so. */
  readonly group: string;
  /** Path of a group or project here, in any case. */
  readonly path: string;
  readonly role: AccessLevelName;
}

/** Configuration of sign-in with an OpenID Connect provider; see `config/sign-on-schema.ts`. */
export interface SignOnSettings {
  readonly issuer: string;
  readonly clientId: string;
  /** Null: a public client. */
  readonly clientSecret: string | null;
  /** Name on the button and in messages. */
  readonly name: string;
  readonly scopes: string;
  readonly groupsClaim: string;
  /** What an absent claim means; `auto`: no groups for providers that are known to leave out empty claims. */
  readonly absentGroups: 'auto' | 'keep' | 'none';
  readonly adminGroup: string | null;
  readonly groupRoles: readonly GroupRole[];
  readonly createAccounts: boolean;
  readonly emailDomains: readonly string[];
  readonly checkMinutes: number;
  readonly sessionHours: number;
}
