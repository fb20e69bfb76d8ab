import type { Ref } from 'vue';
import { ApiFailure } from '../../api/api-failure.ts';
import type { ErrorDetail, ErrorStatus } from '../../api/errors-api.ts';
import { removeChange, showToast, showChange } from '../../app/toasts.ts';
import { changeStatus } from '../errors/change-status.ts';
import { CHANGED_TEXT, CHANGED_KIND, statusProblem } from '../errors/use-status-changes.ts';

/** Changes the status of the page's error: shows it immediately and offers an undo. */
export function useStatusChange(
  project: Ref<string>,
  error: Ref<ErrorDetail | null>,
  may: Readonly<Ref<boolean>>,
): (status: ErrorStatus) => Promise<void> {
  /** Shows a status if the page still has that error; an undo may come after navigation. */
  function show(id: string, status: ErrorStatus): void {
    if (error.value?.id === id) error.value = { ...error.value, status };
  }

  /** Sends a status; true on success. On failure shows the previous status. */
  async function give(inProject: string, before: ErrorDetail, status: ErrorStatus): Promise<boolean> {
    show(before.id, status);
    try {
      const fresh = await changeStatus(inProject, before.id, status);
      if (error.value?.status === status) show(before.id, fresh.status);
      return true;
    } catch (caught) {
      if (!(caught instanceof ApiFailure)) throw caught;
      show(before.id, before.status);
      showToast(statusProblem(caught), { tone: 'danger' });
      return false;
    }
  }

  return async function changeStatus(status) {
    const { value: before } = error;
    if (!may.value || before === null || before.status === status) return;
    const inProject = project.value;
    const undoable = {
      text: CHANGED_TEXT[status],
      kind: CHANGED_KIND[status],
      ids: [`${inProject}/${before.id}`],
      undo: () => give(inProject, { ...before, status }, before.status),
    };
    showChange(undoable);
    if (!(await give(inProject, before, status))) removeChange(undoable);
  };
}
