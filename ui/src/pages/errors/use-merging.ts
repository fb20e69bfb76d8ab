import { ApiFailure } from '../../api/api-failure.ts';
import { showToast, showChange } from '../../app/toasts.ts';
import { counted } from '../../lib/numbers.ts';
import type { MergedGroups } from './merge-groups.ts';

/** Message for a failed merge or unmerge. */
export function mergingProblem(failure: ApiFailure): string {
  if (failure.kind === 'forbidden') return 'Merging needs the Developer role in this project.';
  return `Something went wrong. ${failure.message}`;
}

/** Awaits a change and reports its failure as a toast; null on failure. */
export async function reportingFailure<T>(change: Promise<T>): Promise<T | null> {
  try {
    return await change;
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    showToast(mergingProblem(error), { tone: 'danger' });
    return null;
  }
}

/** Shows that errors were merged, with an undo. `undone` is called after the undo has succeeded. */
export function showMerged(ids: readonly string[], { undo }: MergedGroups, undone: () => unknown): void {
  const text = `Merged ${counted(ids.length, 'error')} into one`;
  showChange({ text, kind: 'merged', ids, undo: () => reportingFailure(undo().then(() => undone())) });
}
