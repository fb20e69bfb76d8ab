import type { Ref } from 'vue';
import type { TrackedError } from '../../api/errors-api.ts';

/** Keyboard navigation through the rows. As with the Tab key, the link of a row gets the focus. */
export function useRowFocus(table: Readonly<Ref<HTMLElement | null>>, rows: Ref<readonly TrackedError[]>) {
  function rowElement(id: string): HTMLElement | null {
    return table.value?.querySelector<HTMLElement>(`tr[data-error="${CSS.escape(id)}"]`) ?? null;
  }

  function currentIndex(): number {
    const id = document.activeElement?.closest<HTMLElement>('tr[data-error]')?.dataset.error;
    return rows.value.findIndex((row) => row.id === id);
  }

  function focusId(id: string): void {
    focusRow(rows.value.findIndex((row) => row.id === id));
  }

  function focusRow(index: number): void {
    const row = rows.value[index];
    if (row === undefined) return;
    const link = rowElement(row.id)?.querySelector<HTMLElement>('a');
    link?.focus({ preventScroll: true });
    link?.closest('tr')?.scrollIntoView({ block: 'nearest' });
  }

  /** Focuses a row without scrolling; back navigation restores the scroll position itself. */
  function focusInPlace(id: string): void {
    rowElement(id)?.querySelector<HTMLElement>('a')?.focus({ preventScroll: true });
  }

  function move(step: 1 | -1): void {
    const at = currentIndex();
    if (at === -1) focusRow(step === 1 ? 0 : rows.value.length - 1);
    else focusRow(Math.max(0, Math.min(rows.value.length - 1, at + step)));
  }

  function current(): TrackedError | null {
    return rows.value[currentIndex()] ?? null;
  }

  function open(): boolean {
    const row = current();
    if (row === null) return false;
    rowElement(row.id)?.querySelector<HTMLElement>('a')?.click();
    return true;
  }

  /**
   * Call it before rows leave the list, and its result afterwards. The result focuses the row that follows the
   * focused one.
   * It returns false if none follows; it never moves up. Call it again after more errors have loaded.
   */
  function hold(leaving: readonly TrackedError[]): () => boolean {
    const at = currentIndex();
    const id = rows.value[at]?.id;
    if (at === -1 || !leaving.some((row) => row.id === id)) return () => true;
    const above = rows.value.slice(0, at).filter((row) => leaving.some((gone) => gone.id === row.id)).length;
    return () => {
      const back = rows.value.findIndex((row) => row.id === id);
      if (back !== -1 && document.activeElement !== document.body) return true;
      const next = back === -1 ? at - above : back;
      focusRow(next);
      return next < rows.value.length;
    };
  }

  return { move, current, open, hold, focusId, focusInPlace };
}
