import type { InstanceHealth } from '../../../domain/ports/health.ts';
import { problems } from '../../http/common-schema.ts';
import { presenter } from '../../http/presenter.ts';
import { accountRoute, type Route } from '../../http/route.ts';
import { healthOf, type ServiceHealth } from './health-state.ts';
import { instanceSchema } from './instance-schema.ts';

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
