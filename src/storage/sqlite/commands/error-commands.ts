import type { ErrorStatus } from '../../../domain/tracked-error.ts';
import { STATUS_CODES } from '../../error-status.ts';
import { groupOf } from '../views/error-groups.ts';
import type { WriteContext } from '../write-context.ts';

/** Of a merged error every member gets the status, so that it keeps it when it is separated. */
export function setErrorStatus(
  { db }: WriteContext,
  projectId: number,
  errorId: string,
  status: ErrorStatus,
  now: number,
): boolean {
  const group = groupOf(db, projectId, errorId);
  if (group === null) {
    return false;
  }
  const newest = 'SELECT max(newest_received) FROM errors WHERE id IN (SELECT value FROM json_each(?))';
  const members = JSON.stringify(group.members);
  db.run(
    `UPDATE errors SET status = ?, resolved_at = max(?, (${newest})) WHERE id IN (SELECT value FROM json_each(?))`,
    STATUS_CODES[status],
    status === 'resolved' ? now : null,
    members,
    members,
  );
  db.run('UPDATE error_groups SET status = ? WHERE id = ?', STATUS_CODES[status], group.root);
  return true;
}
