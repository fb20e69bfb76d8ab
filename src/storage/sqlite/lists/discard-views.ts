import type { DiscardedGroup } from '../../../domain/ports/stores/list-store.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import type { Row } from '../engine/driver.ts';

export function discardedGroups(db: SqliteDatabase, projectId: number): DiscardedGroup[] {
  return db.all('SELECT * FROM discarded_groups WHERE project_id = ? ORDER BY id DESC', projectId).map(toDiscarded);
}

export function toDiscarded(row: Row): DiscardedGroup {
  return {
    id: row.id as number,
    title: row.title as string,
    type: row.type as string | null,
    at: row.at as number,
    userId: row.user_id as number | null,
  };
}
