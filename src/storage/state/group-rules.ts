import { ACCESS_LEVELS } from '../../domain/projects/account.ts';
import { groupOfPath, isBelow, isSamePath } from '../../domain/projects/group-paths.ts';
import type { GroupMember, GroupPlace } from '../../domain/projects/group.ts';
import { groupAboveMoved, groupBelowItself, groupPathTaken, lastOwner } from '../refusals.ts';

/** Returns true when a group has an owner that can sign in. */
function hasOwner(members: readonly GroupMember[]): boolean {
  return members.some(({ accessLevel, blocked }) => accessLevel === ACCESS_LEVELS.owner && !blocked);
}

/** Throws `conflict` when a group lost its last owner by a change. `before`, `after`: its members. */
export function requireOwnerLeft(before: readonly GroupMember[], after: readonly GroupMember[]): void {
  if (hasOwner(before) && !hasOwner(after)) throw lastOwner();
}

/** What the move of a group meets. */
interface Met {
  /** Path that the group has. */
  readonly from: string;
  readonly to: GroupPlace;
  /** Path of the group above, by its id; null: it is gone. */
  readonly parentPath: string | null;
  /** Paths of groups and projects at the new path, or below. */
  readonly used: readonly string[];
}

/** Throws `conflict` when a group cannot move to a place. */
export function requireMovable({ from, to: { path, parentId }, parentPath, used }: Met): void {
  if (isBelow(path, from)) throw groupBelowItself(path);
  if (parentId !== null && (parentPath === null || !isSamePath(parentPath, groupOfPath(path) ?? ''))) {
    throw groupAboveMoved(path);
  }
  // A change of case alone meets what moves along.
  if (used.some((each) => !isSamePath(each, from) && !isBelow(each, from))) throw groupPathTaken(path);
}
