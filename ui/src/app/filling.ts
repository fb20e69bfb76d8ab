import { nextTick, onScopeDispose, shallowRef, watch, type Ref } from 'vue';

/** Milliseconds that a way back waits for a page to fill: with nothing there yet, there is no place to land on. */
const PATIENCE_MS = 1000;

const filling = shallowRef(false);

/** For pages whose length comes from the network: whether it is still on its way. */
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
    const timer = setTimeout(done, PATIENCE_MS);
    const stop = watch(filling, (now) => {
      if (!now) void nextTick(done);
    });
    if (!filling.value) void nextTick(done);
  });
}
