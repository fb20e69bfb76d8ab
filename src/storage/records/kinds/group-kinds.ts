import type { AccessLevel } from '../../../domain/projects/account.ts';
import type { Group } from '../../../domain/projects/group.ts';
import { NO_DEFAULTS } from '../../../domain/projects/group-defaults.ts';
import { folded, integer, json, kind, nullable, since, text, type Kind, type MemberType } from '../kind.ts';

export interface StoredGroup extends Group {
  /**
   * Path in lower case from which the group is being moved: what is below still has it. Null: it is not being moved.
   * SQLite moves a group in one transaction, so that it is always null there.
   */
  readonly movedFrom: string | null;
}

/** Returns what others may know of a group. */
export function toGroup({ movedFrom: _movedFrom, ...group }: StoredGroup): Group {
  return group;
}

export const groups: Kind<StoredGroup, 'id'> = kind({
  name: 'groups',
  key: ['id'],
  numbered: true,
  of: 'instance',
  members: {
    id: integer,
    path: folded,
    name: text(),
    description: nullable(text()),
    defaults: since(json(), NO_DEFAULTS),
    movedFrom: nullable(text()),
    createdAt: integer,
  },
  unique: { by_path: ['path'] },
  indexes: { by_former_path: ['movedFrom'] },
});

export interface StoredGroupMember {
  readonly groupId: number;
  readonly userId: number;
  readonly level: AccessLevel;
}

export const groupMembers: Kind<StoredGroupMember, 'groupId' | 'userId'> = kind({
  name: 'groupMembers',
  key: ['groupId', 'userId'],
  of: 'user',
  members: { groupId: integer, userId: integer, level: integer as MemberType<AccessLevel> },
  indexes: { of_user: ['userId', 'groupId'], of_group: ['groupId', 'userId'] },
});
