import { decide } from '../../auth/policy.ts';
import type { Principal } from '../../auth/principal.ts';
import { formerListIn } from '../../domain/former-list.ts';
import type { Project } from '../../domain/project.ts';
import { isOfSource } from '../api/import/find-former-link.ts';
import type { CommonDeps } from '../http/route-deps.ts';
import { projectByPath } from '../http/project-lookup.ts';

/**
 * Finds the projects whose list in a former tracker has this path, as far as the user may read them. None for paths of
 * own projects.
 */
export async function findFormerList(
  { store }: Pick<CommonDeps, 'store'>,
  principal: Principal,
  path: string,
): Promise<Project[]> {
  const list = formerListIn(path);
  if (list === null) return [];
  const own = path.replace(/\?.*$/, '').replace(/^\/|\/$/g, '');
  if ((await projectByPath(store, own)) !== null) return [];
  const name = list.project?.toLowerCase() ?? null;
  const ids = (await store.listImportSources(null))
    .filter((source) => isOfSource(source, list.names))
    .filter(
      ({ project, externalProjectId }) =>
        name === null || project.toLowerCase() === name || externalProjectId === list.project,
    )
    .map(({ projectId }) => projectId);
  const found: Project[] = [];
  for (const id of new Set(ids)) {
    const project = await store.projectById(id);
    if (project === null) continue;
    const level = await store.accessLevel(id, principal.user.id);
    if (decide(principal, 'read_errors', project, level) === 'ok') found.push(project);
  }
  return found;
}
