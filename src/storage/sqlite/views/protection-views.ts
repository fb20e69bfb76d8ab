import type { OwnProtection, ProjectProtection } from '../../../domain/own-protection.ts';
import type { SqliteDatabase } from '../database.ts';
import { orNull, toProtection } from '../rows.ts';

export function protection(db: SqliteDatabase, projectId: number): OwnProtection | null {
  return orNull(db.get('SELECT * FROM protections WHERE project_id = ?', projectId), toProtection);
}

export function listProtections(db: SqliteDatabase): ProjectProtection[] {
  return db
    .all('SELECT * FROM protections ORDER BY project_id')
    .map((row) => [row.project_id as number, toProtection(row)]);
}
