import { Readable } from 'node:stream';
import { exportErrorsSchema, type ExportErrors } from './export-schema.ts';
import { problems } from '../../http/common-schema.ts';
import { errorCsv } from './error-csv-stream.ts';
import { errorQuery } from '../shared/error-query.ts';
import { staleHeader } from '../shared/stale.ts';
import { withSearchOf } from '../shared/read-search.ts';
import { projectRoute, type Route } from '../../http/route.ts';
import { trackedProject } from '../shared/project-backend.ts';

const CSV = 'text/csv; charset=utf-8';

export const exportRoutes: readonly Route[] = [
  projectRoute<ExportErrors>({
    surface: 'api',
    method: 'GET',
    path: '/api/v4/projects/:id/error_tracking/export.csv',
    operationId: 'exportErrors',
    summary: 'Read all errors of a list as CSV',
    action: 'read_errors',
    parameters: exportErrorsSchema,
    produces: 'text/csv',
    responses: { 200: { description: 'A record per error, RFC 4180, in UTF-8' }, ...problems },
    async handle(call) {
      const { deps, project, signal, params } = call;
      const tracked = await trackedProject(call);
      const { backend, context } = tracked;
      const { bom, sort, ...filters } = params;
      const { sorts } = await backend.capabilities(project, signal);
      // Rows never move in the order of the first occurrence, so that none is missed.
      const order = sort ?? (sorts.includes('first_seen') ? 'first_seen' : (sorts[0] ?? 'last_seen'));
      const query = await withSearchOf(call, tracked, errorQuery({ ...filters, sort: order, limit: 1 }));
      const csv = await errorCsv({ backend, store: deps.store, context, signal }, query, {
        byteOrderMark: bom === true,
        seenSince: 0,
      });
      const name = `${project.path.replaceAll(/[^\w.-]+/g, '-')}-errors.csv`;
      return {
        status: 200,
        contentType: CSV,
        headers: { 'Content-Disposition': `attachment; filename="${name}"`, ...staleHeader(csv) },
        body: Readable.from(csv.texts),
      };
    },
  }),
];
