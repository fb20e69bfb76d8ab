import {
  isEmptyOverride,
  NO_OVERRIDES,
  type ProtectionOverrides,
  type ProtectionOverridesPatch,
} from '../../../domain/ingest/protection-overrides.ts';
import type { KeyUse } from '../../../domain/ports/stores/tracking-store.ts';
import {
  DEFAULT_SETTINGS,
  type ClientKey,
  type TrackingSettings,
  type TrackingSettingsPatch,
} from '../../../domain/projects/tracking-settings.ts';
import { keyById, keyByPublicKey, protection, settings } from './tracking-views.ts';
import type { WriteContext } from '../engine/write-context.ts';
import { requireProject } from './project-views.ts';
import { publicKeyTaken } from '../../refusals.ts';

export function saveSettings({ db }: WriteContext, projectId: number, patch: TrackingSettingsPatch): TrackingSettings {
  requireProject(db, projectId);
  const before = settings(db, projectId) ?? DEFAULT_SETTINGS;
  const after: TrackingSettings = { ...before, ...patch, projectId };
  db.run(
    `INSERT OR REPLACE INTO settings (project_id, active, integrated, api_url, project_name, organization_name,
      thirdparty_project_id, sealed_token, tracker) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    projectId,
    after.active ? 1 : 0,
    after.integrated ? 1 : 0,
    after.apiUrl,
    after.projectName,
    after.organizationName,
    after.thirdpartyProjectId,
    after.sealedToken,
    after.tracker === null ? null : JSON.stringify(after.tracker),
  );
  return after;
}

export function replaceEncryptedToken({ db }: WriteContext, projectId: number, before: string, after: string): boolean {
  const row = db.get('SELECT 1 FROM settings WHERE project_id = ? AND sealed_token = ?', projectId, before);
  if (row === undefined) return false;
  db.run('UPDATE settings SET sealed_token = ? WHERE project_id = ?', after, projectId);
  return true;
}

export function createKey(context: WriteContext, projectId: number, publicKey: string): ClientKey {
  const { db } = context;
  requireProject(db, projectId);
  if (keyByPublicKey(db, publicKey) !== null) {
    throw publicKeyTaken();
  }
  const createdAt = context.now();
  const id = db.insert(
    'INSERT INTO client_keys (project_id, public_key, created_at) VALUES (?, ?, ?)',
    projectId,
    publicKey,
    createdAt,
  );
  return { id, projectId, active: true, publicKey, createdAt, lastUsedAt: null };
}

export function setKeyActive(
  { db }: WriteContext,
  projectId: number,
  keyId: number,
  active: boolean,
): ClientKey | null {
  db.run('UPDATE client_keys SET active = ? WHERE id = ? AND project_id = ?', active ? 1 : 0, keyId, projectId);
  return keyById(db, projectId, keyId);
}

export function deleteKey({ db }: WriteContext, projectId: number, keyId: number): ClientKey | null {
  const key = keyById(db, projectId, keyId);
  db.run('DELETE FROM client_keys WHERE id = ? AND project_id = ?', keyId, projectId);
  return key;
}

export function touchKeys({ db }: WriteContext, uses: readonly KeyUse[]): void {
  const touch = db.prepare('UPDATE client_keys SET last_used_at = max(coalesce(last_used_at, 0), ?) WHERE id = ?');
  for (const { keyId, usedAt } of uses) touch.run(usedAt, keyId);
}

export function ensureActiveKey(context: WriteContext, projectId: number, publicKey: string): ClientKey | null {
  const active = context.db.get('SELECT 1 FROM client_keys WHERE project_id = ? AND active = 1', projectId);
  return active === undefined ? createKey(context, projectId, publicKey) : null;
}

export function saveProtection(
  { db }: WriteContext,
  projectId: number,
  patch: ProtectionOverridesPatch,
): ProtectionOverrides {
  requireProject(db, projectId);
  const after: ProtectionOverrides = { ...(protection(db, projectId) ?? NO_OVERRIDES), ...patch };
  if (isEmptyOverride(after)) {
    db.run('DELETE FROM protections WHERE project_id = ?', projectId);
    return after;
  }
  db.run(
    `INSERT OR REPLACE INTO protections (project_id, sensitive_fields, scrub_ips, key_events_per_minute,
      project_events_per_minute) VALUES (?, ?, ?, ?, ?)`,
    projectId,
    JSON.stringify(after.sensitiveFields),
    after.scrubIps ? 1 : 0,
    after.keyEventsPerMinute,
    after.projectEventsPerMinute,
  );
  return after;
}
