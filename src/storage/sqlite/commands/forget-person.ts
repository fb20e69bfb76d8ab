import { snakeCase } from '../../records/kind.ts';
import { KINDS } from '../../records/kinds.ts';
import type { WriteContext } from '../engine/write-context.ts';

/** Removes what a person set for a project that they are no member of any more. */
export function forgetPerson({ db }: WriteContext, projectId: number, userId: number): void {
  db.run('DELETE FROM saved_views WHERE project_id = ? AND user_id = ?', projectId, userId);
  for (const { name } of Object.values(KINDS).filter((kind) => kind.of === 'member')) {
    db.run(`DELETE FROM ${snakeCase(name)} WHERE user_id = ? AND project_id = ?`, userId, projectId);
  }
}
