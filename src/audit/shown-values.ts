import type { AlertChannel } from '../domain/alerts/alert-channel.ts';
import type { AuditEntity, AuditTarget } from '../domain/audit/audit-event.ts';
import type { Forward } from '../domain/ingest/forward.ts';
import { accessLevelName, type AccessToken, type User } from '../domain/projects/account.ts';
import type { Identity } from '../domain/projects/identity.ts';
import type { Group } from '../domain/projects/group.ts';
import type { Invitation } from '../domain/projects/invitation.ts';
import type { Member, Project } from '../domain/projects/project.ts';
import type { ClientKey, TrackingSettings } from '../domain/projects/tracking-settings.ts';
import { urlHost, urlPath } from '../domain/url-parts.ts';
import { hidden, type AuditValues } from './audit-values.ts';

/** Returns host and path of an address, which may have a secret in its user or its query. */
export function plainAddress(url: string | null): string | null {
  return url === null ? null : `${urlHost(url) ?? ''}${urlPath(url) ?? ''}`;
}

const timeText = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

export function entityOfProject({ id, path }: Pick<Project, 'id' | 'path'>): AuditEntity {
  return { type: 'Project', id, path };
}

/** `id`: null for a group that was never made. */
export function entityOfGroup({ id, path }: { readonly id: number | null; readonly path: string }): AuditEntity {
  return { type: 'Group', id, path };
}

export function entityOfUser({ id, username }: Pick<User, 'id' | 'username'>): AuditEntity {
  return { type: 'User', id, path: username };
}

/** Returns what was changed, by its name. */
export const targetOf = (type: string, id: number | string | null, name: string): AuditTarget => ({
  type,
  id: id === null ? null : String(id),
  name,
});

export function projectValues({ path, name, visibility, monitorEnabled }: Project): AuditValues {
  return { path, name, visibility, monitor_enabled: monitorEnabled };
}

export function groupValues({ path, name, description, defaults }: Omit<Group, 'id' | 'createdAt'>): AuditValues {
  const { visibility, errorTracking, alerts } = defaults;
  const ofProjects = { default_visibility: visibility, default_error_tracking: errorTracking, default_alerts: alerts };
  return { path, name, description, ...ofProjects };
}

export function roleValues({ accessLevel }: Pick<Member, 'accessLevel'>): AuditValues {
  return { role: accessLevelName(accessLevel) };
}

/** Without the token of its link. */
export function invitationValues({ accessLevel, expiresAt, tokenHash }: Invitation): AuditValues {
  return { role: accessLevelName(accessLevel), expires_at: timeText(expiresAt), link: hidden(tokenHash) };
}

export function userValues({ name, admin, blocked, email, passwordAllowed }: User): AuditValues {
  return { name, admin, blocked, email, password_allowed: passwordAllowed };
}

export function identityValues({ issuer, subject, name }: Pick<Identity, 'issuer' | 'subject' | 'name'>): AuditValues {
  return { provider: issuer, extern_uid: subject, username: name };
}

/** Without the token and its hash. */
export function tokenValues({ scopes, expiresAt, revokedAt }: AccessToken): AuditValues {
  return { scopes, expires_at: timeText(expiresAt), revoked: revokedAt !== null };
}

/** Without the key itself: its id names it. */
export function keyValues({ active }: ClientKey): AuditValues {
  return { active };
}

export function settingsValues(settings: TrackingSettings): AuditValues {
  return {
    active: settings.active,
    integrated: settings.integrated,
    api_url: plainAddress(settings.apiUrl),
    project_name: settings.projectName,
    organization_name: settings.organizationName,
    thirdparty_project_id: settings.thirdpartyProjectId,
    token: hidden(settings.sealedToken),
  };
}

export function forwardValues({ target, until }: Pick<Forward, 'target' | 'until'>): AuditValues {
  return { target, until: timeText(until) };
}

/** A channel without its address, which often is a secret: the host names it. */
export function channelValues({ type, name, host, enabled, sealed }: AlertChannel): AuditValues {
  return { type, name, host, enabled, address: hidden(sealed) };
}
