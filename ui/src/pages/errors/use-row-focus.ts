import type { Ref } from 'vue';
import type { TrackedError } from '../../api/errors-api.ts';

/** Going through the rows by keyboard: the link of a row has the focus, as with the Tab key. */
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

  /** Without moving the page: that is for the way back, which lands where one was. */
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
   * Call it before rows leave the list, and what it answers afterwards: the focus then goes to the row that took the
   * place of the one that had it. That answers false where none follows: the focus does not go up to a row that was
   * passed over, and it may be called again once more errors have come.
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
