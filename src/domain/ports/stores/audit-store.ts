import type { AuditEntity, AuditEvent } from '../../audit/audit-event.ts';

/** What is known of a started change when it has ended. */
export type AuditEnd = Pick<
  AuditEvent,
  'outcome' | 'details' | 'entityType' | 'entityId' | 'entityPath' | 'targetId' | 'targetName'
>;

export interface AuditQuery {
  /** Events of one entity; null: all. */
  readonly entity: Pick<AuditEntity, 'type' | 'id'> | null;
  /** Null: any. */
  readonly authorId: number | null;
  readonly event: AuditEvent['event'] | null;
  readonly outcome: AuditEvent['outcome'] | null;
  /** Ids at least this one; null: no bound. */
  readonly from: number | null;
  /** Ids less than this one; null: no bound. */
  readonly below: number | null;
  /** 1 to MAX_AUDIT_EVENTS. */
  readonly limit: number;
}

/** Maximum events that one call lists. */
export const MAX_AUDIT_EVENTS = 1000;

/** Audit log. Events are added, never changed except for the outcome of a started one, and removed by age alone. */
export interface AuditStore {
  /** False: the id is taken. */
  addAuditEvent(event: AuditEvent): Promise<boolean>;
  /** Completes a started event. False for one that has its outcome, and for an unknown one. */
  endAuditEvent(id: number, end: AuditEnd): Promise<boolean>;
  /** Newest first. The first of entity, author, event and outcome is an index; the others are checked row by row. */
  listAuditEvents(query: AuditQuery): Promise<AuditEvent[]>;
}
