import type { WriteContext } from '../write-context.ts';

/** Removes what a person set for a project that they are no member of any more. */
export function forgetPerson({ db }: WriteContext, projectId: number, userId: number): void {
  db.run('DELETE FROM saved_views WHERE project_id = ? AND user_id = ?', projectId, userId);
  db.run('DELETE FROM favourites WHERE user_id = ? AND project_id = ?', userId, projectId);
}
