import type { mongo } from 'mongoose';
import type { OutcomeCount } from '../../../domain/digest.ts';
import type { JournalInfo, StoreStats } from '../../../domain/ports/maintenance-store.ts';
import { HOUR_MS } from '../../fold.ts';
import type { MongoContext } from '../context.ts';
import { outcomeRange } from '../documents.ts';
import { raw } from '../raw.ts';
import { rawReading, reading } from '../operation-options.ts';

/** Milliseconds that adding up the whole store may take: nobody waits for it with a page open. */
const STATS_LIMIT_MS = 120_000;

export async function listOutcomes(
  { models }: MongoContext,
  projectId: number,
  since: number,
  until: number,
): Promise<OutcomeCount[]> {
  const range = outcomeRange(projectId, Math.ceil(since / HOUR_MS), Math.ceil(until / HOUR_MS));
  const rows = await models.outcomes
    .find({ p: projectId, _id: range }, { hr: 1, k: 1, c: 1, o: 1, r: 1, q: 1 }, reading('outcomes.list'))
    .lean();
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

export async function getMeta({ models }: MongoContext, key: string): Promise<string | null> {
  const found = await models.sharedValues.findOne({ _id: key }, { value: 1 }, reading('meta.get')).lean();
  return found?.value ?? null;
}

/** Reads a row, so that a server which only listens does not count as one that answers. */
export async function ping({ models }: MongoContext): Promise<void> {
  await models.control.findOne({ _id: 'schema' }, { version: 1 }, reading('schema.ping')).lean();
}

/** Stored payloads are added up from the errors, which keep their number: events are too many to be counted. */
export async function stats({ connection, models }: MongoContext): Promise<StoreStats> {
  const options = { maxTimeMS: STATS_LIMIT_MS };
  const [schema, sums, size, projects, users] = await Promise.all([
    models.control.findOne({ _id: 'schema' }, { version: 1 }, reading('schema.version')).lean(),
    raw(models.errors)
      .aggregate<{ errors: number; events: number }>(
        [{ $group: { _id: null, errors: { $sum: 1 }, events: { $sum: '$k' } } }],
        { ...rawReading('stats.errors'), ...options },
      )
      .next(),
    connection.db?.stats(),
    models.projects.countDocuments({}, { ...reading('stats.projects'), ...options }),
    models.users.countDocuments({}, { ...reading('stats.users'), ...options }),
  ]);
  const events = Math.max(sums?.events ?? 0, 0);
  const errors = sums?.errors ?? 0;
  return { schemaVersion: schema?.version ?? 0, errors, events, projects, users, bytes: bytesOf(size) };
}

/** Journals that hold a slot. There are as many slots as there ever were gateways at once. */
export async function listJournals({ models }: MongoContext): Promise<JournalInfo[]> {
  const rows = await models.slots
    .find({ j: { $exists: true } }, { j: 1, open: 1, seen: 1 }, reading('slots.journals'))
    .sort({ j: 1 })
    .lean();
  return rows.map(({ j = '', open, seen }) => ({ journalId: j, seenAt: seen, open }));
}

function bytesOf(size: mongo.Document | undefined): number | null {
  const { storageSize, indexSize } = size ?? {};
  return typeof storageSize === 'number' && typeof indexSize === 'number' ? storageSize + indexSize : null;
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
