import { AppError } from '../../../domain/app-error.ts';
import type { IntakeOutcome } from '../../../domain/ingest/digest.ts';
import type { LimitHit, LimitReason } from './rate-limits.ts';

const EXPLANATIONS: Readonly<Record<LimitReason, string>> = {
  key_limit: 'The client key has reached its limit of items per minute.',
  project_limit: 'The project has reached its limit of items per minute.',
  instance_limit: 'This server has reached its limit of items per minute.',
  spike_guard: 'The project sends far more than it usually does.',
};

/** Creates the error for a request of which nothing is stored. `items`: outcomes of its items, where it was read. */
export function limitReached(limits: readonly LimitHit[], items?: readonly IntakeOutcome[]): AppError {
  const reason = limits[0]?.reason ?? 'key_limit';
  return new AppError('rate_limited', EXPLANATIONS[reason], {
    retryAfterSeconds: Math.max(...limits.map((limit) => limit.retryAfterSeconds)),
    details: { reason, limits, ...(items === undefined ? {} : { items }) },
  });
}
