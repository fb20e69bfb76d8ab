import type { RouteLocationNormalized, Router } from 'vue-router';
import { readTab, writeTab } from '../lib/stored.ts';

const key = (path: string) => `errgate.left-list ${path}`;

/** Address and scroll position of the list from which an error was opened. */
let left: { readonly address: string; readonly top: number } | null = null;
/** Id of the error from which the user returned to the list. */
let opened: string | null = null;

/** Checks whether an error belongs to a list, by their addresses. */
const within = (error: RouteLocationNormalized, list: RouteLocationNormalized): boolean =>
  error.name === 'error' && list.name === 'errors' && error.path.startsWith(`${list.path}/`);

/** Remembers the last address of each project's error list in this tab. */
export function rememberLists(router: Router): void {
  router.afterEach((to, from, failure) => {
    if (failure !== undefined) return;
    if (to.name === 'errors') writeTab(key(to.path), to.fullPath);
    // The old page is still rendered here, so its scroll position is readable.
    if (within(to, from)) left = { address: from.fullPath, top: window.scrollY };
    opened = within(from, to) && typeof from.params.id === 'string' ? from.params.id : null;
  });
}

/** Last address of a list, with its filters. `list` is its address without filters. */
export function asLeft(list: Pick<RouteLocationNormalized, 'path' | 'fullPath'>): string {
  return readTab(key(list.path)) ?? list.fullPath;
}

/** Scroll position of the list from which the error was opened; null unless the user returns from that error. */
export function placeLeft(to: RouteLocationNormalized, from: RouteLocationNormalized): { readonly top: number } | null {
  return within(from, to) && left?.address === to.fullPath ? { top: left.top } : null;
}

/** Id of the error from which the user returned to the list; null after any other navigation. */
export function openedBefore(): string | null {
  return opened;
}
