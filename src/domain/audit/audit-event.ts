import type { AuditEventName } from './audit-events.ts';

/**
 * `started`: written before the change; it stays where the process ended before the outcome was known. `failed`:
 * nothing was changed, or not all of it. `refused`: the person may not do it.
 */
export const AUDIT_OUTCOMES = ['started', 'done', 'failed', 'refused'] as const;
export type AuditOutcome = (typeof AUDIT_OUTCOMES)[number];

/** What an event belongs to, and with which it is listed. */
export const AUDIT_ENTITIES = ['Instance', 'Group', 'Project', 'User'] as const;
export type AuditEntityType = (typeof AUDIT_ENTITIES)[number];

export interface AuditEntity {
  readonly type: AuditEntityType;
  /** Null: the instance, or a group that was never made. It is not given again when the entity is deleted. */
  readonly id: number | null;
  /** Path or user name at the time of the event; empty: the instance. */
  readonly path: string;
}

export const INSTANCE: AuditEntity = { type: 'Instance', id: null, path: '' };

/** What was changed within the entity. */
export interface AuditTarget {
  /** `Member`, `Client key`. */
  readonly type: string;
  /** Null: it has none, or none yet. */
  readonly id: string | null;
  /** As people know it; at most MAX_AUDIT_NAME characters. */
  readonly name: string;
}

/** Value before and after, as texts without secrets; null: there was none. */
export interface AuditChange {
  readonly name: string;
  readonly from: string | null;
  readonly to: string | null;
}

export interface AuditDetails {
  /** At most MAX_AUDIT_CHANGES, by name. */
  readonly changes: readonly AuditChange[];
  /** Id of the access token of the request; absent: none. */
  readonly tokenId?: number;
  /** Code of the error of a change that failed or was refused. */
  readonly code?: string;
  /** Number of further refusals of this address in the minute, which have no event of their own. */
  readonly leftOut?: number;
}

/** Event of the audit log. It is written once; only a started one gets its outcome later, once. */
export interface AuditEvent {
  /**
   * Time in milliseconds since the epoch times AUDIT_IDS_PER_MS, and a number that makes it unique. So ids are in the
   * order of time; at most 2^53.
   */
  readonly id: number;
  readonly event: AuditEventName;
  readonly outcome: AuditOutcome;
  /** Null: no user; the name says what it was, such as a command. */
  readonly authorId: number | null;
  readonly authorName: string;
  /** Address of the sender; null: unknown, or a command on the machine. */
  readonly address: string | null;
  readonly entityType: AuditEntityType;
  readonly entityId: number | null;
  readonly entityPath: string;
  readonly targetType: string;
  readonly targetId: string | null;
  readonly targetName: string;
  readonly details: AuditDetails;
}

export const MAX_AUDIT_NAME = 255;
export const MAX_AUDIT_CHANGES = 100;
/** Maximum characters of a value; a longer one is cut. */
export const MAX_AUDIT_VALUE = 500;

export const AUDIT_IDS_PER_MS = 1000;

/** Returns the time of an event, in milliseconds since the epoch. */
export function auditTime({ id }: Pick<AuditEvent, 'id'>): number {
  return Math.floor(id / AUDIT_IDS_PER_MS);
}

/** Returns the least id of events at or after a time. */
export function firstAuditId(time: number): number {
  return Math.ceil(time) * AUDIT_IDS_PER_MS;
}
