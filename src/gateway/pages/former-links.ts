import type { Context, Middleware } from 'koa';
import { decide } from '../../auth/policy.ts';
import type { Principal } from '../../auth/principal.ts';
import { AppError } from '../../domain/app-error.ts';
import { formerListIn } from '../../domain/imports/former-list.ts';
import type { Project } from '../../domain/projects/project.ts';
import { findFormerLink, isOfSource } from '../api/import/former-links.ts';
import { identify } from '../http/identify.ts';
import { projectByPath } from '../http/project-lookup.ts';
import type { RouteDeps, CommonDeps } from '../http/route-deps.ts';
import { basePath, isFormerAddress, isFormerList } from './pages.ts';

/**
 * Redirects the address of an issue in a former tracker to the imported error, and that of a list to the project's, for
 * a caller that may read it and when there is one such error. The address of a list of several projects leads to the list
 * of projects. Others get the page, which leads through the sign-in and asks again.
 */
export function formerLinks(deps: RouteDeps): Middleware {
  return async (ctx, next) => {
    const isIssue = isFormerAddress(ctx);
    const location = isIssue || isFormerList(ctx) ? await locationOf(ctx, deps, isIssue) : null;
    if (location === null) {
      await next();
      return;
    }
    ctx.state.group = 'page';
    ctx.set('Cache-Control', 'no-store');
    ctx.redirect(location);
  };
}

async function locationOf(ctx: Context, deps: RouteDeps, isIssue: boolean): Promise<string | null> {
  try {
    const { principal } = await identify(ctx, deps, {}, {});
    if (!isIssue) {
      const [first, second] = await findFormerList(deps, principal, ctx.path + ctx.search);
      if (first === undefined) return null;
      // The start page lists the projects.
      return basePath(deps.externalUrl()) + (second === undefined ? `${first.path}/-/error_tracking` : '');
    }
    const [only, another] = await findFormerLink(deps, principal, ctx.path + ctx.search);
    if (only === undefined || another !== undefined) return null;
    const { pathname, search } = new URL(only.web_url);
    return pathname + search;
  } catch (error) {
    // Let the page report the error.
    if (error instanceof AppError) return null;
    throw error;
  }
}

/**
 * Finds the projects whose list in a former tracker has this path, as far as the user may read them. None for paths of
 * own projects.
 */
async function findFormerList(
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
