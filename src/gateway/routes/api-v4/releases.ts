import { problems } from '../../../schemas/api/common.ts';
import {
  filterValuesSchema,
  listReleasesSchema,
  releasesSchema,
  type ListReleases,
} from '../../../schemas/api/release.ts';
import { cursorLinks, pageSize } from '../../page-links.ts';
import { presentRelease } from '../../presenters/release.ts';
import { staleHeader } from '../../presenters/stale.ts';
import { projectRoute, type Route } from '../../route.ts';
import { integratedOnly, trackedProject } from '../../tracked-project.ts';

export const releaseRoutes: readonly Route[] = [
  projectRoute<ListReleases>({
    surface: 'api',
    method: 'GET',
    path: '/api/v4/projects/:id/error_tracking/releases',
    operationId: 'listReleases',
    summary:
      'List releases, newest first, with their sessions and crash-free rates, paged by the cursors of the Link header',
    action: 'read_errors',
    parameters: listReleasesSchema,
    responses: { 200: { description: 'One page of releases', schema: releasesSchema }, ...problems },
    async handle(call) {
      const tracked = await trackedProject(call);
      const limit = pageSize(call.params.per_page);
      const environment = call.params.environment ?? null;
      const query = { environment, limit, cursor: call.params.cursor ?? null };
      const refusal = 'the connected third-party tracker cannot list releases';
      const page = await integratedOnly(tracked, refusal).releases(call.project, query);
      const headers = { ...cursorLinks(call, page, limit), ...staleHeader(page) };
      return {
        status: 200,
        headers,
        body: page.items.map((release) => presentRelease(release, call.project, environment)),
      };
    },
  }),
  projectRoute({
    surface: 'api',
    method: 'GET',
    path: '/api/v4/projects/:id/error_tracking/filter_values',
    operationId: 'listFilterValues',
    summary: 'List the environments and releases that errors can be filtered by, at most 100 of each',
    action: 'read_errors',
    responses: { 200: { description: 'Names of environments and releases', schema: filterValuesSchema }, ...problems },
    async handle(call) {
      const refusal = 'the connected third-party tracker cannot list environments and releases';
      const errors = integratedOnly(await trackedProject(call), refusal);
      const { environments, releases } = await errors.filterValues(call.project);
      return { status: 200, body: { environments, releases } };
    },
  }),
];
