import type { GatewayInfo } from '../../../domain/ports/maintenance-store.ts';
import type { MongoContext } from '../context.ts';
import { reading } from '../operation-options.ts';

/** A gateway that was silent for this long is gone; it speaks ten times as often. Milliseconds. */
export const GATEWAY_GONE_MS = 60_000;

export async function listGateways(context: MongoContext): Promise<GatewayInfo[]> {
  const rows = await context.collections.gateways
    .find({}, reading('gateways.list', { v: 1, seen: 1, at: 1 }))
    .sort({ _id: 1 })
    .toArray();
  const now = await serverNow(context);
  const gateways = rows.map(({ _id, v, seen, at }) => ({
    gatewayId: _id,
    version: v,
    silentMs: Math.max(0, now - at.getTime()),
    aheadMs: seen - at.getTime(),
  }));
  return gateways.filter(({ silentMs }) => silentMs < GATEWAY_GONE_MS);
}

/** Milliseconds since the epoch by the server's clock. */
export async function serverNow({ connection, now }: Pick<MongoContext, 'connection' | 'now'>): Promise<number> {
  const { localTime } = ((await connection.db?.command({ hello: 1 })) ?? {}) as { localTime?: unknown };
  return localTime instanceof Date ? localTime.getTime() : now();
}
