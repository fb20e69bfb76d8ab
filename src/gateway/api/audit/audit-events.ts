import { Readable } from 'node:stream';
import type { AuditQuery } from '../../../domain/ports/stores/audit-store.ts';
import { problems } from '../../http/common-schema.ts';
import { cursorLinks, pageSize } from '../../http/page-links.ts';
import type { CommonDeps } from '../../http/route-deps.ts';
import {
  accountRoute,
  groupRoute,
  projectRoute,
  type Call,
  type GroupCall,
  type Reply,
  type Route,
} from '../../http/route.ts';
import { auditCsv, auditPage, auditQuery } from './audit-list.ts';
import { presentAuditEvent } from './audit-presenter.ts';
import {
  auditEventsSchema,
  exportAuditEventsSchema,
  exportInstanceAuditEventsSchema,
  listAuditEventsSchema,
  listInstanceAuditEventsSchema,
  type AuditFilters,
} from './audit-schema.ts';

const OF_INSTANCE = '/api/v4/audit_events';
const OF_GROUP = '/api/v4/groups/:id/audit_events';
const OF_PROJECT = '/api/v4/projects/:id/audit_events';

type Query = Omit<AuditQuery, 'limit'>;

interface Paged {
  readonly per_page: number;
  readonly cursor?: string;
}

async function listed(call: Call<Paged, CommonDeps>, query: Query): Promise<Reply> {
  const limit = pageSize(call.params.per_page);
  const { events, next } = await auditPage(call.deps.store, query, limit, call.params.cursor ?? null);
  return {
    status: 200,
    headers: cursorLinks(call, { previous: null, next }, limit),
    body: events.map(presentAuditEvent),
  };
}

function exported(call: Call<{ readonly bom?: boolean }, CommonDeps>, query: Query, name: string): Reply {
  const { deps, params, signal } = call;
  return {
    status: 200,
    contentType: 'text/csv; charset=utf-8',
    headers: { 'Content-Disposition': `attachment; filename="${name}"` },
    body: Readable.from(auditCsv(deps.store, query, { byteOrderMark: params.bom === true, signal })),
  };
}

/** Name of a file in which no part of a path is a folder. */
const fileName = (path: string): string => `${path.replaceAll(/[^\w.-]+/g, '-')}-audit-events.csv`;

/** Returns the query of a group. One that was never made has no events: those of its projects belong to these. */
function groupQuery({ params, group }: GroupCall<AuditFilters>): Query {
  return auditQuery(params, { type: 'Group', id: group.id ?? 0 });
}

const list = { 200: { description: 'One page, newest first', schema: auditEventsSchema }, ...problems };
const csv = { 200: { description: 'A record per event, RFC 4180, in UTF-8' }, ...problems };

export const auditEventRoutes: readonly Route[] = [
  accountRoute({
    method: 'GET',
    path: OF_INSTANCE,
    operationId: 'listAuditEvents',
    summary: 'List the audit log of the instance, paged by the Link header; administrators only',
    action: 'read_instance_audit',
    parameters: listInstanceAuditEventsSchema,
    responses: list,
    handle: (call) => listed(call, auditQuery(call.params, null)),
  }),
  accountRoute({
    method: 'GET',
    path: `${OF_INSTANCE}.csv`,
    operationId: 'exportAuditEvents',
    summary: 'Read the audit log of the instance as CSV, newest first; administrators only',
    action: 'read_instance_audit',
    parameters: exportInstanceAuditEventsSchema,
    produces: 'text/csv',
    responses: csv,
    handle: async (call) => exported(call, auditQuery(call.params, null), 'audit-events.csv'),
  }),
  groupRoute({
    method: 'GET',
    path: OF_GROUP,
    operationId: 'listGroupAuditEvents',
    summary: 'List the audit log of a group itself, paged by the Link header; owners only',
    action: 'read_group_audit',
    parameters: listAuditEventsSchema,
    responses: list,
    handle: (call) => listed(call, groupQuery(call)),
  }),
  groupRoute({
    method: 'GET',
    path: `${OF_GROUP}.csv`,
    operationId: 'exportGroupAuditEvents',
    summary: 'Read the audit log of a group itself as CSV, newest first; owners only',
    action: 'read_group_audit',
    parameters: exportAuditEventsSchema,
    produces: 'text/csv',
    responses: csv,
    handle: async (call) => exported(call, groupQuery(call), fileName(call.group.path)),
  }),
  projectRoute({
    method: 'GET',
    path: OF_PROJECT,
    operationId: 'listProjectAuditEvents',
    summary: 'List the audit log of a project, paged by the Link header; owners only',
    action: 'read_audit',
    parameters: listAuditEventsSchema,
    responses: list,
    handle: (call) => listed(call, auditQuery(call.params, { type: 'Project', id: call.project.id })),
  }),
  projectRoute({
    method: 'GET',
    path: `${OF_PROJECT}.csv`,
    operationId: 'exportProjectAuditEvents',
    summary: 'Read the audit log of a project as CSV, newest first; owners only',
    action: 'read_audit',
    parameters: exportAuditEventsSchema,
    produces: 'text/csv',
    responses: csv,
    async handle(call) {
      const { project } = call;
      return exported(call, auditQuery(call.params, { type: 'Project', id: project.id }), fileName(project.path));
    },
  }),
];
