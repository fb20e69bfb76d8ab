import { showToast } from '../../app/toasts.ts';
import { lazily, tryLazyAgain } from '../../lib/lazily.ts';

/** Code of the dialog that merges errors, loaded on first use. */
const code = lazily(async () => (await import('./MergeDialog.vue')).default);

/** Loads the dialog; null when that failed, which a message says. */
export async function loadMergeDialog(): ReturnType<typeof code> {
  const dialog = await code();
  if (dialog !== null) return dialog;
  tryLazyAgain();
  showToast('The dialog could not be loaded. Try again.', { tone: 'danger' });
  return null;
}
