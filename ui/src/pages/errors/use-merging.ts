import { shallowRef, type Ref } from 'vue';
import { ApiFailure } from '../../api/api-failure.ts';
import type { TrackedError } from '../../api/errors-api.ts';
import { mergeErrors, unmergeErrors } from '../../api/merge-api.ts';
import { showToast } from '../../app/toasts.ts';
import { counted } from '../../lib/numbers.ts';

/** What the failure of merging or separating says. */
export function mergingProblem(failure: ApiFailure): string {
  if (failure.kind === 'forbidden') return 'Merging needs the Developer role in this project.';
  return `That did not work. ${failure.message}`;
}

/** Runs a change, and tells when it fails; answers whether it went well. */
async function went(change: Promise<unknown>): Promise<boolean> {
  try {
    await change;
    return true;
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    showToast(mergingProblem(error), { tone: 'danger' });
    return false;
  }
}

/** Making one error of selected ones, with a way back. `reload` brings the list up to date. */
export function useMerging(project: Ref<string>, reload: () => Promise<void>) {
  const merging = shallowRef(false);

  async function undo(errorId: string, ids: readonly string[]): Promise<void> {
    if (await went(unmergeErrors(project.value, errorId, ids))) await reload();
  }

  async function merge(rows: readonly TrackedError[]): Promise<void> {
    if (merging.value) return;
    merging.value = true;
    const ids = rows.map(({ id }) => id);
    let root = '';
    const done = await went(mergeErrors(project.value, ids).then((error) => (root = error.id)));
    merging.value = false;
    if (!done) return;
    const others = ids.filter((id) => id !== root);
    showToast(`Merged ${counted(ids.length, 'error')} into one`, {
      action: { label: 'Undo', run: () => void undo(root, others) },
    });
    await reload();
  }

  return { merge, merging };
}
