import { firstAuditId, type AuditEvent } from '../../src/domain/audit/audit-event.ts';
import { MAX_AUDIT_EVENTS } from '../../src/domain/ports/stores/audit-store.ts';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import { NOON } from './store-data.ts';

/** Makes an event of a project. `number`: makes its id unique. */
export function auditEvent(number: number, members: Partial<AuditEvent> = {}): AuditEvent {
  return {
    ...{ id: firstAuditId(NOON) + number, event: 'project_changed', outcome: 'done' },
    ...{ authorId: 1, authorName: 'ada', address: '192.0.2.7' },
    ...{ entityType: 'Project', entityId: 1, entityPath: 'acme/shop' },
    ...{ targetType: 'Project', targetId: '1', targetName: 'acme/shop', details: { changes: [] } },
    ...members,
  };
}

/** All events of a store, the newest first. */
export function listAudit(store: Pick<Store, 'listAuditEvents'>): Promise<AuditEvent[]> {
  const any = { entity: null, authorId: null, event: null, outcome: null, from: null, below: null };
  return store.listAuditEvents({ ...any, limit: MAX_AUDIT_EVENTS });
}
