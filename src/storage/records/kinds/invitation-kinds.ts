import type { Invitation } from '../../../domain/projects/invitation.ts';
import { boolean, hex, integer, kind, nullable, text, type Kind, type MemberType } from '../kind.ts';

/** Those of a group end with it, by its own deletion. */
export const invitations: Kind<Invitation, 'id'> = kind({
  name: 'invitations',
  key: ['id'],
  numbered: true,
  of: 'project',
  members: {
    id: integer,
    place: text(),
    projectId: nullable(integer),
    groupId: nullable(integer),
    email: text(),
    accessLevel: integer as MemberType<Invitation['accessLevel']>,
    invitedBy: nullable(integer),
    createdAt: integer,
    expiresAt: integer,
    tokenHash: hex,
    mailed: boolean,
    sentAt: nullable(integer),
    claimedAt: nullable(integer),
    acceptedAt: nullable(integer),
    userId: nullable(integer),
  },
  unique: { by_address: ['place', 'email'], by_hash: ['tokenHash'] },
  indexes: {
    of_project: ['projectId', 'id'],
    of_group: ['groupId', 'id'],
    of_place: ['place', 'id'],
    of_email: ['email', 'id'],
  },
});
