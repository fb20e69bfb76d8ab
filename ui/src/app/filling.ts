import { nextTick, onScopeDispose, shallowRef, watch, type Ref } from 'vue';

/** Maximum of milliseconds that back navigation waits for content before it scrolls. */
const MAX_FILLING_MS = 1000;

const filling = shallowRef(false);

/** Registers the loading state of a page whose height depends on loaded data. */
export function useFilling(loading: Readonly<Ref<boolean>>): void {
  watch(loading, (now) => (filling.value = now), { immediate: true, flush: 'sync' });
  onScopeDispose(() => (filling.value = false));
}

/** Waits until the page has its final height, up to a time limit. */
export function filled(): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      stop();
      resolve();
    };
    const timer = setTimeout(done, MAX_FILLING_MS);
    const stop = watch(filling, (now) => {
      if (!now) void nextTick(done);
    });
    if (!filling.value) void nextTick(done);
  });
}
