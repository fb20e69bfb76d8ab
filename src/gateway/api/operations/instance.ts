import type { InstanceHealth } from '../../../domain/ports/health.ts';
import { time, problems } from '../../http/common-schema.ts';
import { objectSchema } from '../../http/object-schema.ts';
import { presenter } from '../../http/presenter.ts';
import { accountRoute, type Route } from '../../http/route.ts';
import { healthSchema } from './health-schema.ts';
import { healthOf, type ServiceHealth } from './health-state.ts';

const instanceSchema = {
  title: 'Instance',
  type: 'object',
  properties: {
    ...healthSchema.properties,
    version: { type: 'string' },
    node: { type: 'string', description: 'Version of Node.js' },
    started_at: time,
    store: objectSchema({
      properties: {
        kind: { enum: ['sqlite', 'mongodb'] },
        stats: {
          type: ['object', 'null'],
          description: 'null: the store did not respond in time',
          properties: {
            schema_version: { type: 'integer' },
            known_schema_version: {
              type: 'integer',
              description: 'Version that this service writes; a lower one: a later version has migrated the store',
            },
            projects: { type: 'integer' },
            users: { type: 'integer' },
            errors: { type: 'integer' },
            events: { type: 'integer', description: 'Events whose content is still stored' },
            bytes: { type: ['integer', 'null'] },
          },
          required: ['schema_version', 'known_schema_version', 'projects', 'users', 'errors', 'events', 'bytes'],
          additionalProperties: false,
        },
      },
    }),
    journal: objectSchema({
      properties: {
        bytes: { type: 'integer' },
        max_bytes: { type: 'integer', description: 'Maximum size; when it is reached, events are refused' },
        oldest_seconds: { type: 'number', description: 'Age of the oldest event that is accepted but not stored yet' },
      },
    }),
    quarantined: { type: 'integer', description: 'Records that could not be digested' },
    disk: {
      type: ['object', 'null'],
      description: 'Disk with the journal; null: it cannot be read',
      properties: {
        free_bytes: { type: 'integer' },
        total_bytes: { type: 'integer' },
        min_free_bytes: { type: 'integer', description: 'Free space below which events are refused' },
      },
      required: ['free_bytes', 'total_bytes', 'min_free_bytes'],
      additionalProperties: false,
    },
    counts: objectSchema({
      description: 'Since this process started; two answers give the rates between them',
      properties: {
        accepted: { type: 'integer', description: 'Events acknowledged to SDKs' },
        stored: { type: 'integer', description: 'Events written to the store' },
        refused: { type: 'integer', description: 'Requests of SDKs that were refused' },
      },
    }),
    refused: {
      type: 'array',
      description: 'Requests of SDKs that this process has refused since it started, latest reason first',
      items: objectSchema({
        properties: {
          reason: { type: 'string', description: 'Explained in docs/missing-events.md, "Refused requests"' },
          requests: { type: 'integer' },
          last_at: time,
          last_project_id: {
            type: ['integer', 'null'],
            description: 'Project id in the address of the latest request, whether or not the project exists',
          },
        },
      }),
    },
    alerts: {
      type: ['object', 'null'],
      description: 'null: the store did not respond in time',
      properties: {
        mail: { type: 'boolean', description: 'Whether mail is configured; otherwise people get no messages' },
        oldest_unsent_seconds: {
          type: 'number',
          description: 'Age of the oldest fact that should have been sent; 0: none',
        },
        failed: { type: 'integer', description: 'Messages that were given up, and not sent again' },
        failing: { type: 'integer', description: 'Destinations whose attempts fail at present' },
      },
      required: ['mail', 'oldest_unsent_seconds', 'failed', 'failing'],
      additionalProperties: false,
    },
    gateways: {
      type: 'array',
      description: 'Journals of the gateways that share the store',
      items: objectSchema({
        properties: { journal_id: { type: 'string' }, seen_at: time, unfinished: { type: 'boolean' } },
      }),
    },
    running: {
      type: 'array',
      description: 'Gateways that share the store and announced themselves within the last minute',
      items: objectSchema({
        properties: {
          gateway_id: { type: 'string', description: 'Random per process' },
          version: { type: 'string' },
          silent_seconds: { type: 'number', description: 'Since its last heartbeat' },
          clock_ahead_seconds: {
            type: 'number',
            description: "By which its clock was ahead of the store's then; negative: behind",
          },
        },
      }),
    },
  },
  required: [
    'status',
    'accepting',
    'reading',
    'version',
    'node',
    'started_at',
    'store',
    'journal',
    'quarantined',
    'disk',
    'counts',
    'refused',
    'alerts',
    'gateways',
    'running',
  ],
  additionalProperties: false,
} as const;

const present = presenter(instanceSchema);

function presentInstance(state: ServiceHealth, instance: InstanceHealth, version: string) {
  const { storeKind, store, journal, alerts, gateways, running } = instance;
  return present({
    ...state,
    ...instance,
    version,
    node: process.versions.node,
    store: { kind: storeKind, stats: store },
    journal: { ...journal, oldestSeconds: journal.oldestAgeMs / 1000 },
    alerts: alerts === null ? null : { ...alerts, oldestUnsentSeconds: alerts.oldestUnsentMs / 1000 },
    gateways: gateways.map((gateway) => ({ ...gateway, unfinished: gateway.open })),
    running: running.map((gateway) => ({
      ...gateway,
      silentSeconds: gateway.silentMs / 1000,
      clockAheadSeconds: gateway.aheadMs / 1000,
    })),
  });
}

export const instanceRoutes: readonly Route[] = [
  accountRoute({
    method: 'GET',
    path: '/api/v4/admin/health',
    operationId: 'getInstance',
    summary: 'Read the state of the service and its store; administrators only',
    action: 'read_instance',
    responses: {
      200: { description: 'State of the service and its store', schema: instanceSchema },
      401: problems[401],
      403: problems[403],
    },
    async handle({ deps }) {
      const [state, instance] = await Promise.all([healthOf(deps.health), deps.instance()]);
      return { status: 200, body: presentInstance(state, instance, deps.version) };
    },
  }),
];
