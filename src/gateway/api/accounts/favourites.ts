import { OWN_VIEW } from '../../http/audit/audit-rule.ts';
import { problems, problemSchema } from '../../http/common-schema.ts';
import { accountRoute, projectRoute, type Route } from '../../http/route.ts';

const PATH = '/api/v4/user/favourites';
const favouritesSchema = {
  title: 'Favourites',
  type: 'array',
  items: { type: 'integer' },
  description: 'Ids of projects, ascending',
} as const;

const { 401: unauthorised, 403: forbidden } = problems;

export const favouriteRoutes: readonly Route[] = [
  accountRoute({
    method: 'GET',
    path: PATH,
    operationId: 'listFavourites',
    summary: 'List the projects that you marked as favourites',
    action: 'read_self',
    responses: { 200: { description: 'Their ids', schema: favouritesSchema }, 401: unauthorised, 403: forbidden },
    async handle({ deps, principal }) {
      return { status: 200, body: await deps.store.favourites(principal.user.id) };
    },
  }),
  projectRoute({
    method: 'PUT',
    path: `${PATH}/:id`,
    operationId: 'addFavourite',
    summary: 'Mark a project as favourite; at most 200',
    action: 'update_favourites',
    audit: OWN_VIEW,
    responses: {
      204: { description: 'The project is a favourite' },
      ...problems,
      409: { description: 'You have the maximum of favourites', schema: problemSchema },
    },
    async handle({ deps, principal, project }) {
      await deps.store.setFavourite(principal.user.id, project.id, true);
      return { status: 204, body: null };
    },
  }),
  projectRoute({
    method: 'DELETE',
    path: `${PATH}/:id`,
    operationId: 'removeFavourite',
    summary: 'Remove a project from your favourites',
    action: 'update_favourites',
    audit: OWN_VIEW,
    responses: { 204: { description: 'The project is no favourite' }, ...problems },
    async handle({ deps, principal, project }) {
      await deps.store.setFavourite(principal.user.id, project.id, false);
      return { status: 204, body: null };
    },
  }),
];
