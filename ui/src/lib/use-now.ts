import { onScopeDispose, readonly, ref, type Ref } from 'vue';

/** Milliseconds between two updates of relative times. */
const STEP_MS = 15_000;

const now = ref(Date.now());
let users = 0;
let timer: ReturnType<typeof setInterval> | undefined;

/** Current time for all relative times on the page. The timer only runs while one is shown. */
export function useNow(): Readonly<Ref<number>> {
  if (users === 0) {
    now.value = Date.now();
    timer = setInterval(() => (now.value = Date.now()), STEP_MS);
  }
  users += 1;
  onScopeDispose(() => {
    users -= 1;
    if (users === 0) clearInterval(timer);
  });
  return readonly(now);
}
