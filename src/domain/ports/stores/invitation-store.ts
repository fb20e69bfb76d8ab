import type { Invitation, InvitationPatch, InvitationPlace, NewInvitation } from '../../projects/invitation.ts';

/** Invitations of e-mail addresses. Look-ups without a result return null. */
export interface InvitationStore {
  /**
   * Stores an invitation, instead of one that was taken up or has expired. Null: the address has an open one for the
   * place. Throws `project_not_found`, `group_not_found`, and `conflict` beyond MAX_INVITATIONS.
   */
  createInvitation(invitation: NewInvitation): Promise<Invitation | null>;
  /** `hash`: of the token of the newest link. */
  invitationByHash(hash: string): Promise<Invitation | null>;
  invitationFor(place: InvitationPlace, email: string): Promise<Invitation | null>;
  /** All of a place by id, also those that were taken up or have expired. */
  listInvitations(place: InvitationPlace): Promise<Invitation[]>;
  /** All of an address by id. */
  invitationsOfEmail(email: string): Promise<Invitation[]>;
  /** Null when there is no such invitation, or it was taken up. */
  changeInvitation(id: number, patch: InvitationPatch): Promise<Invitation | null>;
  removeInvitation(id: number): Promise<boolean>;
  /**
   * Reserves an invitation for CLAIM_MS. False when it was taken up, changed or claimed since it was read. `seen`: as
   * read. Only one of several callers succeeds.
   */
  claimInvitation(seen: Invitation, now: number): Promise<boolean>;
  /** Ends a claim. `userId`: who took the invitation up; null: nobody, and it is open again. */
  endClaim(id: number, claimedAt: number, userId: number | null): Promise<void>;
}
