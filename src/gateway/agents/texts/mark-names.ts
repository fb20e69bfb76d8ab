import type { ErrorMarks } from '../../../domain/errors/error-marks.ts';

/** Names of marks that are set. */
export function markNames(marks: ErrorMarks | null): string[] {
  if (marks === null) return [];
  const { isNew, regressed, escalating, unhandled, forReview } = marks;
  return [
    ...(isNew ? ['new'] : []),
    ...(regressed === null ? [] : ['regressed']),
    ...(escalating === null ? [] : ['escalating']),
    ...(unhandled === true ? ['unhandled'] : []),
    ...(forReview === true ? ['for review'] : []),
  ];
}
