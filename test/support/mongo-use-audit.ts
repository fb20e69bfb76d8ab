import type { Connection } from 'mongoose';
import { firstAuditId } from '../../src/domain/audit/audit-event.ts';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import { auditEvent } from './audit-data.ts';
import { SMALL_ROWS } from './mongo-engine.ts';
import { NOON } from './store-data.ts';

/** Fills the audit log, so that a planner prefers indexes to scans. */
export async function fillAudit(connection: Connection): Promise<void> {
  const rows = Array.from({ length: SMALL_ROWS }, (_, index) => {
    const { id: _id, ...members } = auditEvent(index, { authorId: 10_000 + index, entityId: 10_000 + index });
    return { _id: firstAuditId(NOON) + index, ...members };
  });
  await connection.db?.collection<{ _id: number }>('auditevents').insertMany(rows);
}

/** Runs every query of the audit log at least once. */
export async function useAudit(store: Store, authorId: number): Promise<void> {
  const started = auditEvent(SMALL_ROWS, { outcome: 'started', authorId });
  await store.addAuditEvent(started);
  await store.endAuditEvent(started.id, { ...started, outcome: 'done' });
  const all = { entity: null, authorId: null, event: null, outcome: null, from: null, below: null, limit: 20 };
  await store.listAuditEvents(all);
  await store.listAuditEvents({ ...all, from: firstAuditId(NOON), below: started.id });
  await store.listAuditEvents({ ...all, authorId, event: 'project_changed' });
  await store.listAuditEvents({ ...all, event: 'project_changed', outcome: 'started' });
  await store.listAuditEvents({ ...all, outcome: 'started' });
  await store.listAuditEvents({ ...all, entity: { type: 'Project', id: 1 }, authorId, below: started.id });
}
