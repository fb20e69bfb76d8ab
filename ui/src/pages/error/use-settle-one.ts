import type { Ref } from 'vue';
import { ApiFailure } from '../../api/api-failure.ts';
import { setErrorStatus, type ErrorDetail, type ErrorStatus } from '../../api/errors-api.ts';
import { dismissToast, showToast } from '../../app/toasts.ts';
import { SETTLED, settlingProblem } from '../errors/use-settling.ts';

/** Gives the error of a page a status: at once on the page, with a way back. */
export function useSettleOne(
  project: Ref<string>,
  error: Ref<ErrorDetail | null>,
  may: Readonly<Ref<boolean>>,
): (status: ErrorStatus) => Promise<void> {
  /** On the page only while it still shows that error: an undo may come later. */
  function show(id: string, status: ErrorStatus): void {
    if (error.value?.id === id) error.value = { ...error.value, status };
  }

  async function give(inProject: string, before: ErrorDetail, status: ErrorStatus): Promise<void> {
    show(before.id, status);
    const change = setErrorStatus(inProject, before.id, status);
    const undo = () => give(inProject, { ...before, status }, before.status);
    const toast = showToast(SETTLED[status], {
      action: { label: 'Undo', run: () => void change.catch(() => undefined).then(undo) },
    });
    try {
      const fresh = await change;
      if (error.value?.status === status) show(before.id, fresh.status);
    } catch (caught) {
      if (!(caught instanceof ApiFailure)) throw caught;
      show(before.id, before.status);
      dismissToast(toast);
      showToast(settlingProblem(caught), { tone: 'danger' });
    }
  }

  return async function settle(status) {
    const { value: before } = error;
    if (may.value && before !== null && before.status !== status) await give(project.value, before, status);
  };
}
