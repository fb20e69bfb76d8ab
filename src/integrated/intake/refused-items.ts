import { AppError } from '../../domain/app-error.ts';
import type { IntakeOutcome } from '../../domain/ingest/digest.ts';
import type { IngestRequest } from '../../domain/ports/intake.ts';
import { categoryOf } from './read/item-category.ts';
import { OutcomeTally } from './outcome-tally.ts';
import type { RequestDraft } from './request-draft.ts';

/**
 * Returns the outcomes of a request refused as a whole. These are its items where the error has them, else one, because
 * their number is unknown. An envelope that was not read may hold anything: it counts as `default`.
 */
export function refusedItems(error: unknown, kind: IngestRequest['kind']): readonly IntakeOutcome[] {
  const category = kind === 'store' ? 'error' : 'default';
  return itemsOf(error) ?? [{ category, ...outcomeOf(error), quantity: 1 }];
}

function itemsOf(error: unknown): readonly IntakeOutcome[] | undefined {
  const details = error instanceof AppError ? error.details : undefined;
  return details !== undefined && 'items' in details ? details.items : undefined;
}

function outcomeOf(error: unknown): Pick<IntakeOutcome, 'outcome' | 'reason'> {
  if (!(error instanceof AppError)) return INTERNAL_ERROR;
  switch (error.code) {
    case 'rate_limited':
    case 'ingest_unavailable':
      return { outcome: 'rate_limited', reason: error.details?.reason ?? 'unavailable' };
    case 'ingest_too_large':
      return { outcome: 'invalid', reason: 'too_large' };
    case 'ingest_unsupported_encoding':
      return { outcome: 'invalid', reason: 'unsupported_encoding' };
    case 'ingest_unauthorized':
    case 'ingest_forbidden':
      return { outcome: 'invalid', reason: 'contradicting_dsn' };
    case 'ingest_invalid':
      return { outcome: 'invalid', reason: error.details?.outcome ?? error.details?.reason ?? 'malformed_envelope' };
    default:
      return INTERNAL_ERROR;
  }
}

const INTERNAL_ERROR = { outcome: 'invalid', reason: 'internal_error' } as const;

/** Adds every item of the request to the journal's refusal. Items dropped for another reason keep it. */
export function withItems(error: unknown, { events, items: kept, outcomes }: RequestDraft): unknown {
  if (!(error instanceof AppError) || error.code !== 'ingest_unavailable') {
    return error;
  }
  const { code, message, cause, retryAfterSeconds, details } = error;
  const reason = details?.reason ?? 'unavailable';
  const ofEvents: IntakeOutcome = { category: 'error', outcome: 'rate_limited', reason, quantity: events.length };
  const ofKept = new OutcomeTally();
  for (const { item } of kept) {
    ofKept.add(categoryOf(item), 'rate_limited', reason);
  }
  const items = [...outcomes, ...ofKept.list(), ...(events.length === 0 ? [] : [ofEvents])];
  return new AppError(code, message, { cause, retryAfterSeconds, details: { ...details, items } });
}
