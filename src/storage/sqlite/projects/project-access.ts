import type { ProjectAccess } from '../../../domain/ports/stores/overview-store.ts';
import { requireFewProjects } from '../../few-projects.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import { accessLevel } from './roles.ts';
import { settings } from '../../records/kinds/tracking-kinds.ts';
import { getRecord } from '../records/record-statements.ts';

/** Reads settings and roles; see the port. */
export function projectAccess(
  db: SqliteDatabase,
  projectIds: readonly number[],
  userId: number,
): ReadonlyMap<number, ProjectAccess> {
  requireFewProjects(projectIds);
  return db.snapshot(
    () =>
      new Map(
        projectIds.map((id) => [
          id,
          { settings: getRecord(db, settings, { projectId: id }), level: accessLevel(db, id, userId) },
        ]),
      ),
  );
}
