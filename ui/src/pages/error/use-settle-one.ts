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
  return async function settle(status) {
    const { value: before } = error;
    if (!may.value || before === null || before.status === status) return;
    error.value = { ...before, status };
    const change = setErrorStatus(project.value, before.id, status);
    const id = showToast(SETTLED[status], {
      action: {
        label: 'Undo',
        run: () => void change.catch(() => undefined).then(() => settle(before.status)),
      },
    });
    try {
      const fresh = await change;
      if (error.value.id === fresh.id && error.value.status === status)
        error.value = { ...error.value, status: fresh.status };
    } catch (caught) {
      if (!(caught instanceof ApiFailure)) throw caught;
      if (error.value.id === before.id) error.value = { ...error.value, status: before.status };
      dismissToast(id);
      showToast(settlingProblem(caught), { tone: 'danger' });
    }
  };
}
