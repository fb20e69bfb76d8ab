import { shallowRef, watch } from 'vue';
import type { TrackedError } from '../../api/errors-api.ts';
import { showToast } from '../../app/toasts.ts';
import { lazily, tryLazyAgain } from '../../lib/lazily.ts';

/** Code of the dialog, loaded on first use. */
const code = lazily(async () => (await import('./IgnoreDialog.vue')).default);

/** Dialog that asks until when errors are ignored. A change of `key` closes it. */
export function useIgnoreDialog(key: () => unknown) {
  const dialog = shallowRef<Awaited<ReturnType<typeof code>>>(null);
  /** Errors of the open dialog; empty while it is closed. */
  const errors = shallowRef<readonly TrackedError[]>([]);

  const close = () => (errors.value = []);
  watch(key, close, { flush: 'sync' });

  async function open(rows: readonly TrackedError[]): Promise<void> {
    dialog.value = await code();
    if (dialog.value !== null) {
      errors.value = rows;
      return;
    }
    tryLazyAgain();
    showToast('The dialog could not be loaded. Try again.', { tone: 'danger' });
  }

  return { dialog, errors, open, close };
}
