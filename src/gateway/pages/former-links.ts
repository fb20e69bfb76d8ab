import type { Context, Middleware } from 'koa';
import { AppError } from '../../domain/app-error.ts';
import { findFormerLink } from '../api/import/find-former-link.ts';
import { findFormerList } from './find-former-list.ts';
import type { RouteDeps } from '../http/route-deps.ts';
import { identify } from '../http/identify.ts';
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
    // The page says what is wrong.
    if (error instanceof AppError) return null;
    throw error;
  }
}
