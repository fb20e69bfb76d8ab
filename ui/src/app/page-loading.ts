import { readonly, ref, watch } from 'vue';
import type { RouteComponent, Router } from 'vue-router';
import { tryLazyAgain } from '../lib/lazily.ts';
import { readTab, writeTab } from '../lib/stored.ts';
import { isThere, useConnection } from './connection.ts';
import { showToast } from './toasts.ts';

/** Address that was reloaded because its page failed to load. One reload per address avoids an endless loop. */
const RELOADED_ADDRESS = 'errgate.reloaded-address';

/** Thrown when the code of a page cannot be loaded: the server is unavailable, or a newer version has other files. */
class PageNotLoaded extends Error {
  override readonly name = 'PageNotLoaded';
}

/** Wraps a page whose code is loaded on first use, so that its failure is distinguishable from others. */
export function page(load: () => Promise<RouteComponent>): () => Promise<RouteComponent> {
  return async () => {
    try {
      return await load();
    } catch (cause) {
      throw new PageNotLoaded('The page could not be loaded.', { cause });
    }
  };
}

const waiting = ref<string | null>(null);
const unopened = ref<string | null>(null);

/** Address of the page that opens when the server is back. */
export const waitingPage = readonly(waiting);
/** Address of the page that failed to load although the server answers. */
export const unopenedPage = readonly(unopened);

/** Loads the address from the server, not in the router. This brings the files of the current version. */
function loadFromServer(router: Router, address: string): void {
  if (readTab(RELOADED_ADDRESS) !== address && writeTab(RELOADED_ADDRESS, address)) {
    window.location.assign(router.resolve(address).href);
    return;
  }
  unopened.value = address;
  // Without a rendered page, `App` shows the message instead of a toast.
  if (router.currentRoute.value.matched.length === 0) return;
  showToast('The page could not be loaded.', {
    tone: 'danger',
    action: { label: 'Try again', run: () => tryAgain(router) },
  });
}

/** Loads the failed page again. */
export function tryAgain(router: Router): void {
  if (unopened.value === null) return;
  writeTab(RELOADED_ADDRESS, '');
  loadFromServer(router, unopened.value);
}

/** Opens a page whose code failed to load, by a reload or once the server is back. */
export function recoverFailedPages(router: Router): void {
  let asked: string | null = null;

  router.onError(async (error: unknown, to) => {
    if (!(error instanceof PageNotLoaded)) return;
    const address = to.fullPath;
    asked = address;
    const there = await isThere();
    // Ignored after a navigation to another page.
    if (asked !== address) return;
    if (there) loadFromServer(router, address);
    else waiting.value = address;
  });

  router.afterEach((_to, _from, failure) => {
    if (failure !== undefined) return;
    asked = null;
    waiting.value = null;
    unopened.value = null;
    writeTab(RELOADED_ADDRESS, '');
  });

  watch(useConnection().returns, () => {
    const address = waiting.value;
    waiting.value = null;
    tryLazyAgain();
    if (address !== null) void router.push(address);
  });

  // Reported by `onError` above.
  window.addEventListener('unhandledrejection', (event) => {
    if (event.reason instanceof PageNotLoaded) event.preventDefault();
  });
}
