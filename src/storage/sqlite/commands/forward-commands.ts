import { FORWARD_STATE_MS, type Forward, type ForwardState } from '../../../domain/forward.ts';
import { projectById } from '../views/project-views.ts';
import type { WriteContext } from '../write-context.ts';
import { requireProject } from './project-commands.ts';

export function saveForward({ db }: WriteContext, forward: Forward): void {
  requireProject(db, forward.projectId);
  db.run(
    'INSERT OR REPLACE INTO forwards (project_id, sealed_dsn, target, until, created_at) VALUES (?, ?, ?, ?, ?)',
    forward.projectId,
    forward.sealedDsn,
    forward.target,
    forward.until,
    forward.createdAt,
  );
}

export function removeForward({ db }: WriteContext, projectId: number): boolean {
  return db.run('DELETE FROM forwards WHERE project_id = ?', projectId) > 0;
}

export function replaceSealedDsn({ db }: WriteContext, projectId: number, before: string, after: string): boolean {
  return (
    db.run('UPDATE forwards SET sealed_dsn = ? WHERE project_id = ? AND sealed_dsn = ?', after, projectId, before) > 0
  );
}

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
