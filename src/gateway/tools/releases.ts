import { MAX_RELEASE_LENGTH, type BuildRelease } from '../../domain/artifacts/build.ts';
import { AppError } from '../../domain/app-error.ts';
import type { Project } from '../../domain/projects/project.ts';
import { isCleanText } from '../../lib/text/clean-text.ts';
import type { ReleaseBody } from './release-bodies.ts';
import type { ToolCall } from './tool-route.ts';

/** Release in all projects that announced it. */
export interface Announced {
  readonly release: string;
  /** At least one. */
  readonly rows: readonly { readonly project: Project; readonly row: BuildRelease }[];
}

/** Returns the name of a release. Throws `bad_request` for one that tools and pages cannot name. */
export function requireName(version: string | undefined): string {
  const name = (version ?? '').trim();
  const bad = name === '' || name === '.' || name === '..' || name.length > MAX_RELEASE_LENGTH;
  if (!bad && !/[\r\n\t\f/\\]/.test(name) && isCleanText(name)) return name;
  throw new AppError(
    'bad_request',
    `A release has 1 to ${MAX_RELEASE_LENGTH} characters, without "/", "\\", tabs and line breaks.`,
  );
}

/** Announces or changes a release; true when it is new in a project. */
export async function saveRelease(
  { deps }: ToolCall,
  projects: readonly Project[],
  release: string,
  { commits, projects: _named, ...patch }: ReleaseBody,
): Promise<boolean> {
  let isNew = false;
  for (const project of projects) {
    const saved = await deps.store.saveBuildRelease(project.id, release, patch, deps.clock.now());
    isNew ||= saved.isNew;
    if (commits !== undefined) await deps.store.putCommits(project.id, release, commits);
    const told = [...(patch.refs ?? []), ...(commits ?? [])].map(({ commit }) => commit);
    if (told.length > 0) await deps.integratedErrors.resolveByCommits(project, release, told);
  }
  return isNew;
}

/**
 * Returns the projects that know a release: by a build, or by an event. Throws `not_found` without any. A request about
 * a release that events brought announces it.
 */
export async function knownProjects(
  { deps }: ToolCall,
  projects: readonly Project[],
  release: string,
): Promise<readonly Project[]> {
  const known: Project[] = [];
  for (const project of projects) {
    const isKnown =
      (await deps.store.buildRelease(project.id, release)) !== null ||
      (await deps.store.releaseByName(project.id, release, null, deps.clock.now())) !== null;
    if (isKnown) known.push(project);
  }
  if (known.length > 0) return known;
  throw new AppError('not_found', `There is no release "${release}": create it with \`releases new\` first.`);
}

/** Returns a release of projects that know it. */
export async function announcedIn(
  { deps }: ToolCall,
  projects: readonly Project[],
  release: string,
): Promise<Announced> {
  const rows = await Promise.all(
    projects.map(async (project) => {
      const row = await deps.store.buildRelease(project.id, release);
      return { project, row: row ?? (await fromEvents(deps, project, release)) };
    }),
  );
  return { release, rows };
}

/** Releases that were announced, newest first; at most 100. */
export async function announced({ deps }: ToolCall, projects: readonly Project[]): Promise<Announced[]> {
  const lists = await Promise.all(
    projects.map(async (project) => (await deps.store.listBuildReleases(project.id)).map((row) => ({ project, row }))),
  );
  const rows = new Map<string, (typeof lists)[number]>();
  for (const each of lists.flat()) {
    const own = rows.get(each.row.release);
    if (own === undefined) rows.set(each.row.release, [each]);
    else own.push(each);
  }
  return [...rows]
    .map(([release, own]) => ({ release, rows: own }))
    .sort((a, b) => createdAt(b) - createdAt(a))
    .slice(0, 100);
}

/** Returns the time of the first announcement. */
export function createdAt({ rows }: Announced): number {
  return Math.min(...rows.map(({ row }) => row.createdAt));
}

async function fromEvents(
  { store, clock }: ToolCall['deps'],
  project: Project,
  release: string,
): Promise<BuildRelease> {
  const seen = await store.releaseByName(project.id, release, null, clock.now());
  const firstSeen = seen?.firstSeen ?? clock.now();
  return {
    ...{ projectId: project.id, release, url: null, createdAt: firstSeen },
    ...{ startedAt: null, releasedAt: null, refs: [] },
  };
}
