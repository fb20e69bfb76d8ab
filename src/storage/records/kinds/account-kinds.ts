import type { SecondFactor } from '../../../domain/ports/stores/second-factor-store.ts';
import type { WebSession } from '../../../domain/ports/stores/web-session-store.ts';
import type { AccessToken, User } from '../../../domain/projects/account.ts';
import { boolean, folded, hex, integer, json, kind, nullable, since, text, type Kind } from '../kind.ts';

export interface StoredUser extends User {
  readonly passwordHash: string;
  /** Increases when all sessions of the user end. */
  readonly sessionEpoch: number;
  readonly mustChangePassword: boolean;
}

/** Returns what others may know of a user. */
export function toUser({
  passwordHash: _hash,
  sessionEpoch: _epoch,
  mustChangePassword: _must,
  ...user
}: StoredUser): User {
  return user;
}

export const users: Kind<StoredUser, 'id'> = kind({
  name: 'users',
  key: ['id'],
  numbered: true,
  of: 'instance',
  members: {
    id: integer,
    username: folded,
    name: text(),
    admin: boolean,
    blocked: boolean,
    email: nullable(text()),
    passwordHash: text(),
    sessionEpoch: integer,
    mustChangePassword: boolean,
    createdAt: integer,
    emailConfirmed: since(boolean, false),
    passwordAllowed: since(nullable(boolean), null),
    signedOnAt: since(nullable(integer), null),
  },
  unique: { by_name: ['username'] },
});

/** Access token with its lower-case hex SHA-256. */
export type StoredToken = AccessToken & { readonly hash: string };

export function toToken({ hash: _hash, ...token }: StoredToken): AccessToken {
  return token;
}

export const tokens: Kind<StoredToken, 'id'> = kind({
  name: 'tokens',
  table: 'access_tokens',
  key: ['id'],
  numbered: true,
  of: 'user',
  members: {
    id: integer,
    userId: integer,
    name: text(),
    description: nullable(text()),
    hash: hex,
    scopes: json(),
    createdAt: integer,
    expiresAt: nullable(integer),
    revokedAt: nullable(integer),
    lastUsedAt: nullable(integer),
  },
  unique: { by_hash: ['hash'] },
  indexes: { of_user: ['userId', 'id'] },
});

/** Returns what users may know of a session. */
export function toSession(stored: StoredSession): WebSession {
  const { epoch: _epoch, providerSession: _there, sealedGrant: _grant, ...session } = stored;
  return session;
}

/** Signed-in browser; valid only while its epoch is that of its user. */
export type StoredSession = WebSession & {
  readonly epoch: number;
  readonly providerSession: string | null;
  readonly sealedGrant: string | null;
};

export const webSessions: Kind<StoredSession, 'hash'> = kind({
  name: 'webSessions',
  key: ['hash'],
  of: 'user',
  members: {
    hash: hex,
    userId: integer,
    epoch: integer,
    createdAt: integer,
    usedAt: integer,
    endsAt: integer,
    browser: since(nullable(text()), null),
    address: since(nullable(text()), null),
    identityId: since(nullable(integer), null),
    providerSession: since(nullable(text()), null),
    sealedGrant: since(nullable(text()), null),
    checkedAt: since(nullable(integer), null),
    secondFactor: since(boolean, false),
  },
  indexes: { of_user: ['userId', '-usedAt', 'hash'], by_end: ['endsAt'], of_provider: ['providerSession', 'hash'] },
});

export const secondFactors: Kind<SecondFactor, 'userId'> = kind({
  name: 'secondFactors',
  key: ['userId'],
  of: 'user',
  members: {
    userId: integer,
    sealedSecret: text(),
    confirmedAt: nullable(integer),
    lastUsedStep: integer,
    recoveryHashes: json(),
    wrongCodes: since(integer, 0),
  },
});
