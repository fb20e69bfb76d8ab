import type { AccessLevel } from '../../../domain/projects/account.ts';
import type { ProtectionOverrides } from '../../../domain/ingest/protection-overrides.ts';
import type { Member, Project, Visibility } from '../../../domain/projects/project.ts';
import type { FoundTracker } from '../../../domain/projects/tracker-kind.ts';
import type { ClientKey, TrackingSettings } from '../../../domain/projects/tracking-settings.ts';
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

export function toMember(row: Row): Member {
  return {
    projectId: row.project_id as number,
    userId: row.user_id as number,
    username: row.username as string,
    name: row.name as string,
    blocked: row.blocked === 1,
    accessLevel: row.access_level as AccessLevel,
  };
}

export function toSettings(row: Row): TrackingSettings {
  return {
    projectId: row.project_id as number,
    active: row.active === 1,
    integrated: row.integrated === 1,
    apiUrl: row.api_url as string | null,
    projectName: row.project_name as string | null,
    organizationName: row.organization_name as string | null,
    thirdpartyProjectId: row.thirdparty_project_id as string | null,
    sealedToken: row.sealed_token as string | null,
    tracker: row.tracker === null ? null : (JSON.parse(row.tracker as string) as FoundTracker),
  };
}

export function toProtection(row: Row): ProtectionOverrides {
  return {
    sensitiveFields: JSON.parse(row.sensitive_fields as string) as string[],
    scrubIps: row.scrub_ips === 1,
    keyEventsPerMinute: row.key_events_per_minute as number | null,
    projectEventsPerMinute: row.project_events_per_minute as number | null,
  };
}

export function toKey(row: Row): ClientKey {
  return {
    id: row.id as number,
    projectId: row.project_id as number,
    active: row.active === 1,
    publicKey: row.public_key as string,
    createdAt: row.created_at as number,
    lastUsedAt: row.last_used_at as number | null,
  };
}

/** Maps a row that may be missing. */
export function orNull<T>(row: Row | undefined, map: (row: Row) => T): T | null {
  return row === undefined ? null : map(row);
}
