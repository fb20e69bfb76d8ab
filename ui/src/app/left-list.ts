import type { RouteLocationNormalized, Router } from 'vue-router';
import { readTab, writeTab } from '../lib/stored.ts';

const key = (path: string) => `errgate.left-list ${path}`;

/** Remembers how the list of each project was left in this tab, however far one goes on from there. */
export function rememberLists(router: Router): void {
  router.afterEach((to, _from, failure) => {
    if (failure === undefined && to.name === 'errors') writeTab(key(to.path), to.fullPath);
  });
}

/** Address of a list as it was left, with its filters; `list` is it without any. */
export function asLeft(list: Pick<RouteLocationNormalized, 'path' | 'fullPath'>): string {
  return readTab(key(list.path)) ?? list.fullPath;
}
