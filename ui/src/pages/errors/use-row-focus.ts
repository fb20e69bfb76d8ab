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
   * place of the one that had it.
   */
  function hold(leaving: readonly TrackedError[]): () => void {
    const at = currentIndex();
    const id = rows.value[at]?.id;
    if (at === -1 || !leaving.some((row) => row.id === id)) return () => undefined;
    const above = rows.value.slice(0, at).filter((row) => leaving.some((gone) => gone.id === row.id)).length;
    return () => {
      if (!rows.value.some((row) => row.id === id)) focusRow(Math.min(at - above, rows.value.length - 1));
    };
  }

  return { move, current, open, hold, focusId, focusInPlace };
}
