import type { CommitsInShort, Deploy, ReleaseCommit } from '../../domain/artifacts/build.ts';
import { slugOf } from '../../domain/projects/slugs.ts';
import { isoTime } from '../http/iso-time.ts';
import { createdAt, type Announced } from './releases.ts';
import type { ToolCall } from './tool-route.ts';

const time = (at: number | null) => (at === null ? null : isoTime(at));

/** Presents a release with the members that tools require: projects must be objects, and `dateCreated` a time. */
export async function presentToolRelease({ deps }: ToolCall, announced: Announced) {
  const { release, rows } = announced;
  const ids = rows.map(({ project }) => project.id);
  const commits = await firstOf<CommitsInShort>(
    ids,
    (id) => deps.store.commitsInShort(id, release),
    ({ count }) => count > 0,
  );
  const deploys = await firstOf<readonly Deploy[]>(
    ids,
    (id) => deps.store.deploysOfRelease(id, release),
    (found) => found.length > 0,
  );
  const [lastCommit, lastDeploy] = [commits?.first ?? null, deploys?.[0]];
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
    commitCount: commits?.count ?? 0,
    deployCount: deploys?.length ?? 0,
    data: {},
    lastCommit: lastCommit !== null ? presentCommit(lastCommit) : ref === null ? null : commitOf(ref),
    lastDeploy: lastDeploy === undefined ? null : presentDeploy(lastDeploy),
  };
}

/** Returns what the first project has that has some; null: none has. */
async function firstOf<T>(
  ids: readonly number[],
  read: (id: number) => Promise<T>,
  isSome: (found: T) => boolean,
): Promise<T | null> {
  for (const id of ids) {
    const found = await read(id);
    if (isSome(found)) return found;
  }
  return null;
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
