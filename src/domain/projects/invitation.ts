import type { AccessLevel } from './account.ts';

/** Where an invitation gives a role: one of them is not null. */
export interface InvitationPlace {
  readonly projectId: number | null;
  readonly groupId: number | null;
}

export const inProject = (projectId: number): InvitationPlace => ({ projectId, groupId: null });
export const inGroup = (groupId: number): InvitationPlace => ({ projectId: null, groupId });

/** Invitation of an e-mail address to a role. Its link has a random token, of which only the hash is stored. */
export interface Invitation extends InvitationPlace {
  readonly id: number;
  /** Text of the place, see `placeKey`. An address has at most one invitation per place. */
  readonly place: string;
  /** In lower case. */
  readonly email: string;
  readonly accessLevel: AccessLevel;
  /** User who granted the role as it is now; null: an operator, by the command line. */
  readonly invitedBy: number | null;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** Lower-case hex SHA-256 of the token of the newest link. */
  readonly tokenHash: string;
  /** True: only the mail has the newest link, so whoever uses it reads the mails of the address. */
  readonly mailed: boolean;
  /** Time of the last mail that the server took; null: none. */
  readonly sentAt: number | null;
  /** Time since which a request takes the invitation up; null: none does. */
  readonly claimedAt: number | null;
  /** Null: not taken up. */
  readonly acceptedAt: number | null;
  /** User who took it up; null: none. */
  readonly userId: number | null;
}

export type NewInvitation = InvitationPlace &
  Pick<Invitation, 'email' | 'accessLevel' | 'invitedBy' | 'createdAt' | 'expiresAt' | 'tokenHash' | 'mailed'>;

/** Changes of an invitation that was not taken up; absent members keep their value. */
export type InvitationPatch = Partial<
  Pick<Invitation, 'accessLevel' | 'invitedBy' | 'expiresAt' | 'tokenHash' | 'mailed' | 'sentAt'>
>;

/** Maximum invitations of a place, with those that ended lately. */
export const MAX_INVITATIONS = 500;

/** Milliseconds for which a claim holds. A process that ends meanwhile leaves the invitation open afterwards. */
export const CLAIM_MS = 60_000;

/** Returns the text by which invitations of a place are found. */
export function placeKey({ projectId, groupId }: InvitationPlace): string {
  return projectId === null ? `group:${groupId}` : `project:${projectId}`;
}

/** Returns an address as invitations have it: without case, as mail servers compare it. */
export function foldEmail(email: string): string {
  return email.trim().toLowerCase();
}

/** True for an invitation that can be taken up. */
export function isOpen({ acceptedAt, expiresAt }: Invitation, now: number): boolean {
  return acceptedAt === null && expiresAt > now;
}
