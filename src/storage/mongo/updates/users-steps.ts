import { FIRST_USERS_STEP } from '../../../domain/alerts/alert-fact.ts';
import { passedStep, usersFact } from '../../alerts/facts.ts';
import type { Doc, UpdateOne } from '../engine/batch-collections.ts';
import type { ErrorDocument } from '../documents/error-documents.ts';
import type { NewestEvent } from '../engine/planned-write.ts';
import { leaving, originOf, subjectOf } from './pending-facts.ts';

/** Matches errors whose users may have passed the next step. */
export const PASSED_STEP: Doc = {
  u: { $gte: FIRST_USERS_STEP },
  // True without `un` too: a missing member sorts before numbers.
  $expr: { $not: [{ $lt: ['$u', '$un'] }] },
};

/** Returns the step that was reached. `un`: the next one. */
export function reachedStep({ un }: Pick<ErrorDocument, 'un'>): number {
  return un === undefined || un <= FIRST_USERS_STEP ? 0 : un / 10;
}

/** Returns the member that says that a step is reached. */
export function afterStep(step: number): { readonly un: number } {
  return { un: Math.max(step * 10, FIRST_USERS_STEP) };
}

/** Condition that holds while the step that was read is the one reached. */
export function sameStep({ un }: Pick<ErrorDocument, 'un'>): Doc {
  return { un: un ?? { $exists: false } };
}

/**
 * Returns the operation that raises the step of affected users of an error, with the fact; null: none is passed, or the
 * error was merged. The roll-up raises that of merge roots; members get theirs when they are separated.
 */
export function stepOperation(
  row: Parameters<typeof subjectOf>[0] & Pick<ErrorDocument, 'un' | 'u' | 'imp' | 'into'>,
  newest: NewestEvent | undefined,
): UpdateOne | null {
  const { _id, p, into } = row;
  const step = passedStep(ownUsers(row), reachedStep(row));
  // Zero is no number of an error.
  if (step === null || (into ?? 0) > 0) return null;
  const fact = usersFact(subjectOf(row), step, newest?.at ?? row.last.at, newest ?? originOf(row));
  const left = leaving(fact, false);
  const update = { ...left, $set: { ...left.$set, ...afterStep(step) } };
  return { filter: { _id, p, into, ...sameStep(row) }, update, upsert: false };
}

/** Returns the member of an error that leaves its root: what it has reached meanwhile makes no fact. */
export function stepOfSeparated(row: Pick<ErrorDocument, 'un' | 'u' | 'imp'>): { readonly un?: number } {
  const step = passedStep(ownUsers(row), reachedStep(row));
  return step === null ? {} : afterStep(step);
}

/** Users that a tracker counted are no news. */
function ownUsers({ u, imp }: Pick<ErrorDocument, 'u' | 'imp'>): number {
  return imp?.uo ?? u;
}
