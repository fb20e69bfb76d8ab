import type { ProtectionOverrides } from '../../../domain/ingest/protection-overrides.ts';
import type { ClientKey, TrackingSettings } from '../../../domain/projects/tracking-settings.ts';
import { boolean, integer, json, kind, nullable, text, type Kind } from '../kind.ts';

export const settings: Kind<TrackingSettings, 'projectId'> = kind({
  name: 'settings',
  key: ['projectId'],
  of: 'project',
  ingest: true,
  cached: true,
  members: {
    projectId: integer,
    active: boolean,
    integrated: boolean,
    apiUrl: nullable(text()),
    projectName: nullable(text()),
    organizationName: nullable(text()),
    thirdpartyProjectId: nullable(text()),
    sealedToken: nullable(text()),
    tracker: nullable(json()),
  },
});

export type ProtectionOfProject = ProtectionOverrides & { readonly projectId: number };

/** Overrides of projects that have some. */
export const protections: Kind<ProtectionOfProject, 'projectId'> = kind({
  name: 'protections',
  key: ['projectId'],
  of: 'project',
  ingest: true,
  members: {
    projectId: integer,
    sensitiveFields: json(),
    scrubIps: boolean,
    keyEventsPerMinute: nullable(integer),
    projectEventsPerMinute: nullable(integer),
  },
});

export const clientKeys: Kind<ClientKey, 'id'> = kind({
  name: 'clientKeys',
  key: ['id'],
  numbered: true,
  of: 'project',
  ingest: true,
  members: {
    id: integer,
    projectId: integer,
    active: boolean,
    publicKey: text(),
    createdAt: integer,
    lastUsedAt: nullable(integer),
  },
  unique: { by_public_key: ['publicKey'] },
  indexes: { of_project: ['projectId', 'id'] },
});
