import { AppError } from '../../domain/app-error.ts';
import type { ImportSource } from '../../domain/imports/import.ts';
import { readDsnId } from '../../domain/projects/dsn.ts';
import type { Project } from '../../domain/projects/project.ts';
import type { ChosenProject, ImportDeps, ImportFrom, ImportOptions } from '../import-run.ts';
import type { ProjectsReader, RemoteProject } from '../tracker-reader.ts';
import { findTarget, openTarget, type Target, type TargetStore } from './target-project.ts';

/** In the place of a source's id, where no history is imported. */
export const NO_SOURCE = 0;

/** Project of the tracker whose history is imported, with its project here. */
export interface OpenedProject {
  readonly remote: RemoteProject;
  readonly project: Project;
  /** NO_SOURCE: none. */
  readonly sourceId: number;
  /** What does not work yet, as sentences. */
  readonly problems: readonly string[];
  /** Ids of DSNs there that no DSN here can have. */
  readonly unusableIds: readonly string[];
}

/** Project of the tracker that is wanted, with the wish of the operator. */
export interface WantedProject {
  readonly remote: RemoteProject;
  readonly chosen: ChosenProject | null;
}

/**
 * Lists the wanted projects. Calls `missing` for those that the tracker does not have. Slugs are compared without regard
 * to case.
 */
export async function wantedProjects(
  { reader }: ImportFrom<ProjectsReader>,
  options: Pick<ImportOptions, 'projects'>,
  signal: AbortSignal,
  missing: (slug: string) => void,
): Promise<WantedProject[]> {
  const wanted: WantedProject[] = [];
  const open = new Map(options.projects?.map((one) => [one.slug.toLowerCase(), one]));
  for await (const remote of reader.projects(signal)) {
    const chosen = open.get(remote.slug.toLowerCase()) ?? null;
    if (options.projects !== null && chosen === null) continue;
    open.delete(remote.slug.toLowerCase());
    wanted.push({ remote, chosen });
  }
  for (const { slug } of open.values()) missing(slug);
  return wanted;
}

/**
 * Describes two projects that would go to one path, as with `--project one=acme/two --project two`; null: there are
 * none. Those that earlier imports have put there stay there.
 */
export async function sharedTarget(
  store: TargetStore,
  organization: string,
  sources: readonly ImportSource[],
  wanted: readonly WantedProject[],
): Promise<string | null> {
  const seen = new Map<string, { readonly slug: string; readonly isNew: boolean }>();
  for (const { remote, chosen } of wanted) {
    const target = await findTarget(store, organization, sources, remote, chosen).catch((error: unknown) => {
      if (error instanceof AppError && error.code !== 'store_unavailable') return null;
      throw error;
    });
    // Listed with its reason when it is opened.
    if (target === null) continue;
    const { path } = target;
    const other = seen.get(path.toLowerCase());
    const isNew = target.source === null;
    if (other !== undefined && (isNew || other.isNew)) {
      return (
        `${other.slug} and ${remote.slug} would both go to ${path}, and two histories in one project cannot be told ` +
        `apart, so nothing was imported: choose another path, as in --project ${remote.slug}=group/name`
      );
    }
    seen.set(path.toLowerCase(), { slug: remote.slug, isNew });
  }
  return null;
}

/** Opens the project here that gets the history, and adds a new source to `sources`. Repeatable. */
export async function openProject(
  deps: ImportDeps,
  from: ImportFrom<ProjectsReader>,
  sources: ImportSource[],
  { remote, chosen }: WantedProject,
  options: Pick<ImportOptions, 'bothReceiveUntil'>,
): Promise<OpenedProject> {
  const target = await findTarget(deps.store, from.organization, sources, remote, chosen);
  const project = await openTarget(deps, target, remote);
  const source = await openSource(deps, from, sources, remote, target, project);
  if (options.bothReceiveUntil !== undefined) {
    await deps.store.setBothReceiveUntil(source, options.bothReceiveUntil);
  }
  return openedProject(deps, remote, project, source);
}

/** As `openProject`, for a file of projects without history, which is no source of errors. */
export async function openWithoutHistory(
  deps: ImportDeps,
  organization: string,
  { remote, chosen }: WantedProject,
): Promise<OpenedProject> {
  const target = await findTarget(deps.store, organization, [], remote, chosen);
  return openedProject(deps, remote, await openTarget(deps, target, remote), NO_SOURCE);
}

async function openedProject(
  deps: ImportDeps,
  remote: RemoteProject,
  project: Project,
  sourceId: number,
): Promise<OpenedProject> {
  const unusableIds = await acceptOldIds(deps, remote, project);
  return { remote, project, sourceId, problems: await trackingProblems(deps.store, project), unusableIds };
}

async function openSource(
  deps: ImportDeps,
  { url, organization, reader }: ImportFrom<ProjectsReader>,
  sources: ImportSource[],
  remote: RemoteProject,
  { source }: Target,
  project: Project,
): Promise<number> {
  if (source !== null) return source.id;
  const added = await deps.store.addImportSource(
    {
      projectId: project.id,
      kind: reader.kind,
      url,
      organization,
      project: remote.slug,
      externalProjectId: remote.id,
    },
    deps.clock.now(),
  );
  sources.push(added);
  return added.id;
}

/** A project that a person has set up keeps its settings; only one without any is switched on. */
async function trackingProblems(
  store: Pick<ImportDeps['store'], 'settings' | 'saveSettings'>,
  project: Project,
): Promise<string[]> {
  const settings = await store.settings(project.id);
  if (settings === null) {
    await store.saveSettings(project.id, { active: true, integrated: true });
    return [];
  }
  if (!settings.active) return [`tracking of ${project.path} is off here: new events are refused until it is on`];
  if (settings.integrated) return [];
  return [`${project.path} shows an external tracker: new events are refused until its backend is integrated`];
}

/**
 * Accepts DSNs with the ids that the project has there. Their keys decide the project, so equal ids do not collide.
 * Returns ids that no DSN can have.
 */
async function acceptOldIds(
  { store }: ImportDeps,
  { id, settings }: RemoteProject,
  project: Project,
): Promise<string[]> {
  const unusable: string[] = [];
  for (const given of [...(id === null ? [] : [id]), ...(settings?.aliasIds ?? [])]) {
    const alias = readDsnId(given);
    if (alias === null) unusable.push(given);
    else if (alias !== String(project.id)) await store.addAlias(project.id, alias);
  }
  return unusable;
}
