import type { RouteRecordRaw } from 'vue-router';
import { MAINTAINER, OWNER, REPORTER } from '../lib/access-levels.ts';
import { page } from './page-loading.ts';

declare module 'vue-router' {
  interface RouteMeta {
    /** First part of the browser tab's title; the project's name follows. */
    readonly title?: string;
    /** True: accessible without signing in. */
    readonly open?: true;
    /** True: without navigation bar. */
    readonly bare?: true;
    /** Role that the page of a project needs; the service enforces it. Default: any role. */
    readonly needs?: NeededRole;
  }
}

export interface NeededRole {
  /** Minimum access level. */
  readonly level: number;
  /** What lower roles may not do, as in "see errors". */
  readonly to: string;
}

const TO_SEE_ERRORS = { level: REPORTER, to: 'see errors' } as const;
const TO_SEE_RELEASES = { level: REPORTER, to: 'see releases' } as const;

/** Segments of a project's full path, one or more. */
const PROJECT = '/:project+/-';

/** All pages. Each is a separate chunk, loaded on first use. */
export const routes: readonly RouteRecordRaw[] = [
  {
    path: '/',
    name: 'start',
    component: page(() => import('../pages/StartPage.vue')),
    meta: { title: 'Projects' },
  },
  {
    path: '/users/sign_in',
    name: 'sign-in',
    component: page(() => import('../pages/SignInPage.vue')),
    meta: { title: 'Sign in', open: true, bare: true },
  },
  {
    path: '/-/invitations/:token',
    name: 'invitation',
    component: page(() => import('../pages/InvitationPage.vue')),
    meta: { title: 'Invitation', open: true, bare: true },
  },
  {
    path: `${PROJECT}/error_tracking`,
    name: 'errors',
    component: page(() => import('../pages/ErrorListPage.vue')),
    meta: { title: 'Error Tracking', needs: TO_SEE_ERRORS },
  },
  {
    path: `${PROJECT}/error_tracking/:id/details`,
    name: 'error',
    component: page(() => import('../pages/ErrorPage.vue')),
    meta: { title: 'Error', needs: TO_SEE_ERRORS },
  },
  {
    path: `${PROJECT}/error_tracking/setup`,
    name: 'setup',
    component: page(() => import('../pages/SetupPage.vue')),
    meta: { title: 'Set-up' },
  },
  {
    path: `${PROJECT}/error_tracking/releases`,
    name: 'releases',
    component: page(() => import('../pages/ReleasesPage.vue')),
    meta: { title: 'Releases', needs: TO_SEE_RELEASES },
  },
  {
    path: `${PROJECT}/error_tracking/releases/:version`,
    name: 'release',
    component: page(() => import('../pages/ReleasePage.vue')),
    meta: { title: 'Release', needs: TO_SEE_RELEASES },
  },
  {
    path: `${PROJECT}/error_tracking/releases/:version/compare`,
    name: 'release-compare',
    component: page(() => import('../pages/ReleaseComparePage.vue')),
    meta: { title: 'Compare releases', needs: TO_SEE_RELEASES },
  },
  {
    path: `${PROJECT}/error_tracking/uploads`,
    name: 'uploads',
    component: page(() => import('../pages/UploadsPage.vue')),
    meta: { title: 'Uploads', needs: { level: REPORTER, to: 'see uploads' } },
  },
  {
    path: `${PROJECT}/error_tracking/user_reports`,
    name: 'user-reports',
    component: page(() => import('../pages/UserReportsPage.vue')),
    meta: { title: 'User reports', needs: { level: REPORTER, to: 'see user reports' } },
  },
  {
    path: `${PROJECT}/error_tracking/outcomes`,
    name: 'outcomes',
    component: page(() => import('../pages/OutcomesPage.vue')),
    meta: { title: 'Usage', needs: { level: MAINTAINER, to: 'see the usage' } },
  },
  {
    path: `${PROJECT}/settings/operations`,
    name: 'settings',
    component: page(() => import('../pages/SettingsPage.vue')),
    meta: { title: 'Settings', needs: { level: MAINTAINER, to: 'see and change the settings' } },
  },
  {
    path: `${PROJECT}/settings/alerts`,
    name: 'alerts',
    component: page(() => import('../pages/AlertsPage.vue')),
    meta: { title: 'Alerts', needs: { level: MAINTAINER, to: 'see and change alerts' } },
  },
  {
    path: `${PROJECT}/project_members`,
    name: 'members',
    component: page(() => import('../pages/MembersPage.vue')),
    meta: { title: 'Members' },
  },
  {
    path: `${PROJECT}/audit_events`,
    name: 'audit',
    component: page(() => import('../pages/AuditPage.vue')),
    meta: { title: 'Audit log', needs: { level: OWNER, to: 'see who changed what' } },
  },
  {
    path: '/-/groups',
    name: 'groups',
    component: page(() => import('../pages/GroupsPage.vue')),
    meta: { title: 'Groups' },
  },
  {
    path: '/-/groups/:group+/-/audit_events',
    name: 'group-audit',
    component: page(() => import('../pages/GroupAuditPage.vue')),
    meta: { title: 'Audit log' },
  },
  {
    path: '/-/groups/:group+',
    name: 'group',
    component: page(() => import('../pages/GroupPage.vue')),
    meta: { title: 'Group' },
  },
  {
    path: '/-/profile',
    name: 'profile',
    component: page(() => import('../pages/ProfilePage.vue')),
    meta: { title: 'Profile' },
  },
  // Tokens, password and sessions are on one page.
  { path: '/-/profile/:part(.+)', redirect: { name: 'profile' } },
  { path: '/admin', redirect: { name: 'admin-users' } },
  {
    path: '/admin/users',
    name: 'admin-users',
    component: page(() => import('../pages/AdminUsersPage.vue')),
    meta: { title: 'Users' },
  },
  {
    path: '/admin/projects',
    name: 'admin-projects',
    component: page(() => import('../pages/AdminProjectsPage.vue')),
    meta: { title: 'All projects' },
  },
  {
    path: '/admin/outcomes',
    name: 'admin-outcomes',
    component: page(() => import('../pages/AdminOutcomesPage.vue')),
    meta: { title: 'Usage' },
  },
  {
    path: '/admin/audit_events',
    name: 'admin-audit',
    component: page(() => import('../pages/AdminAuditPage.vue')),
    meta: { title: 'Audit log' },
  },
  {
    path: '/admin/health',
    name: 'admin-health',
    component: page(() => import('../pages/AdminHealthPage.vue')),
    meta: { title: 'Health' },
  },
  // Issues and events of former trackers, also below a sub-path: /organizations/acme/issues/1/…, /acme/shop/issues/1/,
  // /issues/1/, /share/issue/1/, /acme/shop/events/…/
  {
    // Closing brackets within the pattern are escaped for the router.
    path: '/:former((?!.*/-/\\)(?:.*/\\)?(?:issues?|events\\)(?:/.*\\)?)',
    name: 'former',
    component: page(() => import('../pages/FormerLinkPage.vue')),
    meta: { title: 'Former address', bare: true },
  },
  {
    path: `/:pathMatch(.*)*`,
    name: 'not-found',
    component: page(() => import('../pages/NotFoundPage.vue')),
    meta: { title: 'Not found', bare: true },
  },
];
