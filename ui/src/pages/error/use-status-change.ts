import type { Ref } from 'vue';
import { ApiFailure } from '../../api/api-failure.ts';
import type { ErrorDetail, ErrorStatus, NewStatusDetails } from '../../api/errors-api.ts';
import { removeChange, showToast, showChange } from '../../app/toasts.ts';
import { changeStatus as sendStatus } from '../errors/change-status.ts';
import { changeBack, changed, changedText, type StatusChange } from '../errors/status-change.ts';
import { CHANGED_KIND, statusProblem } from '../errors/use-status-changes.ts';

/** Changes the status of the page's error: shows it immediately and offers an undo. */
export function useStatusChange(
  project: Ref<string>,
  error: Ref<ErrorDetail | null>,
  may: Readonly<Ref<boolean>>,
): (status: ErrorStatus, details?: NewStatusDetails) => Promise<void> {
  /** Shows a status if the page still has that error; an undo may come after navigation. */
  function show(id: string, to: StatusChange): void {
    if (error.value?.id === id) error.value = changed(error.value, to);
  }

  /** Sends a status; true on success. On failure shows the previous status. */
  async function give(inProject: string, before: ErrorDetail, to: StatusChange): Promise<boolean> {
    show(before.id, to);
    try {
      const { id, status, status_details } = await sendStatus(inProject, before.id, to);
      if (error.value?.id === id && error.value.status === to.status) {
        error.value = { ...error.value, status, status_details };
      }
      return true;
    } catch (caught) {
      if (!(caught instanceof ApiFailure)) throw caught;
      if (error.value?.id === before.id) {
        error.value = { ...error.value, status: before.status, status_details: before.status_details };
      }
      showToast(statusProblem(caught), { tone: 'danger' });
      return false;
    }
  }

  return async function changeStatus(status, details) {
    const { value: before } = error;
    if (!may.value || before === null || (before.status === status && details === undefined)) return;
    const inProject = project.value;
    const to: StatusChange = details === undefined ? { status } : { status, details };
    const undoable = {
      text: changedText(to),
      kind: CHANGED_KIND[status],
      ids: [`${inProject}/${before.id}`],
      undo: () => give(inProject, changed(before, to), changeBack(before)),
    };
    showChange(undoable);
    if (!(await give(inProject, before, to))) removeChange(undoable);
  };
}
