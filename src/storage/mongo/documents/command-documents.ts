import type { AccessLevel } from '../../../domain/projects/account.ts';
import type { ForwardState } from '../../../domain/ingest/forward.ts';
import type { Visibility } from '../../../domain/projects/project.ts';
import type { Binary } from './document-keys.ts';

// Documents that commands write one at a time; those that batches write are in `documents.ts`.

/** Name of the collection that identifies the database; the first that set-up creates. */
export const CONTROL_COLLECTION = 'errgate';

/** Schema version, version of ingestion data, a lease of one process, or the head of the log of facts. */
export interface ControlDocument {
  /** `schema`, `ingest`, `facts` or the key of a lease. */
  readonly _id: string;
  /** Version; of `schema` and `ingest`. Number of changes; of `facts`. */
  readonly version?: number;
  /** Owner; of a lease only: random, created by its process. */
  readonly owner?: string;
  /** End of a lease unless it is renewed. Of `ingest`: time after which no announced change can still be running. */
  readonly until?: number;
  /** Last place of the log that readers see; of `facts` only. */
  readonly last?: number;
  /** Keys of facts that get the places behind `last`, in order; of `facts` while they are written. */
  readonly placing?: readonly Binary[];
}

export interface ProjectDocument {
  readonly _id: number;
  readonly path: string;
  /** Path in lower case: paths are unique in any case. */
  readonly lower: string;
  readonly name: string;
  readonly visibility: Visibility;
  readonly monitorEnabled: boolean;
  readonly createdAt: number;
  /** True once errors may be imported into it; absent before. Read by each batch. */
  readonly imports?: boolean;
  /** True before the first alias that mapped events leave; absent: none. Read by each batch. */
  readonly aliases?: boolean;
  /** Time of the first mark of an event that a tracker has as well; absent: none. Read by each batch. */
  readonly marksSince?: number;
  /** Greatest time of receipt up to which a tracker gets every event too; absent: none does. */
  readonly knownUntil?: number;
  /** Number of times that errors of it were deleted; absent: never. Read by each batch. */
  readonly deletions?: number;
}

/** Former path of a project. A project with this path takes precedence. */
export interface ProjectRedirectDocument {
  /** The path in lower case. */
  readonly _id: string;
  readonly projectId: number;
}

/** Alias as schema versions up to 3 know it. Gateways of an earlier version that still run read it. */
export interface FormerAliasDocument {
  /** The id in the DSN. */
  readonly _id: number;
  readonly projectId: number;
}

/** Groups of errors that were deleted for good. */
export interface DiscardedGroupDocument {
  readonly _id: number;
  readonly projectId: number;
  readonly title: string;
  readonly type: string | null;
  readonly at: number;
  /** User that discarded it; null: none. */
  readonly userId: number | null;
}

/** Removed project whose data may not be deleted completely yet. */
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

export interface ForwardStateDocument extends ForwardState {
  /** `forwardStateKey` of project and spool. */
  readonly _id: string;
}

/** Key of the state of a spool for a project. */
export function forwardStateKey({ projectId, spoolId }: Pick<ForwardState, 'projectId' | 'spoolId'>): string {
  return `${projectId}/${spoolId}`;
}

/** Running gateway with its last announcement; removed when it stops in order. */
export interface GatewayDocument {
  /** Random id, created by the process. */
  readonly _id: string;
  /** Version of the gateway. */
  readonly v: string;
  /** Last announcement by its own clock, milliseconds since the epoch. */
  readonly seen: number;
  /** Last announcement by the server's clock. */
  readonly at: Date;
}
