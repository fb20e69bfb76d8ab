import { onScopeDispose, watch, type Ref } from 'vue';
import { ApiFailure } from '../../api/api-failure.ts';
import type { ErrorDetail } from '../../api/errors-api.ts';
import { reviewError } from '../../api/triage-api.ts';
import { showToast } from '../../app/toasts.ts';

/** Milliseconds for which an error is visible until it counts as looked at. */
const LOOK_MS = 2000;

/** Marks the error of a page as looked at once a Developer had it in sight for a while, and by a command. */
export function useReview(project: Ref<string>, error: Ref<ErrorDetail | null>, may: Readonly<Ref<boolean>>) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Id of the error that was marked for review on this page: looking on is no review of it. */
  let marked: string | null = null;
  const asks = () => may.value && error.value?.marks?.for_review === true;
  const isDue = () => !document.hidden && asks() && error.value?.id !== marked;

  function show(id: string, forReview: boolean): void {
    const { value: shown } = error;
    if (shown?.id !== id || shown.marks === null) return;
    error.value = { ...shown, marks: { ...shown.marks, for_review: forReview } };
  }

  async function review(reviewed: boolean): Promise<boolean> {
    const { value: shown } = error;
    if (shown === null || !may.value) return false;
    try {
      // Before the answer: the error may be read again until then.
      marked = reviewed ? null : shown.id;
      await reviewError(project.value, shown.id, reviewed);
      show(shown.id, !reviewed);
      return true;
    } catch (caught) {
      if (!(caught instanceof ApiFailure)) throw caught;
      showToast(`The error could not be marked as reviewed. ${caught.message}`, { tone: 'danger' });
      return false;
    }
  }

  /** Marks it by a command, and says so. */
  async function mark(reviewed: boolean): Promise<void> {
    if (await review(reviewed)) showToast(reviewed ? 'Reviewed' : 'Marked for review');
  }

  function markReviewed(): void {
    if (!may.value || error.value?.integrated !== true) return;
    if (asks()) void mark(true);
    else showToast('The error needs no review.');
  }

  function wait(): void {
    clearTimeout(timer);
    if (!isDue()) return;
    timer = setTimeout(() => {
      if (isDue()) void review(true);
    }, LOOK_MS);
  }

  watch(
    () => error.value?.id,
    (id) => {
      if (id !== undefined && id !== marked) marked = null;
    },
  );
  watch(() => [error.value?.id, asks()], wait, { immediate: true });
  document.addEventListener('visibilitychange', wait);
  onScopeDispose(() => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', wait);
  });

  return { mark, markReviewed };
}
