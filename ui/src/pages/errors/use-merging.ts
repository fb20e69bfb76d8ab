import { shallowRef, type Ref } from 'vue';
import { ApiFailure } from '../../api/api-failure.ts';
import type { TrackedError } from '../../api/errors-api.ts';
import { showToast } from '../../app/toasts.ts';
import { counted } from '../../lib/numbers.ts';
import { mergeGroups, type MergedGroups } from './merge-groups.ts';

/** What the failure of merging or separating says. */
export function mergingProblem(failure: ApiFailure): string {
  if (failure.kind === 'forbidden') return 'Merging needs the Developer role in this project.';
  return `Something went wrong. ${failure.message}`;
}

/** Waits for a change, and tells when it fails; null then. */
async function told<T>(change: Promise<T>): Promise<T | null> {
  try {
    return await change;
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    showToast(mergingProblem(error), { tone: 'danger' });
    return null;
  }
}

/** Says that so many errors are one now, with the way back; `undone` is called once they are again what they were. */
export function tellMerged(count: number, { undo }: MergedGroups, undone: () => unknown): void {
  const takeBack = () => told(undo().then(() => undone()));
  showToast(`Merged ${counted(count, 'error')} into one`, { action: { label: 'Undo', run: () => void takeBack() } });
}

/** Making one error of selected ones, with a way back. `reload` brings the list up to date. */
export function useMerging(project: Ref<string>, reload: () => Promise<void>) {
  const merging = shallowRef(false);

  async function merge(rows: readonly TrackedError[]): Promise<void> {
    if (merging.value) return;
    merging.value = true;
    const ids = rows.map(({ id }) => id);
    const merged = await told(mergeGroups(project.value, ids));
    merging.value = false;
    if (merged === null) return;
    tellMerged(ids.length, merged, reload);
    await reload();
  }

  return { merge, merging };
}
