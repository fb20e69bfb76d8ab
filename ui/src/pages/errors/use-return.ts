import { watch, type Ref } from 'vue';
import { openedBefore } from '../../app/left-list.ts';

/** Back from an error, its row has the focus again, unless something else has got it meanwhile. */
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
