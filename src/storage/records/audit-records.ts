import type { AuditEvent } from '../../domain/audit/audit-event.ts';
import { MAX_AUDIT_EVENTS } from '../../domain/ports/stores/audit-store.ts';
import type { StoreTable } from '../store-table.ts';
import { auditEvents } from './kinds/audit-kinds.ts';
import type { Records } from './records.ts';
import { change, insert, type Condition } from './writes.ts';

/** Methods of the port about the audit log. */
export const AUDIT_RECORDS = {
  addAuditEvent: async (records, event) => (await records.write([insert(auditEvents, event)]))[0] !== null,
  endAuditEvent: async (records, id, end) =>
    (await records.write([change(auditEvents, { id }, end, { outcome: 'started' })]))[0],
  async listAuditEvents(records, { entity, authorId, event, outcome, from, below, limit }) {
    // The narrowest of the conditions comes first: its index is read, and the others are checked row by row.
    const conditions: readonly Condition<AuditEvent>[] = [
      entity === null ? {} : { entityType: entity.type, entityId: entity.id },
      authorId === null ? {} : { authorId },
      event === null ? {} : { event },
      outcome === null ? {} : { outcome },
    ];
    const [where = {}, ...others] = conditions.filter((condition) => Object.keys(condition).length > 0);
    const also = Object.assign({}, ...others) as Condition<AuditEvent>;
    // A bound that every id meets makes each server read the end of the key, instead of sorting all rows.
    const range = { ...(from !== null && { from }), below: below ?? Number.MAX_SAFE_INTEGER };
    return records.list(auditEvents, where, { newest: 'id', also, ...range, limit: Math.min(limit, MAX_AUDIT_EVENTS) });
  },
} as const satisfies StoreTable<Records>;
