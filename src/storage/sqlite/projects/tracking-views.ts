import type { IngestAccess } from '../../../domain/ports/stores/tracking-store.ts';
import { forwards } from '../../records/kinds/project-kinds.ts';
import { protections } from '../../records/kinds/tracking-kinds.ts';
import { toProtection } from '../../records/tracking-records.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import { INGEST_VERSION } from '../engine/ingest-version.ts';
import { listRecords } from '../records/record-statements.ts';

export function ingestAccess(db: SqliteDatabase, known: string | null): IngestAccess | null {
  const version = () => (db.get('SELECT value FROM meta WHERE key = ?', INGEST_VERSION)?.value ?? '0') as string;
  // Most calls end here, after reading one row.
  if (version() === known) {
    return null;
  }
  return db.snapshot(() => ({
    version: version(),
    keys: db
      .all(
        `SELECT k.id, k.project_id, k.public_key FROM client_keys k JOIN settings s ON s.project_id = k.project_id
          WHERE k.active = 1 AND s.active = 1 AND s.integrated = 1 ORDER BY k.id`,
      )
      .map((row) => ({
        id: row.id as number,
        projectId: row.project_id as number,
        publicKey: row.public_key as string,
      })),
    aliases: db
      .all('SELECT project_id, alias FROM project_aliases ORDER BY project_id, alias')
      .map((row) => [row.project_id as number, row.alias as string] as const),
    protections: listRecords(db, protections, {}).map(toProtection),
    forwards: listRecords(db, forwards, {}).map(({ projectId, until }) => [projectId, until] as const),
  }));
}
