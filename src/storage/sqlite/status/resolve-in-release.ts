import type { ResolvedInCommit } from '../../../domain/ports/stores/release-store.ts';
import { requireBulkStep } from '../../errors/bulk-step.ts';
import { STATUS_CODES } from '../../errors/error-status.ts';
import { namedByRelease } from '../../state/named-by-release.ts';
import type { SqlValue } from '../engine/driver.ts';
import { groupOf } from '../errors/error-groups.ts';
import type { WriteContext } from '../engine/write-context.ts';
import { logActivity } from '../updates/activity-rows.ts';

/** Writes what the root's status waits for, and the same own details of members, or of one member; see the port. */
export function resolveInRelease(
  { db }: WriteContext,
  projectId: number,
  errors: readonly ResolvedInCommit[],
  release: string,
  now: number,
): number {
  requireBulkStep(errors);
  let changed = 0;
  for (const error of errors) {
    const group = groupOf(db, projectId, error.errorId);
    if (group === null) continue;
    const { root, members } = group;
    const { from, to, entry } = namedByRelease(error, release, now);
    const hasStatus = (id: SqlValue) =>
      db.get(
        'SELECT 1 FROM errors WHERE id = ? AND status = ? AND status_details = ?',
        ...[id, STATUS_CODES.resolved, from],
      ) !== undefined;
    const isShown = hasStatus(root);
    if (!isShown && !hasStatus(error.errorId)) continue;
    db.run(
      `UPDATE errors SET
        status_details = CASE WHEN status = ?1 AND status_details = ?2 THEN ?3 ELSE status_details END,
        root_details = CASE WHEN root_details = ?2 THEN ?3 ELSE root_details END
        WHERE id IN (SELECT value FROM json_each(?4))`,
      ...[STATUS_CODES.resolved, from, to, JSON.stringify(isShown ? members : [Number(error.errorId)])],
    );
    if (isShown) {
      db.run('UPDATE error_groups SET status_details = ? WHERE id = ?', to, root);
      logActivity(db, root, entry);
    }
    changed += 1;
  }
  return changed;
}
