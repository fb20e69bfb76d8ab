import type { BuildRelease, Deploy, ReleaseCommit } from '../../../domain/artifacts/build.ts';
import { integer, json, kind, nullable, since, text, type Kind } from '../kind.ts';

/** Project that a token of builds is for. */
export interface TokenProject {
  readonly projectId: number;
  readonly tokenId: number;
}

export const tokenProjects: Kind<TokenProject, 'projectId' | 'tokenId'> = kind({
  name: 'tokenProjects',
  key: ['projectId', 'tokenId'],
  of: 'project',
  members: { projectId: integer, tokenId: integer },
  indexes: { of_token: ['tokenId', 'projectId'], of_project: ['projectId', 'tokenId'] },
});

export const buildReleases: Kind<BuildRelease, 'projectId' | 'release'> = kind({
  name: 'buildReleases',
  key: ['projectId', 'release'],
  of: 'project',
  members: {
    projectId: integer,
    release: text(),
    url: nullable(text()),
    createdAt: integer,
    startedAt: nullable(integer),
    releasedAt: nullable(integer),
    refs: json(),
  },
  indexes: { of_project: ['projectId', 'release'] },
});

/** Commit of a release, with the digits by which it is found; empty: of a row of before, or one without such. */
export interface StoredCommit extends ReleaseCommit {
  readonly start: string;
}

export const releaseCommits: Kind<StoredCommit, 'projectId' | 'release' | 'place'> = kind({
  name: 'releaseCommits',
  key: ['projectId', 'release', 'place'],
  of: 'project',
  members: {
    projectId: integer,
    release: text(),
    place: integer,
    commit: text(),
    repository: nullable(text()),
    authorName: nullable(text()),
    authorEmail: nullable(text()),
    message: nullable(text()),
    at: nullable(integer),
    files: json(),
    filesLeftOut: since(integer, 0),
    start: since(text(), ''),
  },
  indexes: {
    of_release: ['projectId', 'release', 'place'],
    of_commit: ['projectId', 'start', 'release', 'place'],
  },
});

export const deploys: Kind<Deploy, 'id'> = kind({
  name: 'deploys',
  key: ['id'],
  numbered: true,
  of: 'project',
  members: {
    id: integer,
    projectId: integer,
    release: text(),
    environment: text(),
    name: nullable(text()),
    url: nullable(text()),
    startedAt: nullable(integer),
    finishedAt: integer,
  },
  indexes: { of_release: ['projectId', 'release', 'id'], of_project: ['projectId', 'id'] },
});
