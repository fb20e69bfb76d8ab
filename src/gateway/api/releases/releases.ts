import { problems } from '../../http/common-schema.ts';
import { cursorLinks, pageSize } from '../../http/page-links.ts';
import { projectRoute, type Route } from '../../http/route.ts';
import { integratedOnly, projectBackend } from '../shared/project-backend.ts';
import { staleHeader } from '../shared/stale.ts';
import { presentComparison, presentDeploy, presentRelease, presentReleaseDetail } from './release-presenter.ts';
import {
  compareReleasesSchema,
  deploysSchema,
  filterValuesSchema,
  getReleaseSchema,
  listDeploysSchema,
  listFilterValuesSchema,
  listReleasesSchema,
  MAX_DEPLOYS_LISTED,
  releaseComparisonSchema,
  releaseDetailSchema,
  releasesSchema,
} from './release-schema.ts';

const REFUSAL = 'the connected third-party tracker cannot list releases';

export const releaseRoutes: readonly Route[] = [
  projectRoute({
    method: 'GET',
    path: '/api/v4/projects/:id/error_tracking/releases',
    operationId: 'listReleases',
    summary:
      'List releases, newest first, with their sessions and crash-free rates, paged by the cursors of the Link header',
    action: 'read_errors',
    parameters: listReleasesSchema,
    responses: { 200: { description: 'One page of releases', schema: releasesSchema }, ...problems },
    async handle(call) {
      const tracked = await projectBackend(call);
      const limit = pageSize(call.params.per_page);
      const environment = call.params.environment ?? null;
      const query = { environment, sort: call.params.sort, limit, cursor: call.params.cursor ?? null };
      const page = await integratedOnly(tracked, REFUSAL).releases(call.project, query);
      const headers = { ...cursorLinks(call, page, limit), ...staleHeader(page) };
      return {
        status: 200,
        headers,
        body: page.items.map((release) => presentRelease(release, call.project, environment)),
      };
    },
  }),
  // Before the next one, so that `compare` is not the name of a release.
  projectRoute({
    method: 'GET',
    path: '/api/v4/projects/:id/error_tracking/releases/compare',
    operationId: 'compareReleases',
    summary: 'Compare two releases: errors that are new, gone and louder',
    action: 'read_errors',
    parameters: compareReleasesSchema,
    responses: { 200: { description: 'What changed', schema: releaseComparisonSchema }, ...problems },
    async handle(call) {
      const tracked = await projectBackend(call);
      const { base = null, head, environment = null } = call.params;
      const comparison = await integratedOnly(tracked, REFUSAL).compareReleases(call.project, base, head, environment);
      return { status: 200, body: presentComparison(comparison, tracked.context, environment) };
    },
  }),
  projectRoute({
    method: 'GET',
    path: '/api/v4/projects/:id/error_tracking/releases/:release',
    operationId: 'getRelease',
    summary:
      'Read one release: its health by the hour, and the errors that are new, came back, were resolved or are gone',
    action: 'read_errors',
    parameters: getReleaseSchema,
    responses: { 200: { description: 'The release', schema: releaseDetailSchema }, ...problems },
    async handle(call) {
      const tracked = await projectBackend(call);
      const { environment = null } = call.params;
      const errors = integratedOnly(tracked, REFUSAL);
      const report = await errors.release(call.project, call.path.release ?? '', environment);
      return { status: 200, body: presentReleaseDetail(report, tracked.context, environment) };
    },
  }),
  projectRoute({
    method: 'GET',
    path: '/api/v4/projects/:id/error_tracking/deploys',
    operationId: 'listDeploys',
    summary: 'List the newest deploys that builds reported, at most 100',
    action: 'read_errors',
    parameters: listDeploysSchema,
    responses: { 200: { description: 'The deploys, newest first', schema: deploysSchema }, ...problems },
    async handle(call) {
      integratedOnly(await projectBackend(call), REFUSAL);
      const { project, params, deps } = call;
      const { environment = null } = params;
      const deploys = (await deps.store.deploysOfProject(project.id)).filter(
        (deploy) => environment === null || deploy.environment === environment,
      );
      return { status: 200, body: deploys.slice(0, MAX_DEPLOYS_LISTED).map(presentDeploy) };
    },
  }),
  projectRoute({
    method: 'GET',
    path: '/api/v4/projects/:id/error_tracking/filter_values',
    operationId: 'listFilterValues',
    summary: 'List the environments and releases that errors can be filtered by, at most 100 of each',
    action: 'read_errors',
    parameters: listFilterValuesSchema,
    responses: { 200: { description: 'Names of environments and releases', schema: filterValuesSchema }, ...problems },
    async handle(call) {
      const refusal = 'the connected third-party tracker cannot list environments and releases';
      const errors = integratedOnly(await projectBackend(call), refusal);
      const { environments, releases } = await errors.filterValues(call.project, call.params.environment ?? null);
      return { status: 200, body: { environments, releases } };
    },
  }),
];
