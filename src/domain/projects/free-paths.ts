import { AppError } from '../app-error.ts';
import { groupOfPath, groupPathsOf, isBelow, isSamePath } from './group-paths.ts';

/** Part of the store that knows which paths are in use. */
interface PathStore {
  projectByPath(path: string): Promise<{ readonly moved: boolean } | null>;
  groupByPath(path: string): Promise<object | null>;
  listGroups(): Promise<readonly { readonly path: string }[]>;
  projectsBelow(path: string): Promise<readonly object[]>;
}

/** Throws `conflict` when a group cannot have a path: a project has it, or one of the paths above. */
export async function assertFreeForGroup(store: Pick<PathStore, 'projectByPath'>, path: string): Promise<void> {
  if (await hasProject(store, path)) throw new AppError('conflict', `the path ${path} is taken by a project`);
  await assertNoProjectAbove(store, path);
}

/**
 * Throws `conflict` when a project cannot have a path: a group has it, or a project has one of the paths above. Another
 * project at the path is refused by the store. `from`: path that the project has now, which it may keep in another case.
 */
export async function assertFreeForProject(store: PathStore, path: string, from: string | null = null): Promise<void> {
  if (from !== null && isSamePath(from, path)) return;
  const hasGroup =
    (await store.groupByPath(path)) !== null ||
    (await store.projectsBelow(path)).length > 0 ||
    (await store.listGroups()).some((group) => isBelow(group.path, path));
  if (hasGroup) throw new AppError('conflict', `a group has the path ${path}`);
  await assertNoProjectAbove(store, path, from);
}

/**
 * Throws `conflict` when a path is below a project: only groups have projects and groups below them. Within its group,
 * what is there already may be renamed.
 */
export async function assertNoProjectAbove(
  store: Pick<PathStore, 'projectByPath'>,
  path: string,
  from: string | null = null,
): Promise<void> {
  if (from !== null && isSamePath(groupOfPath(from) ?? '', groupOfPath(path) ?? '')) return;
  for (const above of groupPathsOf(path)) {
    if (await hasProject(store, above)) {
      throw new AppError('conflict', `${above} is a project, and nothing can be below it: choose another path`);
    }
  }
}

/** True when a project has the path now; former paths of projects are free. */
async function hasProject(store: Pick<PathStore, 'projectByPath'>, path: string): Promise<boolean> {
  const holder = await store.projectByPath(path);
  return holder !== null && !holder.moved;
}
