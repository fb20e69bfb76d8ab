import { onScopeDispose, readonly, ref, type Ref } from 'vue';

/** Milliseconds between two steps of the clock that relative times go by. */
const STEP_MS = 15_000;

const now = ref(Date.now());
let users = 0;
let timer: ReturnType<typeof setInterval> | undefined;

/** One clock for all relative times on the page; it stands still while there are none. */
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
