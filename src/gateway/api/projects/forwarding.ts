import { AppError } from '../../../domain/app-error.ts';
import type { ForwardView } from '../../../domain/ports/forward-setup.ts';
import { definedMembers } from '../../../lib/defined-members.ts';
import type { ParametersSchema } from '../../../schemas/parameters.ts';
import { nullableText, nullableTime, time, problems } from '../../http/common-schema.ts';
import { presenter } from '../../http/presenter.ts';
import { projectRoute, type Route } from '../../http/route.ts';
import { forwardingTarget } from './audit-targets.ts';

const forwardingSchema = {
  title: 'Forwarding',
  description: 'Copy of everything the project accepts to the DSN of another tracker',
  type: 'object',
  properties: {
    target: { type: 'string', description: 'The DSN without its key, which is never shown' },
    until: { ...nullableTime, description: 'End of forwarding; null: none' },
    active: { type: 'boolean', description: 'false: the end has passed' },
    created_at: time,
    pending: {
      type: 'boolean',
      description: 'true: something waits, or was sent in the last 60 seconds, in any gateway',
    },
    waiting_bytes: { type: 'integer', description: 'Bytes on disk of what waits, in all gateways' },
    oldest_waiting_at: { ...nullableTime, description: 'Receipt of the oldest request that is being sent' },
    stalled: { type: 'boolean', description: 'true: the last 20 requests failed' },
    dropped: { type: 'integer', description: 'Requests and items that were given up' },
    last_success_at: nullableTime,
    last_failure_at: nullableTime,
    last_failure: nullableText,
  },
  required: [
    'target',
    'until',
    'active',
    'created_at',
    'pending',
    'waiting_bytes',
    'oldest_waiting_at',
    'stalled',
    'dropped',
    'last_success_at',
    'last_failure_at',
    'last_failure',
  ],
  additionalProperties: false,
} as const;

const putForwardingSchema = {
  type: 'object',
  properties: {
    dsn: {
      type: 'string',
      maxLength: 2048,
      'x-secret': true,
      description: 'DSN of the other tracker; write-only. Required unless the project forwards already',
    },
    until: {
      type: 'string',
      maxLength: 40,
      description: 'Time at which forwarding ends, such as 2027-01-31T00:00:00Z, or `never`',
    },
  },
  additionalProperties: false,
} as const satisfies ParametersSchema;

const PATH = '/api/v4/projects/:id/error_tracking/forwarding';
const responses = { 200: { description: 'The forwarding of the project', schema: forwardingSchema }, ...problems };

const present = presenter(forwardingSchema);

function presentForwarding(view: ForwardView) {
  return present({
    ...view,
    oldestWaitingAt: view.oldestAt,
    lastSuccessAt: view.succeededAt,
    lastFailureAt: view.failedAt,
    lastFailure: view.failure,
  });
}

function none(): AppError {
  return new AppError('not_found', 'the project forwards nothing');
}

/** Undefined: the end stays as it is. */
function instantOf(until: string | undefined): number | null | undefined {
  if (until === undefined || until === 'never') return until === 'never' ? null : undefined;
  const at = /^\d{4}-\d\d-\d\dT/.test(until) ? Date.parse(until) : Number.NaN;
  if (Number.isNaN(at)) {
    throw new AppError('invalid_parameter', 'until is invalid: use a time such as 2027-01-31T00:00:00Z');
  }
  return at;
}

export const forwardingRoutes: readonly Route[] = [
  projectRoute({
    method: 'GET',
    path: PATH,
    operationId: 'getForwarding',
    summary:
      'Read where the project forwards to, and how far it is; the key of the DSN is never shown. 404 without forwarding',
    action: 'read_settings',
    responses,
    async handle({ deps, project }) {
      const view = await deps.forwarding.view(project.id);
      if (view === null) throw none();
      return { status: 200, body: presentForwarding(view) };
    },
  }),
  projectRoute({
    method: 'PUT',
    path: PATH,
    operationId: 'putForwarding',
    summary: 'Copy everything the project accepts to another DSN; omitted members keep their values',
    action: 'manage_forwarding',
    audit: { event: 'forwarding_changed', target: forwardingTarget },
    parameters: putForwardingSchema,
    responses,
    async handle({ deps, project, params }) {
      const draft = definedMembers({ dsn: params.dsn, until: instantOf(params.until) });
      const view = await deps.forwarding.save(project.id, draft);
      await deps.protectionSaved();
      return { status: 200, body: presentForwarding(view) };
    },
  }),
  projectRoute({
    method: 'DELETE',
    path: PATH,
    operationId: 'deleteForwarding',
    summary: 'End forwarding; what still waits is dropped',
    action: 'manage_forwarding',
    audit: { event: 'forwarding_ended', target: forwardingTarget },
    responses: { 204: { description: 'The project forwards nothing now' }, ...problems },
    async handle({ deps, project }) {
      if (!(await deps.forwarding.remove(project.id))) throw none();
      await deps.protectionSaved();
      return { status: 204, body: null };
    },
  }),
];
