import { shallowRef, watch, type Ref } from 'vue';
import type { TrackedError } from '../../api/errors-api.ts';
import { loadMergeDialog } from '../error/load-merge-dialog.ts';
import { mergeGroups } from './merge-groups.ts';
import { showMerged } from './use-merging.ts';

/** Dialog that merges selected errors of a list. `reload` loads the list again. */
export function useMergeDialog(project: Ref<string>, query: Ref<unknown>, reload: () => Promise<void>) {
  const dialog = shallowRef<Awaited<ReturnType<typeof loadMergeDialog>>>(null);
  /** Errors of the open dialog; empty while it is closed. */
  const errors = shallowRef<readonly TrackedError[]>([]);

  const close = () => (errors.value = []);
  watch([project, query], close, { flush: 'sync' });

  async function open(rows: readonly TrackedError[]): Promise<void> {
    dialog.value = await loadMergeDialog();
    if (dialog.value !== null) errors.value = rows;
  }

  /** Merges errors and returns the id of the result. Throws an `ApiFailure`; the dialog then stays open. */
  async function merge(ids: readonly string[]): Promise<string> {
    const merged = await mergeGroups(project.value, ids);
    showMerged(ids, merged, reload);
    close();
    await reload();
    return merged.root;
  }

  return { dialog, errors, open, close, merge };
}
