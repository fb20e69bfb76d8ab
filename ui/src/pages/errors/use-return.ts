import { watch, type Ref } from 'vue';
import { openedBefore } from '../../app/left-list.ts';

/** After the return from an error, focuses its row unless another element has the focus. */
export function useReturn(loading: Readonly<Ref<boolean>>, focusRow: (id: string) => void): void {
  const opened = openedBefore();
  if (opened === null) return;
  watch(
    loading,
    () => {
      if (document.activeElement?.matches('body, main') ?? true) focusRow(opened);
    },
    { once: true, flush: 'post' },
  );
}
