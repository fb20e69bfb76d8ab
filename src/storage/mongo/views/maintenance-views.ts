import type { mongo } from 'mongoose';
import type { OutcomeCount } from '../../../domain/digest.ts';
import type { JournalInfo, StoreStats } from '../../../domain/ports/maintenance-store.ts';
import { HOUR_MS } from '../../fold.ts';
import type { MongoContext } from '../context.ts';
import { outcomeRange } from '../documents.ts';
import { reading } from '../operation-options.ts';

/** Milliseconds that adding up the whole store may take: nobody waits for it with a page open. */
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

export async function getMeta({ collections }: MongoContext, key: string): Promise<string | null> {
  const found = await collections.meta.findOne({ _id: key }, reading('meta.get', { value: 1 }));
  return found?.value ?? null;
}

/** Reads a row, so that a server which only listens does not count as one that answers. */
export async function ping({ collections }: MongoContext): Promise<void> {
  await collections.control.findOne({ _id: 'schema' }, reading('schema.ping', { version: 1 }));
}

/** Stored payloads are added up from the errors, which keep their number: events are too many to be counted. */
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
  return { schemaVersion: schema?.version ?? 0, errors, events, projects, users, bytes: bytesOf(size) };
}

/** Journals that hold a slot. There are as many slots as there ever were gateways at once. */
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
