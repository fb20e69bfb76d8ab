import { onMounted, onScopeDispose, watch } from 'vue';
import { useConnection } from '../app/connection.ts';

/** After failures the pauses double, up to this many times the usual one. */
const MAX_STRETCH = 8;

/**
 * Calls `look` again and again while the page is visible, `pauseMs` after the last call ended; it answers whether it
 * went well. A page that becomes visible again looks at once; once the service is back, the pauses are short again.
 */
export function usePolling(look: () => Promise<boolean>, pauseMs: number): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stretch = 1;
  let stopped = false;
  let looking = false;

  async function turn(): Promise<void> {
    if (looking) return;
    clearTimeout(timer);
    looking = true;
    const went = document.hidden || (await look());
    looking = false;
    stretch = went ? 1 : Math.min(stretch * 2, MAX_STRETCH);
    wait();
  }

  function wait(): void {
    clearTimeout(timer);
    if (!stopped) timer = setTimeout(() => void turn(), pauseMs * stretch);
  }

  function wake(): void {
    if (!document.hidden && !stopped) void turn();
  }

  watch(useConnection().returns, () => {
    stretch = 1;
    if (!looking) wait();
  });
  onMounted(() => {
    document.addEventListener('visibilitychange', wake);
    wait();
  });
  onScopeDispose(() => {
    stopped = true;
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', wake);
  });
}
