import { onMounted, onScopeDispose, watch } from 'vue';
import { useConnection } from '../app/connection.ts';

/** Maximum factor of the pause; pauses double after each failure. */
const MAX_STRETCH = 8;

/**
 * Calls `look` repeatedly while the page is visible, `pauseMs` after the previous call. `look` returns its success; an
 * exception is a failure. A page that becomes visible again calls it at once. Reconnection resets the pause.
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
    let went = false;
    try {
      went = document.hidden || (await look());
    } finally {
      looking = false;
      stretch = went ? 1 : Math.min(stretch * 2, MAX_STRETCH);
      wait();
    }
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
