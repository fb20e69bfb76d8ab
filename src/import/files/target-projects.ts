import { AppError } from '../../domain/app-error.ts';
import { PUBLIC_KEY_PATTERN, readDsnId } from '../../domain/projects/dsn.ts';
import { projectPathProblem } from '../../domain/names.ts';
import type { Store } from '../../domain/ports/stores/store.ts';
import type { Project } from '../../domain/projects/project.ts';
import { leaveOut, type LeftOuts } from '../state/left-outs.ts';
import { trackingProblems } from '../stages/import-projects.ts';
import { keyName } from '../stages/target-project.ts';
import type { InactiveKey } from './inactive-key.ts';

export type ProjectsStore = Pick<
  Store,
  | 'addAlias'
  | 'createKey'
  | 'createProject'
  | 'keyByPublicKey'
  | 'projectById'
  | 'projectByPath'
  | 'saveSettings'
  | 'setKeyActive'
  | 'settings'
>;

/** Project of a file. */
export interface FileProject {
  /** Path here. */
  readonly path: string;
  readonly name: string;
  /** Ids in DSNs. */
  readonly dsnIds: readonly string[];
  readonly keys: readonly { readonly publicKey: string; readonly active: boolean; readonly label: string | null }[];
}

/** Project here, its new keys, and what does not work yet as sentences. */
export interface TakenProject {
  readonly project: Project;
  readonly keys: number;
  readonly problems: readonly string[];
}

/**
 * Finds the project by its path, or creates it with tracking on, and adds its aliases and keys. Inactive keys stay
 * inactive. What cannot be taken over is listed. May be repeated.
 */
export async function takeProject(
  store: ProjectsStore,
  inactive: InactiveKey,
  given: FileProject,
  left: LeftOuts,
): Promise<TakenProject> {
  const project = await findOrCreate(store, given);
  const problems = await trackingProblems(store, project);
  for (const dsnId of given.dsnIds) {
    const alias = readDsnId(dsnId);
    if (alias === null) leaveOut(left, given.path, `alias "${dsnId}"`, 'no DSN can have it');
    else if (alias !== String(project.id)) await store.addAlias(project.id, alias);
  }
  let keys = 0;
  await switchOffNoted(store, inactive, project);
  for (const key of given.keys) {
    if (!(await canTake(store, project, key, left))) continue;
    if (!key.active) await inactive.note(key.publicKey);
    await store.createKey(project.id, key.publicKey);
    await switchOffNoted(store, inactive, project);
    keys += 1;
  }
  return { project, keys, problems };
}

async function findOrCreate(store: ProjectsStore, { path, name }: FileProject): Promise<Project> {
  const known = await store.projectByPath(path);
  if (known !== null) return known.project;
  const problem = projectPathProblem(path);
  if (problem !== null) throw new AppError('bad_request', `"${path}" cannot be the path of a project. ${problem}`);
  return store.createProject({ path, name, visibility: 'private' });
}

/** False: the key cannot be taken over, or was here before. */
async function canTake(
  store: ProjectsStore,
  project: Project,
  { publicKey, label }: FileProject['keys'][number],
  left: LeftOuts,
): Promise<boolean> {
  const name = keyName(label, publicKey);
  if (!PUBLIC_KEY_PATTERN.test(publicKey)) {
    leaveOut(left, project.path, `key "${name}"`, 'it has characters that no DSN can have');
    return false;
  }
  const known = await store.keyByPublicKey(publicKey);
  if (known !== null && known.projectId !== project.id) {
    const holder = await store.projectById(known.projectId);
    leaveOut(left, project.path, `key "${name}"`, `it belongs to ${holder?.path ?? 'another project'} here`);
    return false;
  }
  return known === null;
}

/** Switches off the noted key, which may be left from a run that was killed. */
async function switchOffNoted(store: ProjectsStore, inactive: InactiveKey, project: Project): Promise<void> {
  if (inactive.value === null) return;
  const key = await store.keyByPublicKey(inactive.value);
  if (key !== null && key.projectId !== project.id) return;
  if (key !== null) await store.setKeyActive(project.id, key.id, false);
  await inactive.note(null);
}
