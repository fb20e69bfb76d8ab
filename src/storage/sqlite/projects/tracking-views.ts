import type { ProtectionOverrides, ProjectProtection } from '../../../domain/ingest/protection-overrides.ts';
import type { IngestAccess } from '../../../domain/ports/stores/tracking-store.ts';
import type { ClientKey, TrackingSettings } from '../../../domain/projects/tracking-settings.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import { INGEST_VERSION } from '../engine/ingest-version.ts';
import { forwards } from '../../records/project-kinds.ts';
import { listRecords } from '../records/record-statements.ts';
import { orNull, toKey, toProtection, toSettings } from '../engine/rows.ts';

export function settings(db: SqliteDatabase, projectId: number): TrackingSettings | null {
  return orNull(db.get('SELECT * FROM settings WHERE project_id = ?', projectId), toSettings);
}

export function listKeys(db: SqliteDatabase, projectId: number): ClientKey[] {
  return db.all('SELECT * FROM client_keys WHERE project_id = ? ORDER BY id', projectId).map(toKey);
}

export function keyById(db: SqliteDatabase, projectId: number, keyId: number): ClientKey | null {
  return orNull(db.get('SELECT * FROM client_keys WHERE id = ? AND project_id = ?', keyId, projectId), toKey);
}

export function keyByPublicKey(db: SqliteDatabase, publicKey: string): ClientKey | null {
  return orNull(db.get('SELECT * FROM client_keys WHERE public_key = ?', publicKey), toKey);
}

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
    protections: listProtections(db),
    forwards: listRecords(db, forwards, {}).map(({ projectId, until }) => [projectId, until] as const),
  }));
}

export function protection(db: SqliteDatabase, projectId: number): ProtectionOverrides | null {
  return orNull(db.get('SELECT * FROM protections WHERE project_id = ?', projectId), toProtection);
}

export function listProtections(db: SqliteDatabase): ProjectProtection[] {
  return db
    .all('SELECT * FROM protections ORDER BY project_id')
    .map((row) => [row.project_id as number, toProtection(row)]);
}
