import type { NewFact } from '../../../domain/alerts/alert-fact.ts';
import type { PruneLimits } from '../../../domain/ports/stores/maintenance-store.ts';
import { SLICE_ROWS } from '../blocks/prune-walk.ts';
import type { MongoContext } from '../engine/context.ts';
import type { Binary } from '../documents/document-keys.ts';
import { alertConversations } from '../../records/kinds/alert-kinds.ts';
import { reading, writing } from '../engine/operation-options.ts';
import { mongoRecords } from '../records/mongo-records.ts';
import type { FactLog } from './fact-log.ts';

/** Context of commands that write to the log of facts. */
export interface FactContext extends MongoContext {
  readonly facts: FactLog;
}

export function collectFacts({ facts }: FactContext): Promise<number> {
  return facts.collect();
}

export async function addFacts({ collections, facts }: FactContext, given: readonly NewFact[]): Promise<number> {
  const ids = [...new Set(given.map(({ projectId }) => projectId))];
  const known = await collections.projects
    .find({ _id: { $in: ids } }, reading('projects.existing', { _id: 1 }))
    .toArray();
  const existing = new Set(known.map(({ _id }) => _id));
  const added = await facts.insert(given.filter(({ projectId }) => existing.has(projectId)));
  // Also those that a killed process left without a place.
  while ((await facts.place()) > 0);
  return added;
}

export async function silenceFacts(
  { collections }: MongoContext,
  reasons: readonly { readonly seq: number; readonly reason: string }[],
): Promise<void> {
  if (reasons.length === 0) return;
  const found = await collections.alertFacts
    .find({ seq: { $in: reasons.map(({ seq }) => seq), $gt: 0 } }, reading('facts.list', { p: 1, seq: 1 }))
    .toArray();
  const bySeq = new Map(reasons.map(({ seq, reason }) => [seq, reason]));
  const operations = found.flatMap(({ _id, p, seq }) => {
    const silence = bySeq.get(seq ?? 0);
    return silence === undefined ? [] : [{ updateOne: { filter: { _id, p }, update: { $set: { silence } } } }];
  });
  if (operations.length === 0) return;
  operations.sort((a, b) => compareKeys(a.updateOne.filter._id, b.updateOne.filter._id));
  await collections.alertFacts.bulkWrite(operations, { ...writing('facts.silence'), ordered: false });
}

function compareKeys(a: Binary, b: Binary): number {
  return Buffer.compare(a.buffer, b.buffer);
}

/**
 * Removes one slice of old facts that no message may still report, and of old deliveries; returns the number of removed
 * documents. Places grow with the time at which facts were added, so the oldest have the lowest.
 */
export async function pruneAlerts(context: MongoContext, limits: PruneLimits): Promise<number> {
  const { factsBefore, deliveriesBefore } = limits;
  const facts = factsBefore === undefined ? 0 : await pruneFacts(context, factsBefore);
  return facts + (deliveriesBefore === undefined ? 0 : await pruneDeliveries(context, deliveriesBefore));
}

async function pruneFacts(context: MongoContext, before: number): Promise<number> {
  const { alertFacts } = context.collections;
  const waiting = (await mongoRecords(context).list(alertConversations, {})).filter(
    ({ firstWaiting }) => firstWaiting !== null,
  );
  const atMost = Math.min(Number.MAX_SAFE_INTEGER, ...waiting.map(({ cursor }) => cursor));
  const lowest = await alertFacts
    .find({ seq: { $gt: 0, $lte: atMost } }, reading('facts.old', { p: 1, added: 1 }))
    .sort({ seq: 1 })
    .limit(SLICE_ROWS)
    .toArray();
  const old = lowest.filter(({ added }) => added < before);
  for (const p of new Set(old.map((row) => row.p))) {
    const keys = old.filter((row) => row.p === p).map(({ _id }) => _id);
    await alertFacts.deleteMany({ p, _id: { $in: keys } }, writing('facts.delete'));
  }
  return old.length;
}

async function pruneDeliveries({ collections }: MongoContext, before: number): Promise<number> {
  const { alertDeliveries } = collections;
  const old = await alertDeliveries
    .find({ at: { $lt: before } }, reading('deliveries.old', { _id: 1 }))
    .sort({ at: 1 })
    .limit(SLICE_ROWS)
    .toArray();
  if (old.length === 0) return 0;
  // A delivery that is sent again meanwhile is young again, and stays.
  const filter = { _id: { $in: old.map(({ _id }) => _id) }, at: { $lt: before } };
  await alertDeliveries.deleteMany(filter, writing('deliveries.prune'));
  return old.length;
}
