import type { RouteLocationNormalized, Router } from 'vue-router';
import { readTab, writeTab } from '../lib/stored.ts';

const key = (path: string) => `errgate.left-list ${path}`;

/** Where a list was left for one of its errors. */
let left: { readonly address: string; readonly top: number } | null = null;
/** The error that one comes back from. */
let opened: string | null = null;

/** Errors stand below their list. */
const within = (error: RouteLocationNormalized, list: RouteLocationNormalized): boolean =>
  error.name === 'error' && list.name === 'errors' && error.path.startsWith(`${list.path}/`);

/** Remembers how the list of each project was left in this tab, however far one goes on from there. */
export function rememberLists(router: Router): void {
  router.afterEach((to, from, failure) => {
    if (failure !== undefined) return;
    if (to.name === 'errors') writeTab(key(to.path), to.fullPath);
    // The page that is left still stands.
    if (within(to, from)) left = { address: from.fullPath, top: window.scrollY };
    opened = within(from, to) && typeof from.params.id === 'string' ? from.params.id : null;
  });
}

/** Address of a list as it was left, with its filters; `list` is it without any. */
export function asLeft(list: Pick<RouteLocationNormalized, 'path' | 'fullPath'>): string {
  return readTab(key(list.path)) ?? list.fullPath;
}

/** How far down a list was when one went to the error that one comes from now; null for any other way. */
export function placeLeft(to: RouteLocationNormalized, from: RouteLocationNormalized): { readonly top: number } | null {
  return within(from, to) && left?.address === to.fullPath ? { top: left.top } : null;
}

/** Id of the error that one came back from to the list; null after any other way. */
export function openedBefore(): string | null {
  return opened;
}
