import { hash } from 'node:crypto';
import { createProjectInGroup } from '../../domain/projects/create-project.ts';
import { AppError } from '../../domain/app-error.ts';
import type { ImportSource } from '../../domain/imports/import.ts';
import { projectPathProblem } from '../../domain/names.ts';
import type { Project } from '../../domain/projects/project.ts';
import type { ChosenProject, ImportDeps, ImportFrom, RunningStore } from '../import-run.ts';
import type { ProjectsReader, RemoteProject } from '../tracker-reader.ts';

/** Where the history of a project goes. */
export interface Target {
  /** Null: created when the import runs. */
  readonly project: Project | null;
  readonly path: string;
  /** Earlier import of the same project; its errors are brought up to date. */
  readonly source: ImportSource | null;
}

export type TargetStore = Pick<RunningStore, 'listImportSources' | 'projectById' | 'projectByPath'>;

/** Lists the projects that earlier imports from there have filled. Read once per run: it reads those of all trackers. */
export async function sourcesOf(
  store: Pick<TargetStore, 'listImportSources'>,
  { url, organization, reader }: ImportFrom<ProjectsReader>,
): Promise<ImportSource[]> {
  const sources = await store.listImportSources(null);
  return sources.filter((one) => one.kind === reader.kind && one.url === url && one.organization === organization);
}

/**
 * Finds the target of a project: the chosen one, else that of an earlier import, else the path that an export shows or
 * `<organization>/<slug>`. Throws `invalid_parameter` when that is no path of a project, `project_not_found` when the
 * chosen project is gone. `sources`: what `sourcesOf` lists.
 */
export async function findTarget(
  store: TargetStore,
  organization: string,
  sources: readonly ImportSource[],
  remote: Pick<RemoteProject, 'id' | 'slug' | 'settings'>,
  chosen: ChosenProject | null,
): Promise<Target> {
  // A project that was renamed there keeps its number.
  const isSame = (one: ImportSource): boolean =>
    one.externalProjectId === null || remote.id === null
      ? one.project === remote.slug
      : one.externalProjectId === remote.id;
  const project = await chosenProject(store, chosen, organization, remote);
  const known = sources.filter(isSame);
  if (chosen === null || chosen.path === null) {
    const here = known.find((one) => one.projectId === project.project?.id);
    const earlier = chosen === null || chosen.projectId === null ? (here ?? known[0]) : here;
    const former = earlier === undefined ? null : await store.projectById(earlier.projectId);
    if (earlier !== undefined && former !== null) return { project: former, path: former.path, source: earlier };
  }
  const source = known.find((one) => one.projectId === project.project?.id) ?? null;
  return { ...project, source };
}

async function chosenProject(
  store: TargetStore,
  chosen: ChosenProject | null,
  organization: string,
  { slug, settings }: Pick<RemoteProject, 'slug' | 'settings'>,
): Promise<Omit<Target, 'source'>> {
  if (chosen !== null && chosen.projectId !== null) {
    const project = await store.projectById(chosen.projectId);
    if (project === null) throw new AppError('project_not_found', `there is no project ${chosen.projectId}`);
    return { project, path: project.path };
  }
  const path = chosen?.path ?? settings?.path ?? `${organization}/${slug}`;
  const problem = projectPathProblem(path);
  if (problem !== null) {
    throw new AppError(
      'invalid_parameter',
      `${path} cannot be the path of a project. ${problem} Choose one: --project ${slug}=group/path`,
    );
  }
  const project = (await store.projectByPath(path))?.project ?? null;
  return { project, path: project?.path ?? path };
}

/** Creates the project where it is missing, with tracking on. */
export async function openTarget(
  { store }: ImportDeps,
  target: Target,
  { name, settings }: Pick<RemoteProject, 'name' | 'settings'>,
): Promise<Project> {
  if (target.project !== null) return target.project;
  const visibility = settings?.visibility;
  const wanted = { path: target.path, name, ...(visibility !== undefined && { visibility }) };
  const project = await createProjectInGroup(store, store, wanted);
  await store.saveSettings(project.id, { active: true, integrated: true });
  if (settings?.monitorEnabled !== false) return project;
  return (await store.updateProject(project.id, { monitorEnabled: false })) ?? project;
}

/** Names a key in reports, which must not hold the key itself. */
export function keyName(label: string | null, publicKey: string): string {
  return label ?? `key ${hash('sha256', publicKey, 'hex').slice(0, 6)}`;
}
