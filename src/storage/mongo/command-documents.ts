import type { AccessLevel, TokenScope } from '../../domain/account.ts';
import type { Visibility } from '../../domain/project.ts';
import type { FoundTracker } from '../../domain/tracker-kind.ts';

// Documents that commands write one at a time; those that batches write are in `documents.ts`.

/** Name of the collection that marks a database as ours; the first that set-up makes. */
export const CONTROL_COLLECTION = 'errgate';

/** The schema's version, that of who may send, or a lease that one process holds for a time. */
export interface ControlDocument {
  /** `schema`, `ingest` or the key of a lease. */
  readonly _id: string;
  /** Of `schema` and of `ingest`. */
  readonly version?: number;
  /** Of a lease: random, made by the process that holds it. */
  readonly owner?: string;
  /** Of a lease: when it ends unless it is renewed. Of `ingest`: when no announced change is under way any more. */
  readonly until?: number;
}

/** A small value that all gateways share. */
export interface SharedValueDocument {
  readonly _id: string;
  readonly value: string;
}

export interface UserDocument {
  readonly _id: number;
  readonly username: string;
  /** The username in lower case: names are unique without regard to case. */
  readonly lower: string;
  readonly name: string;
  readonly admin: boolean;
  readonly blocked: boolean;
  readonly passwordHash: string;
  /** Counts up whenever all sessions of the person end. */
  readonly sessionEpoch: number;
  readonly mustChangePassword: boolean;
  readonly createdAt: number;
}

export interface AccessTokenDocument {
  readonly _id: number;
  readonly userId: number;
  readonly name: string;
  /** Absent, or null: none was given. */
  readonly description?: string | null;
  /** Lower-case hex SHA-256. */
  readonly hash: string;
  readonly scopes: readonly TokenScope[];
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  /** Absent, or null: never. */
  readonly lastUsedAt?: number | null;
}

/** A browser that a person is signed in with; counts only while its epoch is that of its person. */
export interface WebSessionDocument {
  /** Lower-case hex SHA-256 of the id that only the browser has. */
  readonly _id: string;
  readonly userId: number;
  readonly epoch: number;
  readonly createdAt: number;
  readonly usedAt: number;
  readonly endsAt: number;
}

export interface ProjectDocument {
  readonly _id: number;
  readonly path: string;
  /** The path in lower case: paths are unique without regard to case. */
  readonly lower: string;
  readonly name: string;
  readonly visibility: Visibility;
  readonly monitorEnabled: boolean;
  readonly createdAt: number;
}

/** A former path of a project. A project at the path itself goes first. */
export interface ProjectRedirectDocument {
  /** The path in lower case. */
  readonly _id: string;
  readonly projectId: number;
}

/** An id that a project had in another tracker, for DSNs brought along. */
export interface ProjectAliasDocument {
  /** The id in the DSN. */
  readonly _id: number;
  readonly projectId: number;
}

/** A project that is gone and whose data is being removed. */
export interface RemovedProjectDocument {
  readonly _id: number;
  readonly removedAt: number;
}

export interface MemberDocument {
  /** `memberKey(projectId, userId)`. */
  readonly _id: string;
  readonly projectId: number;
  readonly userId: number;
  readonly accessLevel: AccessLevel;
}

export function memberKey(projectId: number, userId: number): string {
  return `${projectId}/${userId}`;
}

export interface SettingsDocument {
  /** The project's id. */
  readonly _id: number;
  readonly active: boolean;
  readonly integrated: boolean;
  readonly apiUrl: string | null;
  readonly projectName: string | null;
  readonly organizationName: string | null;
  readonly thirdpartyProjectId: string | null;
  readonly sealedToken: string | null;
  /** Absent in documents of earlier versions. */
  readonly tracker?: FoundTracker | null;
}

/** What a project asks for beyond the configuration; a project that asks for nothing has none. */
export interface ProtectionDocument {
  /** The project's id. */
  readonly _id: number;
  readonly sensitiveFields: readonly string[];
  readonly scrubIps: boolean;
  /** Null: as configured. */
  readonly keyEventsPerMinute: number | null;
  readonly projectEventsPerMinute: number | null;
}

export interface ClientKeyDocument {
  readonly _id: number;
  readonly projectId: number;
  readonly active: boolean;
  readonly publicKey: string;
  readonly createdAt: number;
  /** Absent, or null: never. */
  readonly lastUsedAt?: number | null;
  /** The project's id on the one key that was made because the project had no active one: of two at once one is refused. */
  readonly ensured?: number;
}

/** A running service that says now and then that it lives; removed when it ends in order. */
export interface GatewayDocument {
  /** Random, made by the process. */
  readonly _id: string;
  /** Version of its program. */
  readonly v: string;
  /** When it last said so, by its own clock; milliseconds since the epoch. */
  readonly seen: number;
  /** The same moment by the server's clock. */
  readonly at: Date;
}
