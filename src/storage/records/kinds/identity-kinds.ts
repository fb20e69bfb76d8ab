import type { GrantedRole, Identity } from '../../../domain/projects/identity.ts';
import { boolean, integer, kind, text, type Kind, type MemberType } from '../kind.ts';

export const identities: Kind<Identity, 'id'> = kind({
  name: 'identities',
  key: ['id'],
  numbered: true,
  of: 'user',
  members: {
    id: integer,
    userId: integer,
    issuer: text(),
    subject: text(),
    name: text(),
    admin: boolean,
    createdAt: integer,
    signedInAt: integer,
  },
  unique: { by_subject: ['issuer', 'subject'] },
  indexes: { of_user: ['userId', 'id'] },
});

/** Roles by groups of an identity provider. Bound per user: the entries of `ERRGATE_OIDC_GROUP_ROLES`. */
export const grantedRoles: Kind<GrantedRole, 'userId' | 'path'> = kind({
  name: 'grantedRoles',
  key: ['userId', 'path'],
  of: 'user',
  cached: true,
  members: { userId: integer, path: text(), level: integer as MemberType<GrantedRole['level']> },
  indexes: { of_user: ['userId', 'path'], by_path: ['path', 'userId'] },
});
