import { shallowRef, watch, type Ref } from 'vue';
import type { TrackedError } from '../../api/errors-api.ts';
import { showToast } from '../../app/toasts.ts';
import { lazily, tryLazyAgain } from '../../lib/lazily.ts';
import { mergeGroups } from './merge-groups.ts';
import { tellMerged } from './use-merging.ts';

/** Few merge errors: its code comes once it is asked for. */
const code = lazily(async () => (await import('../error/MergeDialog.vue')).default);

/** Merging selected errors of a list, which a dialog asks about first. `reload` brings the list up to date. */
export function useMergeDialog(project: Ref<string>, query: Ref<unknown>, reload: () => Promise<void>) {
  const dialog = shallowRef<Awaited<ReturnType<typeof code>>>(null);
  /** What the dialog is open for; empty: it is closed. */
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

  /** Makes one error of the named ones, and answers its id. Throws an `ApiFailure`; the dialog stays open then. */
  async function merge(ids: readonly string[]): Promise<string> {
    const merged = await mergeGroups(project.value, ids);
    tellMerged(ids, merged, reload);
    close();
    await reload();
    return merged.root;
  }

  return { dialog, errors, open, close, merge };
}
