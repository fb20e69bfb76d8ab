import { AppError } from '../../domain/app-error.ts';
import type { MongoContext } from './engine/context.ts';
import { reading } from './engine/operation-options.ts';
import { GATEWAY_GONE_MS, listGateways, serverNow } from './instance/maintenance-views.ts';

/** Maximum number of gateways named in the message; the rest is counted. */
const SHOWN = 5;

/**
 * Throws `conflict` with the gateway names while gateways use the database. Gateways of an older version would keep
 * writing in the old schema.
 */
export async function requireAlone(context: MongoContext): Promise<void> {
  const gateways = (await listGateways(context)).map(
    ({ gatewayId, version, silentMs }) => `${gatewayId.slice(0, 8)} (version ${version}, ${heard(silentMs)})`,
  );
  // Versions without gateway heartbeats are known by their journals only.
  const others = gateways.length > 0 ? gateways : await journalsAtWork(context);
  if (others.length === 0) return;
  const more = others.length > SHOWN ? ` and ${others.length - SHOWN} more` : '';
  throw new AppError(
    'conflict',
    `gateways are using this store: ${others.slice(0, SHOWN).join(', ')}${more}. Stop all of them first; ` +
      'a killed gateway counts as stopped one minute after its last heartbeat',
  );
}

async function journalsAtWork(context: MongoContext): Promise<string[]> {
  const now = await serverNow(context);
  const rows = await context.collections.slots
    .find({ j: { $exists: true } }, reading('slots.at_work', { j: 1, seen: 1, off: 1 }))
    .sort({ j: 1 })
    .toArray();
  return rows
    .filter(({ seen, off = 0 }) => seen > off && now - seen < GATEWAY_GONE_MS)
    .map(({ j = '', seen }) => `the one with the journal ${j.slice(0, 8)} (${heard(now - seen)})`);
}

function heard(silentMs: number): string {
  return `heard of ${Math.max(0, Math.round(silentMs / 1000))} s ago`;
}
