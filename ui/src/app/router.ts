import { watch } from 'vue';
import { createRouter, createWebHistory, type RouteLocationNormalized, type RouteLocationRaw } from 'vue-router';
import { ApiFailure } from '../api/api-failure.ts';
import { basePath } from '../lib/base-path.ts';
import { visibleText } from '../lib/visible-text.ts';
import { useConnection } from './connection.ts';
import { filled } from './filling.ts';
import { placeLeft, rememberLists } from './left-list.ts';
import { checkProject, isMissing } from './missing-projects.ts';
import { recoverFailedPages } from './page-loading.ts';
import { askRole } from './role.ts';
import { routes } from './routes.ts';
import { loadSession, mustChangePassword, mustSetUpSecondFactor, person, session } from './session.ts';

export const router = createRouter({
  history: createWebHistory(`${basePath}/`),
  routes: [...routes],
  // Only back navigation restores the scroll position; a changed filter does not scroll.
  scrollBehavior: async (to, from, saved) => {
    const place = saved ?? placeLeft(to, from);
    if (place === null) return to.path === from.path ? false : { top: 0 };
    await filled();
    // Does not scroll after a navigation to another page.
    return router.currentRoute.value.fullPath === to.fullPath ? place : false;
  },
});

/** Maximum of milliseconds that a page waits for its project and the role in it. */
const MAX_LOOKUP_MS = 1000;

/** Full path of the project in the address; null for other pages. */
export function projectOf(route: Pick<RouteLocationNormalized, 'params'>): string | null {
  const { project } = route.params;
  return Array.isArray(project) ? project.join('/') : null;
}

function signInFirst(wanted: RouteLocationNormalized): RouteLocationRaw {
  return { name: 'sign-in', query: wanted.fullPath === '/' ? {} : { return_to: wanted.fullPath } };
}

function mayStay({ meta }: RouteLocationNormalized): boolean {
  return meta.open === true || (person.value !== null && !mustChangePassword.value && !mustSetUpSecondFactor.value);
}

/** Whether the project of the coming page exists, and the role of the user in it. */
let known: Promise<unknown> | null = null;

router.beforeEach(async (to) => {
  if (session.value === null) {
    try {
      await loadSession();
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      // The service is unavailable: the page reports it, and loads again after reconnection.
      return true;
    }
  }
  if (!mayStay(to)) return signInFirst(to);
  // Runs in parallel with loading the code of the page.
  const project = projectOf(to);
  known = project === null ? null : Promise.all([checkProject(project), askRole(project)]);
  return true;
});

// A page that is refused or missing is never drawn: its parts would come and go.
router.beforeResolve(async () => {
  if (known !== null) await Promise.race([known, new Promise((resolve) => setTimeout(resolve, MAX_LOOKUP_MS))]);
});

/** Title of the browser tab. */
export function titleOf(to: Pick<RouteLocationNormalized, 'params' | 'meta'>): string {
  const project = projectOf(to);
  const { version } = to.params;
  const named = typeof version === 'string' ? visibleText(version) : undefined;
  const parts = isMissing(project) ? ['Not found', 'errgate'] : [named, to.meta.title, project, 'errgate'];
  return parts.filter((part) => typeof part === 'string').join(' · ');
}

router.afterEach((to) => {
  document.title = titleOf(to);
});

recoverFailedPages(router);
rememberLists(router);

// When the session ends: leads to the sign-in, and then back to the same address.
watch(person, (now, before) => {
  const here = router.currentRoute.value;
  if (now === null && before !== null && here.meta.open !== true) void router.replace(signInFirst(here));
});

// After reconnection: reads the session that was unavailable at load time.
watch(useConnection().returns, async () => {
  if (session.value !== null) return;
  try {
    await loadSession();
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    return;
  }
  const here = router.currentRoute.value;
  if (!mayStay(here)) await router.replace(signInFirst(here));
});
