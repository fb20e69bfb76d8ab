import type { Project } from '../../../domain/project.ts';
import { problems } from '../../http/common-schema.ts';
import { errorStreamSchema, listStreamSchema, type ListStream } from './errors-of-all-projects-schema.ts';
import { errorStream } from './merge-error-lists.ts';
import { pageSize } from '../../http/page-links.ts';
import { presentError } from './error-presenter.ts';
import { accountRoute, type Route } from '../../http/route.ts';

const presentPlace = ({ id, name, path }: Project) => ({ id, name, path_with_namespace: path });

export const errorStreamRoutes: readonly Route[] = [
  accountRoute<ListStream>({
    surface: 'api',
    method: 'GET',
    path: '/api/v4/error_tracking/errors',
    operationId: 'listStream',
    summary: 'List the unresolved errors that matter most, of all projects whose errors you may read',
    action: 'read_self',
    parameters: listStreamSchema,
    responses: {
      200: { description: 'The first errors of all projects', schema: errorStreamSchema },
      400: problems[400],
      401: problems[401],
      403: problems[403],
    },
    async handle({ deps, principal, params }) {
      const limit = pageSize(params.per_page);
      const { errors, missing, leftOut } = await errorStream(deps, principal, limit, params.favourites === true);
      const externalUrl = deps.externalUrl();
      const body = {
        errors: errors.map(({ error, project, integrated }) => ({
          ...presentError(error, { project, integrated, externalUrl }),
          project: presentPlace(project),
        })),
        missing: missing.map(({ project, reason }) => ({ project: presentPlace(project), reason })),
        left_out: leftOut,
      };
      return { status: 200, body };
    },
  }),
];
