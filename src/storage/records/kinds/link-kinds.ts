import type { StoredLinks } from '../../../domain/ports/stores/link-store.ts';
import { integer, json, kind, nullable, text, type Kind } from '../kind.ts';

export type LinksOfProject = StoredLinks & { readonly projectId: number };

export const projectLinks: Kind<LinksOfProject, 'projectId'> = kind({
  name: 'projectLinks',
  key: ['projectId'],
  of: 'project',
  members: {
    projectId: integer,
    repository: nullable(json()),
    issueTracker: nullable(json()),
    sealedToken: nullable(text()),
  },
});

/** Project that a person marked. */
export interface Favourite {
  readonly userId: number;
  readonly projectId: number;
}

export const favourites: Kind<Favourite, 'projectId' | 'userId'> = kind({
  name: 'favourites',
  key: ['projectId', 'userId'],
  of: 'member',
  members: { projectId: integer, userId: integer },
  indexes: { of_user: ['userId', 'projectId'], of_project: ['projectId'] },
});
