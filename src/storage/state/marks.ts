import {
  ESCALATING_FOR_MS,
  NEW_FOR_MS,
  REVIEW_FOR_MS,
  type ErrorMarks,
  type StoredMarks,
} from '../../domain/errors/error-marks.ts';
import type { TrackedError } from '../../domain/errors/tracked-error.ts';
import type { ErrorStatus } from '../../domain/errors/error-status.ts';

/** Times after which an error has a mark that ends by time. */
export function markBounds(now: number): { readonly newAfter: number; escalatedAfter: number; reviewAfter: number } {
  return { newAfter: now - NEW_FOR_MS, escalatedAfter: now - ESCALATING_FOR_MS, reviewAfter: now - REVIEW_FOR_MS };
}

/** Returns whether an error asks for a review. `reviewAt`: as of StoredMarks. */
export function asksReview(status: ErrorStatus, reviewAt: number | null, now: number): boolean {
  return status === 'unresolved' && reviewAt !== null && reviewAt > markBounds(now).reviewAfter;
}

/** Returns the marks of an error at a time. */
export function marksOf(
  { regressed, escalated, unmuted, reviewAt, unhandled }: StoredMarks,
  { status, firstSeen }: Pick<TrackedError, 'status' | 'firstSeen'>,
  now: number,
): ErrorMarks {
  const { newAfter, escalatedAfter, reviewAfter } = markBounds(now);
  const forReview = asksReview(status, reviewAt, now);
  const open = status === 'unresolved';
  return {
    isNew: firstSeen > newAfter,
    regressed: open && regressed !== null && regressed.at > reviewAfter ? regressed : null,
    escalating: open && escalated !== null && escalated.at > escalatedAfter ? escalated : null,
    unmuted: forReview && unmuted !== null && unmuted.at > reviewAfter ? unmuted : null,
    unhandled,
    forReview,
  };
}
