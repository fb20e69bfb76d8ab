import { MAX_AUDIT_EVENTS } from '../../domain/ports/stores/audit-store.ts';
import { definedMembers } from '../../lib/defined-members.ts';
import type { StoreTable } from '../store-table.ts';
import { auditEvents } from './audit-kinds.ts';
import type { Records } from './records.ts';
import { change, insert } from './writes.ts';

/** Methods of the port about the audit log. */
export const AUDIT_RECORDS = {
  addAuditEvent: async (records, event) => (await records.write([insert(auditEvents, event)]))[0] !== null,
  endAuditEvent: async (records, id, end) =>
    (await records.write([change(auditEvents, { id }, end, { outcome: 'started' })]))[0],
  async listAuditEvents(records, { entity, authorId, event, outcome, from, below, limit }) {
    const ofAuthor = authorId === null ? {} : { authorId };
    const where = entity === null ? ofAuthor : { entityType: entity.type, entityId: entity.id };
    const also = definedMembers({
      ...(entity === null ? {} : ofAuthor),
      event: event ?? undefined,
      outcome: outcome ?? undefined,
    });
    return records.list(auditEvents, where, {
      newest: 'id',
      also,
      ...definedMembers({ from: from ?? undefined, below: below ?? undefined }),
      limit: Math.min(limit, MAX_AUDIT_EVENTS),
    });
  },
} as const satisfies StoreTable<Records>;
