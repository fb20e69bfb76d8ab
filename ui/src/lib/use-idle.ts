import { onMounted, onScopeDispose } from 'vue';

const INPUTS = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'scroll', 'touchmove'] as const;

/** Returns a function that says whether the page is hidden, or had no input for `ms` milliseconds. */
export function useIdle(ms: number): () => boolean {
  let last = Date.now();
  const note = (): void => {
    last = Date.now();
  };
  onMounted(() => {
    for (const name of INPUTS) window.addEventListener(name, note, { passive: true, capture: true });
  });
  onScopeDispose(() => {
    for (const name of INPUTS) window.removeEventListener(name, note, { capture: true });
  });
  return () => document.hidden || Date.now() - last > ms;
}
