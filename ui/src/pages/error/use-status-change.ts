import type { Ref } from 'vue';
import type { ErrorDetail, ErrorStatus, NewStatusDetails } from '../../api/errors-api.ts';
import { removeChange, showToast, showChange } from '../../app/toasts.ts';
import { leftText, sendStatus, takeBack, type Sent } from '../errors/change-status.ts';
import { changed, changedText, type StatusChange } from '../errors/status-change.ts';
import type { useError } from './use-error.ts';
import { CHANGED_KIND, statusProblem } from '../errors/use-status-changes.ts';

/** Changes the status of the page's error: shows it immediately and offers an undo. */
export function useStatusChange(
  project: Ref<string>,
  error: Ref<ErrorDetail | null>,
  may: Readonly<Ref<boolean>>,
  { loadError, whileChanging }: Pick<ReturnType<typeof useError>, 'loadError' | 'whileChanging'>,
): {
  readonly changeStatus: (status: ErrorStatus, details?: NewStatusDetails) => Promise<void>;
} {
  /** Shows a state if the page still has that error; an undo may come after navigation. */
  function show({ id, status, status_details }: Pick<ErrorDetail, 'id' | 'status' | 'status_details'>): void {
    if (error.value?.id === id) error.value = { ...error.value, status, status_details };
  }

  /** Reports a failure; true when there is one. */
  function report({ failed: [first] }: Sent): boolean {
    if (first !== undefined) showToast(statusProblem(first.failure), { tone: 'danger' });
    return first !== undefined;
  }

  async function undo(inProject: string, before: ErrorDetail, change: Promise<Sent>): Promise<void> {
    show(before);
    const back = await whileChanging(takeBack(inProject, [before], change));
    const left = leftText(back, 1);
    if (left !== '') showToast(left);
    report(back);
    // Others may have changed it, and its marks are back.
    if (error.value?.id === before.id) await loadError();
  }

  async function changeStatus(status: ErrorStatus, details?: NewStatusDetails): Promise<void> {
    const { value: before } = error;
    if (!may.value || before === null || (before.status === status && details === undefined)) return;
    const inProject = project.value;
    const to: StatusChange = details === undefined ? { status } : { status, details };
    show(changed(before, to));
    const change = whileChanging(sendStatus(inProject, [before], to));
    const undoable = {
      text: changedText(to),
      kind: CHANGED_KIND[status],
      ids: [`${inProject}/${before.id}`],
      undo: () => undo(inProject, before, change),
    };
    showChange(undoable);
    const sent = await change;
    if (report(sent)) {
      removeChange(undoable);
      show(before);
      return;
    }
    const now = sent.stored.get(before.id);
    if (now !== undefined && error.value?.status === status) show({ id: before.id, ...now });
  }

  return { changeStatus };
}
