import { nextTick, shallowRef, type Ref } from 'vue';
import type { ApiFailure } from '../../api/api-failure.ts';
import type { ErrorStatus, NewStatusDetails, TrackedError } from '../../api/errors-api.ts';
import { removeChange, showToast, showChange } from '../../app/toasts.ts';
import { counted } from '../../lib/numbers.ts';
import { visibleExcerpt } from '../../lib/visible-text.ts';
import { leftText, sendStatus, takeBack } from './change-status.ts';
import type { ListQuery } from './list-query.ts';
import { restoreRows } from './merge-rows.ts';
import { changed, changedText, type StatusChange } from './status-change.ts';
import type { ErrorList } from './use-error-list.ts';
import type { TabCounting } from './use-tab-counts.ts';

/** Verbs for a sum over several changes: `12 errors resolved, 6 ignored`. */
export const CHANGED_KIND: Readonly<Record<ErrorStatus, string>> = {
  resolved: 'resolved',
  ignored: 'ignored',
  unresolved: 'reopened',
};

/** Message for a failed change. */
export function statusProblem(failure: ApiFailure): string {
  if (failure.kind === 'forbidden') return 'Changing the status needs the Developer role in this project.';
  return `Failed to update the status. ${failure.message}`;
}

/** Changes the status of rows in the list: shows it immediately and offers an undo. */
export function useStatusChanges(
  project: Ref<string>,
  query: Ref<ListQuery>,
  list: ErrorList,
  counting: TabCounting,
  focusRow: (id: string) => void,
) {
  /** Text for screen readers. */
  const announcement = shallowRef('');

  function show(id: string, state: (shown: TrackedError) => TrackedError): void {
    list.rows.value = list.rows.value.map((shown) => (shown.id === id ? state(shown) : shown));
  }

  /** Restores rows with their previous status and places. */
  function bringBack(removed: readonly { row: TrackedError; index: number }[]): void {
    for (const { row } of removed) list.hidden.forget(row.id);
    list.rows.value = restoreRows(list.rows.value, removed);
    for (const { row } of removed) {
      const { status, status_details } = row;
      show(row.id, (shown) => ({ ...shown, status, status_details }));
    }
  }

  /**
   * Changes the status of rows; `details`: what it waits for. Rows that no longer match the query are removed
   * immediately.
   */
  async function changeStatus(
    rows: readonly TrackedError[],
    status: ErrorStatus,
    details?: NewStatusDetails,
  ): Promise<void> {
    const to: StatusChange = details === undefined ? { status } : { status, details };
    const changing = rows.filter((row) => row.status !== status || details !== undefined);
    const [first] = changing;
    if (first === undefined) return;
    const asked = query.value;
    // The page may show another project or query when an undo is requested.
    const inProject = project.value;
    const stillHere = () => query.value === asked && project.value === inProject;
    const leaves = asked.for_review === 'true' || (asked.status !== 'all' && asked.status !== status);
    const places = changing.map((row) => ({ row, index: list.rows.value.findIndex(({ id }) => id === row.id) }));
    if (leaves) {
      for (const { id } of changing) list.hidden.hide(id, status);
      list.rows.value = list.rows.value.filter(({ id }) => !list.hidden.has(id));
    } else {
      for (const { id } of changing) show(id, (shown) => changed(shown, to));
    }
    const what = changing.length === 1 ? visibleExcerpt(first.title, 60) : counted(changing.length, 'error');
    const text = `${changedText(to)}: ${what}`;
    announcement.value = text;

    counting.moved(changing, status);
    const change = counting.during(sendStatus(inProject, changing, to));
    const backHere = async () => {
      if (!stillHere()) return;
      bringBack(places);
      await nextTick();
      // The focused button has disappeared.
      if (document.activeElement === document.body) focusRow(first.id);
    };
    const undoable = {
      text,
      kind: CHANGED_KIND[status],
      ids: changing.map(({ id }) => `${inProject}/${id}`),
      undo: async () => {
        const arrived = stillHere() ? list.hidden.undo() : () => undefined;
        void backHere();
        announcement.value = `Undone: ${what}`;
        if (stillHere()) counting.movedBack(changing, status);
        const back = await counting.during(takeBack(inProject, changing, change)).finally(arrived);
        const left = leftText(back, changing.length);
        if (left !== '') {
          showToast(left);
          announcement.value = left;
          if (stillHere()) await list.refresh();
        }
        report(back.failed, changing.length);
      },
    };
    showChange(undoable);
    const { failed } = await change;
    const isFailed = (id: string) => failed.some((one) => one.id === id);
    for (const { id } of changing) if (!isFailed(id)) list.hidden.taken(id);
    if (failed.length > 0 && stillHere()) bringBack(places.filter(({ row }) => isFailed(row.id)));
    if (failed.length > 0) {
      removeChange(undoable);
      announcement.value = '';
    }
    report(failed, changing.length);
    if (leaves && stillHere()) await list.refill();
  }

  function report(failed: readonly { failure: ApiFailure }[], of: number): void {
    const [first] = failed;
    if (first === undefined) return;
    const some = of === 1 ? '' : `${failed.length} of ${counted(of, 'error')}: `;
    showToast(some + statusProblem(first.failure), { tone: 'danger' });
  }

  return { changeStatus, announcement };
}
