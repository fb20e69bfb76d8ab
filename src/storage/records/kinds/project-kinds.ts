import type { Forward } from '../../../domain/ingest/forward.ts';
import { integer, kind, nullable, text, type Kind } from '../kind.ts';

export const forwards: Kind<Forward, 'projectId'> = kind({
  name: 'forwards',
  key: ['projectId'],
  of: 'project',
  ingest: true,
  members: { projectId: integer, sealedDsn: text(), target: text(), until: nullable(integer), createdAt: integer },
});

/** Id of a project in another tracker, for its existing DSNs. */
export interface ProjectAlias {
  readonly projectId: number;
  readonly alias: string;
}

export const projectAliases: Kind<ProjectAlias, 'projectId' | 'alias'> = kind({
  name: 'projectAliases',
  key: ['projectId', 'alias'],
  of: 'project',
  ingest: true,
  members: { projectId: integer, alias: text() },
  indexes: { of_project: ['projectId', 'alias'] },
});
