import { CLAIM_MS, isOpen, MAX_INVITATIONS, placeKey, type InvitationPlace } from '../../domain/projects/invitation.ts';
import { invitationsFull, unknownGroup } from '../refusals.ts';
import type { StoreTable } from '../store-table.ts';
import { groups } from './kinds/group-kinds.ts';
import { invitations } from './kinds/invitation-kinds.ts';
import { requiredProject } from './owners.ts';
import type { Records } from './records.ts';
import { change, exists, fewer, insert, remove, required, type Requirement } from './writes.ts';

/** Returns what an invitation belongs to. */
function ownerOf({ projectId, groupId }: InvitationPlace): Requirement {
  if (projectId !== null) return requiredProject(projectId);
  const id = groupId ?? 0;
  return required(exists(groups, { id }), unknownGroup(id));
}

/** Methods of the port about invitations. */
export const INVITATION_RECORDS = {
  async createInvitation(records, invitation) {
    const { email, createdAt } = invitation;
    const place = placeKey(invitation);
    const owner = ownerOf(invitation);
    const before = await records.find(invitations, { place, email });
    if (before !== null && isOpen(before, createdAt)) return null;
    const fresh = { ...invitation, place, sentAt: null, claimedAt: null, acceptedAt: null, userId: null };
    if (before !== null) {
      const is = { tokenHash: before.tokenHash, claimedAt: before.claimedAt, acceptedAt: before.acceptedAt };
      const [renewed] = await records.write([change(invitations, { id: before.id }, fresh, is)]);
      return renewed ? { ...fresh, id: before.id } : null;
    }
    const [made] = await records.write(
      [insert(invitations, fresh, { when: [owner.needed] })],
      [owner, required(fewer(invitations, { place }, MAX_INVITATIONS), invitationsFull())],
    );
    return made;
  },
  invitationByHash: (records, hash) => records.find(invitations, { tokenHash: hash }),
  invitationFor: (records, place, email) => records.find(invitations, { place: placeKey(place), email }),
  listInvitations: (records, place) => records.list(invitations, { place: placeKey(place) }),
  invitationsOfEmail: (records, email) => records.list(invitations, { email }),
  async changeInvitation(records, id, patch) {
    const [changed] = await records.write([change(invitations, { id }, patch, { acceptedAt: null })]);
    return changed ? records.get(invitations, { id }) : null;
  },
  removeInvitation: async (records, id) => (await records.write([remove(invitations, { id })]))[0],
  async claimInvitation(records, { id, tokenHash, accessLevel, claimedAt }, now) {
    if (claimedAt !== null && now - claimedAt < CLAIM_MS) return false;
    const is = { tokenHash, accessLevel, claimedAt, acceptedAt: null };
    return (await records.write([change(invitations, { id }, { claimedAt: now }, is)]))[0];
  },
  async endClaim(records, id, claimedAt, userId) {
    const taken = userId === null ? {} : { userId, acceptedAt: records.now() };
    await records.write([change(invitations, { id }, { claimedAt: null, ...taken }, { claimedAt })]);
  },
} as const satisfies StoreTable<Records>;
