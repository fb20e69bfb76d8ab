import { problems } from '../../http/common-schema.ts';
import { overviewsSchema } from './overview-schema.ts';
import { offsetPage } from '../../http/page-links.ts';
import { projectOverviews } from './project-overview.ts';
import { accountRoute, type Route } from '../../http/route.ts';

export const overviewRoutes: readonly Route[] = [
  accountRoute({
    surface: 'api',
    method: 'GET',
    path: '/api/v4/error_tracking/projects',
    operationId: 'listProjectOverviews',
    summary:
      'List your projects (administrators: all projects) with unresolved errors and events per hour, paged by page and per_page',
    action: 'read_self',
    pagedByOffset: true,
    responses: { 200: { description: 'One page of projects, by id', schema: overviewsSchema }, ...problems },
    async handle(call) {
      const { deps, principal } = call;
      const { user } = principal;
      const all = user.admin ? await deps.store.listProjects() : await deps.store.projectsOfUser(user.id);
      const { items, headers } = offsetPage(call, all);
      const favourites = new Set(await deps.store.favourites(user.id));
      const body = await projectOverviews(deps, principal, items, favourites);
      return { status: 200, headers, body };
    },
  }),
];
