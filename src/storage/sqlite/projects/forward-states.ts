import { FORWARD_STATE_MS, type ForwardState } from '../../../domain/ingest/forward.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import type { Row } from '../engine/driver.ts';
import type { WriteContext } from '../engine/write-context.ts';
import { projectById } from './project-views.ts';

export function saveForwardState({ db }: WriteContext, state: ForwardState): void {
  const { projectId, spoolId, pendingUntil, sentAt, updatedAt, ...rest } = state;
  if (projectById(db, projectId) === null) return;
  db.run(
    `INSERT OR REPLACE INTO forward_states (project_id, spool_id, pending_until, sent_at, state, updated_at)
      VALUES (?, ?, ?, ?, ?, ?)`,
    projectId,
    spoolId,
    pendingUntil,
    sentAt,
    JSON.stringify(rest),
    updatedAt,
  );
  const silentSince = updatedAt - FORWARD_STATE_MS;
  db.run('DELETE FROM forward_states WHERE project_id = ? AND updated_at < ?', projectId, silentSince);
}

export function listForwardStates(db: SqliteDatabase, projectId: number | null): ForwardState[] {
  return db
    .all('SELECT * FROM forward_states WHERE ?1 IS NULL OR project_id = ?1 ORDER BY project_id, spool_id', projectId)
    .map(toForwardState);
}

export function toForwardState(row: Row): ForwardState {
  return {
    projectId: row.project_id as number,
    spoolId: row.spool_id as string,
    pendingUntil: row.pending_until as number,
    sentAt: row.sent_at as number,
    ...(JSON.parse(row.state as string) as StateJson),
    updatedAt: row.updated_at as number,
  };
}

type StateJson = Omit<ForwardState, 'projectId' | 'spoolId' | 'pendingUntil' | 'sentAt' | 'updatedAt'>;
