import type { Deploy, ReleaseCommit } from '../../domain/artifacts/build.ts';
import { slugOf } from '../../domain/projects/slugs.ts';
import { isoTime } from '../http/iso-time.ts';
import { createdAt, type Announced } from './releases.ts';
import type { ToolCall } from './tool-route.ts';

const time = (at: number | null) => (at === null ? null : isoTime(at));

/** Presents a release with the members that tools require: projects must be objects, and `dateCreated` a time. */
export async function presentToolRelease({ deps }: ToolCall, announced: Announced) {
  const { release, rows } = announced;
  const ids = rows.map(({ project }) => project.id);
  const commits = await firstOf(ids, (id) => deps.store.commitsOfRelease(id, release));
  const deploys = await firstOf(ids, (id) => deps.store.deploysOfRelease(id, release));
  const latest = (of: 'releasedAt' | 'startedAt') => Math.max(0, ...rows.map(({ row }) => row[of] ?? 0)) || null;
  const ref = rows.flatMap(({ row }) => row.refs)[0]?.commit ?? null;
  return {
    id: 0,
    version: release,
    shortVersion: release,
    status: 'open',
    ref,
    url: rows.map(({ row }) => row.url).find((url) => url !== null) ?? null,
    dateCreated: isoTime(createdAt(announced)),
    dateStarted: time(latest('startedAt')),
    dateReleased: time(latest('releasedAt')),
    newGroups: 0,
    projects: rows.map(({ project }) => ({
      id: project.id,
      slug: slugOf(project),
      name: project.name,
      platform: null,
    })),
    authors: [],
    commitCount: commits.length,
    deployCount: deploys.length,
    data: {},
    lastCommit: commits[0] !== undefined ? presentCommit(commits[0]) : ref === null ? null : commitOf(ref),
    lastDeploy: deploys[0] === undefined ? null : presentDeploy(deploys[0]),
  };
}

/** Returns the list of the first project that has one. */
async function firstOf<T>(ids: readonly number[], list: (id: number) => Promise<readonly T[]>): Promise<readonly T[]> {
  for (const id of ids) {
    const found = await list(id);
    if (found.length > 0) return found;
  }
  return [];
}

/** Presents the commit of a repository, of which a tool sent the name alone. */
const commitOf = (id: string) => ({ id, message: null, dateCreated: null, author: null });

export function presentCommit({ commit, message, at, authorName, authorEmail }: ReleaseCommit) {
  return {
    id: commit,
    message,
    dateCreated: time(at),
    author: authorName === null && authorEmail === null ? null : { name: authorName, email: authorEmail },
  };
}

export function presentDeploy({ id, environment, name, url, startedAt, finishedAt }: Deploy) {
  return {
    id: String(id),
    environment,
    name,
    url,
    dateStarted: time(startedAt),
    dateFinished: isoTime(finishedAt),
  };
}
