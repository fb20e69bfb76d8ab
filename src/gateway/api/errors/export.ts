import { Readable } from 'node:stream';
import type { ParametersSchema } from '../../../schemas/parameters.ts';
import { problems } from '../../http/common-schema.ts';
import { projectRoute, type Route } from '../../http/route.ts';
import { errorFilters, sortValues } from '../shared/error-filters-schema.ts';
import { errorQuery } from '../shared/error-query.ts';
import { projectBackend } from '../shared/project-backend.ts';
import { withSearchOf } from '../shared/read-search.ts';
import { staleHeader } from '../shared/stale.ts';
import { errorCsv } from './error-csv.ts';

const exportErrorsSchema = {
  type: 'object',
  properties: {
    ...errorFilters,
    sort: {
      type: 'string',
      enum: sortValues,
      description: 'Field to sort by, in descending order; default first_seen, in which order no row is missed',
    },
    bom: {
      type: 'boolean',
      description: 'Begin with a byte order mark, by which spreadsheets recognise UTF-8',
    },
  },
  required: ['status'],
  additionalProperties: false,
} as const satisfies ParametersSchema;

const CSV = 'text/csv; charset=utf-8';

export const exportRoutes: readonly Route[] = [
  projectRoute({
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
      const tracked = await projectBackend(call);
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
