import { effectiveLevel } from '../auth/policy.ts';
import { ACCESS_LEVELS, type AccessLevel } from '../domain/projects/account.ts';
import type { Invitation, InvitationPlace } from '../domain/projects/invitation.ts';
import type { Store } from '../domain/ports/stores/store.ts';

type PlaceStore = Pick<Store, 'projectById' | 'accessLevel' | 'userById' | 'setMember'>;

/** Returns the path of a place, as it is now; null: it was removed. */
export async function pathOf(store: PlaceStore, { projectId }: InvitationPlace): Promise<string | null> {
  return (await store.projectById(projectId))?.path ?? null;
}

/** True when who invited may still give the role. An operator always may. */
export async function mayStillGive(store: PlaceStore, invitation: Invitation): Promise<boolean> {
  const { invitedBy, projectId, accessLevel } = invitation;
  if (invitedBy === null) return true;
  const user = await store.userById(invitedBy);
  if (user === null || user.blocked) return false;
  const held = effectiveLevel({ user }, await store.accessLevel(projectId, user.id));
  return held >= Math.max(ACCESS_LEVELS.maintainer, accessLevel);
}

/** Gives a role, or leaves a higher one. */
export async function giveRole(
  store: PlaceStore,
  { projectId }: InvitationPlace,
  userId: number,
  level: AccessLevel,
): Promise<void> {
  if (((await store.accessLevel(projectId, userId)) ?? 0) < level) await store.setMember(projectId, userId, level);
}
