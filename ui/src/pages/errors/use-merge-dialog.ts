import { shallowRef, watch, type Ref } from 'vue';
import type { TrackedError } from '../../api/errors-api.ts';
import { showToast } from '../../app/toasts.ts';
import { lazily, tryLazyAgain } from '../../lib/lazily.ts';
import { mergeGroups } from './merge-groups.ts';
import { showMerged } from './use-merging.ts';

/** Code of the dialog, loaded on first use. */
const code = lazily(async () => (await import('../error/MergeDialog.vue')).default);

/** Dialog that merges selected errors of a list. `reload` loads the list again. */
export function useMergeDialog(project: Ref<string>, query: Ref<unknown>, reload: () => Promise<void>) {
  const dialog = shallowRef<Awaited<ReturnType<typeof code>>>(null);
  /** Errors of the open dialog; empty while it is closed. */
  const errors = shallowRef<readonly TrackedError[]>([]);

  const close = () => (errors.value = []);
  watch([project, query], close, { flush: 'sync' });

  async function open(rows: readonly TrackedError[]): Promise<void> {
    dialog.value = await code();
    if (dialog.value !== null) {
      errors.value = rows;
      return;
    }
    tryLazyAgain();
    showToast('The dialog could not be loaded. Try again.', { tone: 'danger' });
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
