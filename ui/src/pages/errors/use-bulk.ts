import { nextTick, shallowRef, watch, type Ref } from 'vue';
import { ApiFailure } from '../../api/api-failure.ts';
import { changeErrors, type BulkAction, type BulkResult, type ListFilters } from '../../api/error-list-api.ts';
import { showChange, showToast } from '../../app/toasts.ts';
import { lazily, tryLazyAgain } from '../../lib/lazily.ts';
import { counted } from '../../lib/numbers.ts';
import { leftText, restoreErrors } from './change-status.ts';

/** What a bulk action does, as the service takes it. */
export type BulkChange = Pick<BulkAction, 'action' | 'status' | 'status_details' | 'user_id' | 'reviewed'>;

/** Errors of a bulk action: by id, or everything that matches the list. */
export type BulkScope =
  | { readonly ids: readonly string[] }
  | {
      readonly matching: true;
      readonly filters: ListFilters;
      /** Number that the person sees, counted just before the question. */
      readonly count: number;
    };

/** Words for a bulk action. */
export interface BulkWords {
  /** After a number of errors: `resolved`, `assigned to Ada`. */
  readonly done: string;
  /** Before a number of errors: `Resolve`. */
  readonly verb: string;
  /** After the number in the question: `in the next release`. */
  readonly after?: string;
  /** What happens, as a sentence. */
  readonly effect: string;
}

/** Question before a bulk action. */
export type BulkQuestion = { readonly scope: BulkScope } & (
  | { readonly kind: 'confirm'; readonly change: BulkChange; readonly words: BulkWords }
  | { readonly kind: 'assign' | 'delete' }
);

/** Code of the dialog, loaded on first use. */
const code = lazily(async () => (await import('./BulkDialog.vue')).default);

export function countOf(scope: BulkScope): number {
  return 'ids' in scope ? scope.ids.length : scope.count;
}

/** What bulk actions need of their page. */
interface Parts {
  readonly project: Ref<string>;
  /** A change of it closes the dialog. */
  readonly key: () => unknown;
  /** Awaits a change, and counts or reads again what it concerns. */
  readonly during: <T>(change: Promise<T>) => Promise<T>;
  /** Called after a change, before `refresh`; its result is called afterwards. */
  readonly changed: (scope: BulkScope) => () => unknown;
  /** Reads the errors of the page again. */
  readonly refresh: () => Promise<unknown>;
}

/** Actions on one or many errors: asks first where they concern more than the selected rows, and offers one undo. */
export function useBulk({ project, key, during, changed, refresh }: Parts) {
  const dialog = shallowRef<Awaited<ReturnType<typeof code>>>(null);
  /** Open question; null while the dialog is closed. */
  const question = shallowRef<BulkQuestion | null>(null);
  /** Text for screen readers. */
  const announcement = shallowRef('');

  const close = (): void => {
    question.value = null;
  };
  watch([project, key], close, { flush: 'sync' });

  async function ask(next: BulkQuestion): Promise<void> {
    dialog.value = await code();
    if (dialog.value !== null) {
      question.value = next;
      return;
    }
    tryLazyAgain();
    showToast('The dialog could not be loaded. Try again.', { tone: 'danger' });
  }

  function bodyOf(scope: BulkScope, change: BulkChange): BulkAction {
    if ('ids' in scope) return { ...change, ids: [...scope.ids] };
    return { ...change, all_matching: true, filters: scope.filters, expected: scope.count };
  }

  function report({ failed, changed: done }: BulkResult): void {
    const [first] = failed;
    if (first === undefined) return;
    const count = failed.reduce((sum, { ids }) => sum + ids.length, 0);
    showToast(`${count} of ${counted(count + done, 'error')} failed: ${first.message}`, { tone: 'danger' });
  }

  async function restore(inProject: string, { previous }: BulkResult): Promise<void> {
    try {
      const result = await during(restoreErrors(inProject, previous));
      const left = leftText(
        result,
        previous.reduce((sum, { ids }) => sum + ids.length, 0),
      );
      const undone = result.changed === 0 ? 'Nothing was undone' : `Undone: ${counted(result.changed, 'error')}`;
      announcement.value = left === '' ? undone : `${undone}. ${left}`;
      if (left !== '') showToast(announcement.value);
      report(result);
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      showToast(`The undo failed. ${error.message}`, { tone: 'danger' });
    }
    if (project.value === inProject) await refresh();
  }

  /** Runs a bulk action. Throws an `ApiFailure`; `matching` of it is the number of errors that match now. */
  async function run(scope: BulkScope, change: BulkChange, { done }: Pick<BulkWords, 'done'>): Promise<void> {
    const inProject = project.value;
    const result = await during(changeErrors(inProject, bodyOf(scope, change)));
    close();
    // The closed dialog gives the focus back first.
    await nextTick();
    const text = `${counted(result.changed, 'error')} ${done}`;
    announcement.value = text;
    const ids = result.previous.flatMap((state) => state.ids).map((id) => `${inProject}/${id}`);
    if (ids.length > 0) showChange({ text, kind: done, ids, undo: () => restore(inProject, result) });
    else showToast(text);
    if (result.gone.length > 0) showToast(leftText({ skipped: [], gone: result.gone }, countOf(scope)));
    report(result);
    const settle = changed(scope);
    await refresh();
    await nextTick();
    settle();
  }

  /** Like `run`, but shows a failure as a message. */
  async function runNow(scope: BulkScope, change: BulkChange, words: Pick<BulkWords, 'done'>): Promise<void> {
    try {
      await run(scope, change, words);
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      showToast(`Nothing was changed. ${error.message}`, { tone: 'danger' });
    }
  }

  return { dialog, question, announcement, ask, close, run, runNow };
}
