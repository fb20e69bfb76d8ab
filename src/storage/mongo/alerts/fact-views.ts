import type { AlertFact } from '../../../domain/alerts/alert-fact.ts';
import type { MongoContext } from '../engine/context.ts';
import { reading } from '../engine/operation-options.ts';
import { groupOf } from '../errors/error-groups.ts';
import type { FactDocument } from '../documents/alert-documents.ts';
import { HEAD } from './fact-log.ts';
import { MAX_FACTS_SHOWN } from '../../limits.ts';

/** Facts up to the head of the log only: places behind it may still be written in any order. */
export async function listFacts(context: MongoContext, after: number, limit: number): Promise<AlertFact[]> {
  const last = await lastFact(context);
  if (last <= after) return [];
  const rows = await context.collections.alertFacts
    .find({ seq: { $gt: Math.max(after, 0), $lte: last } }, reading('facts.list'))
    .sort({ seq: 1 })
    .limit(limit)
    .toArray();
  return rows.map(toFact);
}

/** An error that is not stored here is one of an external tracker. */
export async function factsOfError(context: MongoContext, p: number, errorId: string): Promise<AlertFact[]> {
  const group = await groupOf(context, p, errorId);
  const ids = group?.members.map(({ id }) => String(id)) ?? [errorId];
  const rows = await context.collections.alertFacts
    .find({ p, e: { $in: ids }, seq: { $gt: 0 } }, reading('facts.of_error'))
    .sort({ seq: -1 })
    .limit(MAX_FACTS_SHOWN)
    .toArray();
  return rows.map(toFact);
}

export async function lastFact({ collections }: MongoContext): Promise<number> {
  const head = await collections.control.findOne({ _id: HEAD }, reading('facts.head', { last: 1 }));
  return head?.last ?? 0;
}

function toFact({ p, e, seq = 0, fact, silence }: FactDocument): AlertFact {
  return { seq, ...fact, projectId: p, errorId: e, silence: silence ?? null };
}
