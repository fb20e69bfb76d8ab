import { FORWARD_STATE_MS, type ForwardState } from '../../../domain/ingest/forward.ts';
import { projectById } from '../views/project-views.ts';
import type { WriteContext } from '../engine/write-context.ts';

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
