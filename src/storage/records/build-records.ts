import {
  MAX_COMMITS_OF_RELEASE,
  MAX_DEPLOYS_OF_PROJECT,
  MAX_DEPLOYS_OF_RELEASE,
  MAX_FILES_OF_RELEASE,
  type BuildRelease,
  type ReleaseCommit,
} from '../../domain/artifacts/build.ts';
import { AppError } from '../../domain/app-error.ts';
import { commitStart, isSameCommit } from '../../domain/releases/release-of-commit.ts';
import { announcedTime } from '../../domain/releases/release-order.ts';
import type { NewCommit } from '../../domain/ports/stores/build-store.ts';
import type { StoreTable } from '../store-table.ts';
import { buildReleases, deploys, releaseCommits, tokenProjects, type StoredCommit } from './kinds/build-kinds.ts';
import { isProject, requiredProject } from './owners.ts';
import type { Records } from './records.ts';
import { change, insert, put, remove, removeAll } from './writes.ts';

/** The row with the greatest place: places are counted from 0 without a gap. */
const LAST = { newest: 'place', limit: 1 } as const;

/** Methods of the port about releases as build tools tell of them. */
export const BUILD_RECORDS = {
  async addProjectsOfToken(records, tokenId, projectIds) {
    const writes = projectIds.map((projectId) => put(tokenProjects, { projectId, tokenId }));
    await records.write(writes, projectIds.map(requiredProject));
  },
  async tokensOfProject(records, projectId) {
    return (await records.list(tokenProjects, { projectId })).map(({ tokenId }) => tokenId).sort((a, b) => a - b);
  },
  async projectsOfToken(records, tokenId) {
    return (await records.list(tokenProjects, { tokenId })).map(({ projectId }) => projectId).sort((a, b) => a - b);
  },

  async saveBuildRelease(records, projectId, release, patch, now) {
    const key = { projectId, release };
    const fresh: BuildRelease = {
      ...key,
      ...{ url: null, createdAt: now, startedAt: null, releasedAt: null, refs: [] },
      ...patch,
    };
    const [made] = await records.write(
      [insert(buildReleases, fresh, { when: [isProject(projectId)] })],
      [requiredProject(projectId)],
    );
    if (made !== null) return { release: made, isNew: true };
    await records.write([change(buildReleases, key, patch)]);
    const changed = await records.get(buildReleases, key);
    if (changed === null) throw new AppError('not_found', `the release ${release} was removed meanwhile: try again`);
    return { release: changed, isNew: false };
  },
  buildRelease: (records, projectId, release) => records.get(buildReleases, { projectId, release }),
  async listBuildReleases(records, projectId) {
    return (await records.list(buildReleases, { projectId })).sort((a, b) => b.createdAt - a.createdAt);
  },
  async removeBuildRelease(records, projectId, release) {
    const key = { projectId, release };
    const writes = [remove(buildReleases, key), removeAll(releaseCommits, key), removeAll(deploys, key)] as const;
    const [removed] = await records.write(writes);
    return removed;
  },

  async putCommits(records, projectId, release, commits) {
    const rows = withinBounds(commits).map((commit, place) => {
      return { ...commit, projectId, release, place, start: commitStart(commit.commit) };
    });
    await records.write(
      rows.map((row) => put(releaseCommits, row)),
      [requiredProject(projectId)],
    );
    const [last] = await records.list(releaseCommits, { projectId, release }, LAST);
    const surplus = Array.from(
      { length: Math.max(0, placesTo(last) - rows.length) },
      (_, at) => placesTo(last) - 1 - at,
    );
    await records.write(surplus.map((place) => remove(releaseCommits, { projectId, release, place })));
  },
  async commitsOfRelease(records, projectId, release, limit) {
    const found = await records.list(releaseCommits, { projectId, release }, limit === undefined ? {} : { limit });
    return found.map(withoutStart);
  },
  async commitsInShort(records, projectId, release) {
    const of = { projectId, release };
    const [[first = null], [last]] = await Promise.all([
      records.list(releaseCommits, of, { limit: 1 }),
      records.list(releaseCommits, of, LAST),
    ]);
    return { count: placesTo(last), first: first === null ? null : withoutStart(first) };
  },
  async releasesWithCommit(records, projectId, commit) {
    const start = commitStart(commit);
    if (start === '') return [];
    const [found, announced] = await Promise.all([
      records.list(releaseCommits, { projectId, start }),
      records.list(buildReleases, { projectId }),
    ]);
    const isNamed = (each: { readonly commit: string }) => isSameCommit(each.commit, commit);
    const names = found.filter(isNamed).map(({ release }) => release);
    const built = announced.filter(({ refs }) => refs.some(isNamed)).map(({ release }) => release);
    const times = new Map(announced.map((each) => [each.release, announcedTime(undefined, each)]));
    const timeOf = (release: string) => times.get(release) ?? Infinity;
    // A difference of two infinite times is no number.
    return [...new Set([...names, ...built])].sort((a, b) =>
      timeOf(a) < timeOf(b) ? -1 : Number(timeOf(a) > timeOf(b)),
    );
  },

  async addDeploy(records, deploy) {
    const { projectId, release } = deploy;
    const [made] = await records.write(
      [insert(deploys, deploy, { when: [isProject(projectId)] })],
      [requiredProject(projectId)],
    );
    if (made === null) throw new AppError('project_not_found', `there is no project with the id ${projectId}`);
    const ofProject = await records.list(deploys, { projectId });
    const ofRelease = ofProject.filter((each) => each.release === release);
    const surplus = [...ofProject.slice(0, -MAX_DEPLOYS_OF_PROJECT), ...ofRelease.slice(0, -MAX_DEPLOYS_OF_RELEASE)];
    await records.write(surplus.map(({ id }) => remove(deploys, { id })));
    return made;
  },
  async deploysOfRelease(records, projectId, release) {
    return (await records.list(deploys, { projectId, release })).reverse();
  },
  async deploysOfProject(records, projectId) {
    return (await records.list(deploys, { projectId })).reverse();
  },
} as const satisfies StoreTable<Records>;

const withoutStart = ({ start: _, ...commit }: StoredCommit): ReleaseCommit => commit;

function placesTo(last: { readonly place: number } | undefined): number {
  return last === undefined ? 0 : last.place + 1;
}

/** Returns the commits that are kept, with the files that are: those of the first commits. */
function withinBounds(commits: readonly NewCommit[]): Required<NewCommit>[] {
  let left = MAX_FILES_OF_RELEASE;
  return commits.slice(0, MAX_COMMITS_OF_RELEASE).map((commit) => {
    const files = commit.files.slice(0, left);
    left -= files.length;
    return { ...commit, files, filesLeftOut: (commit.filesLeftOut ?? 0) + commit.files.length - files.length };
  });
}
