import type { TrackedError } from './tracked-error.ts';

/** What two errors have in common: the type, the culprit, or functions of the stack trace. */
export const SIMILARITIES = ['type', 'culprit', 'functions'] as const;
export type Similarity = (typeof SIMILARITIES)[number];

export interface SimilarError {
  readonly error: TrackedError;
  /** At least one. */
  readonly reasons: readonly Similarity[];
}

/** Maximum of similar errors of one answer. */
export const MAX_SIMILAR = 10;
