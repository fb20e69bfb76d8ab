import type { Project, Visibility } from '../../../domain/projects/project.ts';
import type { Row } from './driver.ts';

/** Column lists and mappers of the small tables; the columns are typed by their STRICT definitions. */
export const PROJECT_COLUMNS = 'p.id, p.path, p.name, p.visibility, p.monitor_enabled, p.created_at';

export function toProject(row: Row): Project {
  return {
    id: row.id as number,
    path: row.path as string,
    name: row.name as string,
    visibility: row.visibility as Visibility,
    monitorEnabled: row.monitor_enabled === 1,
    createdAt: row.created_at as number,
  };
}

/** Maps a row that may be missing. */
export function orNull<T>(row: Row | undefined, map: (row: Row) => T): T | null {
  return row === undefined ? null : map(row);
}
