import type { mongo } from 'mongoose';
import type { OutcomeCount } from '../../../domain/ingest/digest.ts';
import type {
  GatewayInfo,
  JournalInfo,
  StoreSize,
  StoreStats,
} from '../../../domain/ports/stores/maintenance-store.ts';
import type { MongoContext } from '../engine/context.ts';
import { outcomeRange } from '../documents/document-keys.ts';
import { SCHEMA_VERSION } from '../schema/migrations.ts';
import { reading } from '../engine/operation-options.ts';
import { HOUR_MS } from '../../../domain/durations.ts';

/** Maximum milliseconds to sum up the whole store: no page waits for it. */
const STATS_LIMIT_MS = 120_000;

export async function listOutcomes(
  { collections }: MongoContext,
  projectId: number,
  since: number,
  until: number,
): Promise<OutcomeCount[]> {
  const range = outcomeRange(projectId, Math.ceil(since / HOUR_MS), Math.ceil(until / HOUR_MS));
  const rows = await collections.outcomes
    .find({ p: projectId, _id: range }, reading('outcomes.list', { hr: 1, k: 1, c: 1, o: 1, r: 1, q: 1 }))
    .toArray();
  rows.sort((a, b) => a.hr - b.hr || a.k - b.k || order(a.c, b.c) || order(a.o, b.o) || order(a.r, b.r));
  return rows.map(({ hr, k, c, o, r, q }) => ({
    projectId,
    keyId: k,
    category: c,
    outcome: o,
    reason: r,
    at: hr * HOUR_MS,
    quantity: q,
  }));
}

/** Reads a row: a server that only accepts connections does not count as available. */
export async function ping({ collections }: MongoContext): Promise<void> {
  await collections.control.findOne({ _id: 'schema' }, reading('schema.ping', { version: 1 }));
}

/** Sums stored payloads from the errors' counts: counting all events would be slow. */
export async function stats({ connection, collections }: MongoContext): Promise<StoreStats> {
  const options = { maxTimeMS: STATS_LIMIT_MS };
  const [schema, sums, size, projects, users] = await Promise.all([
    collections.control.findOne({ _id: 'schema' }, reading('schema.version', { version: 1 })),
    collections.errors
      .aggregate<{ errors: number; events: number }>(
        [{ $group: { _id: null, errors: { $sum: 1 }, events: { $sum: '$k' } } }],
        { ...reading('stats.errors'), ...options },
      )
      .next(),
    connection.db?.stats(),
    collections.projects.countDocuments({}, { ...reading('stats.projects'), ...options }),
    collections.users.countDocuments({}, { ...reading('stats.users'), ...options }),
  ]);
  const events = Math.max(sums?.events ?? 0, 0);
  const errors = sums?.errors ?? 0;
  const versions = { schemaVersion: schema?.version ?? 0, knownSchemaVersion: SCHEMA_VERSION };
  return { ...versions, errors, events, projects, users, bytes: bytesOf(size) };
}

/** Lists journals with a slot. There are only as many slots as gateways ever ran at once. */
export async function listJournals({ collections }: MongoContext): Promise<JournalInfo[]> {
  const rows = await collections.slots
    .find({ j: { $exists: true } }, reading('slots.journals', { j: 1, open: 1, seen: 1 }))
    .sort({ j: 1 })
    .toArray();
  return rows.map(({ j = '', open, seen }) => ({ journalId: j, seenAt: seen, open }));
}

function bytesOf(size: mongo.Document | undefined): number | null {
  const { storageSize, indexSize } = size ?? {};
  return typeof storageSize === 'number' && typeof indexSize === 'number' ? storageSize + indexSize : null;
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Milliseconds without a heartbeat after which a gateway counts as gone; ten times its interval. */
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

/** Returns the server's clock, milliseconds since the epoch. */
export async function serverNow({ connection, now }: Pick<MongoContext, 'connection' | 'now'>): Promise<number> {
  const { localTime } = ((await connection.db?.command({ hello: 1 })) ?? {}) as { localTime?: unknown };
  return localTime instanceof Date ? localTime.getTime() : now();
}

export async function size({ connection }: MongoContext): Promise<StoreSize | null> {
  const stats = await connection.db?.command({ dbStats: 1, freeStorage: 1 }, { readPreference: 'primary' });
  return stats === undefined ? null : sizeOf(stats);
}

/**
 * Returns the size of a store. Files of the server do not shrink when documents are deleted; free space in them is
 * reused, and mongod reports it. Other servers (another engine, a router of old shards) report only the size of files.
 * Null when neither is known.
 */
export function sizeOf(stats: mongo.Document): StoreSize | null {
  const [data, index] = [numberOf(stats.storageSize), numberOf(stats.indexSize)];
  if (data === null || index === null) return null;
  const [freeData, freeIndex] = [numberOf(stats.freeStorageSize), numberOf(stats.indexFreeStorageSize)];
  if (freeData === null || freeIndex === null) return { used: data + index, falls: 'never' };
  return { used: Math.max(data - freeData, 0) + Math.max(index - freeIndex, 0), falls: 'later' };
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}
