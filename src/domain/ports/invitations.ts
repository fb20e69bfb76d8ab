import type { AuditEntity } from '../audit/audit-event.ts';
import type { AccessLevel, AccessLevelName, User } from '../projects/account.ts';
import type { Invitation, InvitationPlace } from '../projects/invitation.ts';

/** What the mail of an invitation says. */
export interface InvitationMail {
  readonly id: number;
  readonly email: string;
  readonly url: string;
  /** Path of the project or the group. */
  readonly place: string;
  readonly role: AccessLevelName;
  /** Display name; null: an operator. */
  readonly inviter: string | null;
  readonly expiresAt: number;
  /** When the mail is made. */
  readonly at: number;
}

/** Invitations that one request makes. */
export interface InvitationDraft {
  readonly place: InvitationPlace;
  /** Folded, each once. */
  readonly emails: readonly string[];
  readonly accessLevel: AccessLevel;
  /** Null: after the configured number of days. */
  readonly expiresAt: number | null;
  /** Null: an operator. Roles are checked before. */
  readonly invitedBy: User | null;
}

/** Newest link of an invitation. */
export interface InvitationLink {
  /** Null: the mail alone has it. */
  readonly url: string | null;
  /** Why the mail was not sent, as a sentence; null: it was, or there is none to send. */
  readonly problem: string | null;
}

/** Result for one address. `refusal`: why it was not invited, as a sentence; null: it was. */
export interface InvitationResult extends InvitationLink {
  readonly email: string;
  readonly refusal: string | null;
}

/**
 * What a link is good for. `unknown`: it was withdrawn, replaced or shortened. `refused`: who invited may not give the
 * role any more. `taking`: another request is using it.
 */
export const INVITATION_STATES = ['open', 'used', 'expired', 'refused', 'taking', 'unknown'] as const;
export type InvitationState = (typeof INVITATION_STATES)[number];

/** Invitation of a link. */
export interface OpenInvitation {
  readonly invitation: Invitation;
  /** Project or group, as it is now. */
  readonly place: AuditEntity;
  /** Display name of who invited; null: an operator. */
  readonly inviter: string | null;
}

export type FoundInvitation =
  (OpenInvitation & { readonly state: 'open' }) | { readonly state: Exclude<InvitationState, 'open'> };

/** New account of an invited person. */
export interface InvitedAccount {
  readonly username: string;
  readonly name: string;
  readonly password: string;
}

/** Use cases of invitations. Works on any gateway. */
export interface Invitations {
  /** False: mail is not configured, so answers have the links. */
  readonly mail: boolean;
  /**
   * Invites addresses, and sends the mails. Takes as long as the mail server, at most a minute and a half. Throws
   * `rate_limited` when the place had too many mails in the last hour; nothing is done then.
   */
  invite(draft: InvitationDraft): Promise<InvitationResult[]>;
  /**
   * Makes a new link, with which the one of before ends, and sends it. `byMail` false: the answer has it. Null when the
   * invitation was taken up or withdrawn meanwhile.
   */
  renewLink(invitation: Invitation, by: User | null, byMail: boolean): Promise<InvitationLink | null>;
  /** Looks a link up. Throws `rate_limited` after too many unknown ones from an address. */
  find(token: string, address: string | null): Promise<FoundInvitation>;
  /**
   * Gives a signed-in user the role. Throws `conflict` with the reason when the link is not good for it. `address`: of
   * the client; null: unknown.
   */
  join(token: string, user: User, address: string | null): Promise<OpenInvitation>;
  /** Makes an account with the role. Throws as `join`, and `conflict` for a username that is taken. */
  signUp(
    token: string,
    account: InvitedAccount,
    address: string | null,
  ): Promise<OpenInvitation & { readonly user: User }>;
  /** Takes up all open invitations of an address that a sign-on has confirmed. Returns their places. */
  takeUp(user: User, confirmedEmail: string, address: string | null): Promise<InvitationPlace[]>;
}
