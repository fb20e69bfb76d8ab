import { decide, effectiveLevel } from '../../../auth/policy.ts';
import type { Principal } from '../../../auth/principal.ts';
import { HOUR_MS } from '../../../domain/durations.ts';
import { NO_ACCESS } from '../../../domain/ports/stores/overview-store.ts';
import { NEWS_HOURS, type ProjectNews } from '../../../domain/projects/project-news.ts';
import type { Project } from '../../../domain/projects/project.ts';
import { servedByIntegrated } from '../../../domain/projects/settings-rules.ts';
import { frequency, nullableTime, problems } from '../../http/common-schema.ts';
import { objectSchema } from '../../http/object-schema.ts';
import { offsetPage } from '../../http/page-links.ts';
import { presenter } from '../../http/presenter.ts';
import type { CommonDeps } from '../../http/route-deps.ts';
import { accountRoute, type Route } from '../../http/route.ts';
import { projectUrl } from '../shared/error-place.ts';

const lately = (text: string) =>
  ({ type: ['integer', 'null'], description: `${text}, up to 10000; null if unresolved_count is null` }) as const;

const overviewSchema = {
  title: 'ProjectOverview',
  type: 'object',
  properties: {
    project: objectSchema({
      properties: {
        id: { type: 'integer' },
        name: { type: 'string' },
        path_with_namespace: { type: 'string' },
        visibility: { enum: ['private', 'public'] },
        web_url: { type: 'string' },
      },
    }),
    access_level: { type: 'integer', description: 'Role of the signed-in user; 50 for administrators' },
    active: { type: 'boolean', description: 'Whether error tracking is enabled' },
    integrated: { type: 'boolean', description: 'Whether errgate stores the errors, instead of an external tracker' },
    monitor: { type: 'boolean', description: 'Whether the Monitor feature is on' },
    unresolved_count: {
      type: ['integer', 'null'],
      description: 'Counted up to 10000; null if the user may not read errors, or if an external tracker stores them',
    },
    new_count: lately('Unresolved errors first seen in the last 24 hours'),
    regressed_count: lately('Unresolved errors that came back in the last 7 days, as `is:regressed` finds them'),
    last_seen: { ...nullableTime, description: 'Newest event; null: none, or if unresolved_count is null' },
    favourite: { type: 'boolean', description: 'Whether the signed-in user marked the project' },
    frequency: {
      ...frequency,
      type: ['array', 'null'],
      description:
        'Events received in the last 24 hours as [start of the hour in epoch seconds, count], by the time of receipt, unlike the charts of errors; null if unresolved_count is null',
    },
  },
  required: [
    'project',
    'access_level',
    'active',
    'integrated',
    'monitor',
    'favourite',
    'unresolved_count',
    'new_count',
    'regressed_count',
    'last_seen',
    'frequency',
  ],
  additionalProperties: false,
} as const;

const overviewsSchema = { type: 'array', items: overviewSchema } as const;

const present = presenter(overviewSchema);

/** Returns stored events by the hour of receipt, as `[start in seconds, count]`, oldest first. */
function hourlyEvents(accepted: ProjectNews['accepted'], now: number): [number, number][] {
  const first = (Math.floor(now / HOUR_MS) - NEWS_HOURS + 1) * HOUR_MS;
  return Array.from({ length: NEWS_HOURS }, (_, index) => {
    const at = first + index * HOUR_MS;
    return [at / 1000, accepted.get(at) ?? 0];
  });
}

const NO_ACTIVITY = {
  ...{ unresolvedCount: null, newCount: null, regressedCount: null },
  ...{ lastSeen: null, frequency: null },
};

function activity({ unresolved, newErrors, regressed, lastSeen, accepted }: ProjectNews, now: number) {
  return {
    unresolvedCount: unresolved,
    newCount: newErrors,
    regressedCount: regressed,
    lastSeen,
    frequency: hourlyEvents(accepted, now),
  };
}

/**
 * Returns projects for the start page of their members; does not query external trackers. `favourites`: ids of the
 * projects that the user marked.
 */
async function projectOverviews(
  deps: CommonDeps,
  principal: Principal,
  projects: readonly Project[],
  favourites: ReadonlySet<number>,
) {
  const now = deps.clock.now();
  const access = await deps.store.projectAccess(
    projects.map(({ id }) => id),
    principal.user.id,
  );
  const shown = projects.map((project) => {
    const { settings, level } = access.get(project.id) ?? NO_ACCESS;
    const active = settings?.active ?? false;
    const integrated = settings !== null && servedByIntegrated(settings, deps.integratedOffered);
    const readable = active && integrated && decide(principal, 'read_errors', project, level) === 'ok';
    return { project, level, active, integrated, readable };
  });
  const news = await deps.store.projectNews(
    shown.filter(({ readable }) => readable).map(({ project }) => project.id),
    now,
  );
  return shown.map(({ project, level, active, integrated }) => {
    const own = news.get(project.id);
    return present({
      project: {
        ...project,
        pathWithNamespace: project.path,
        webUrl: projectUrl({ externalUrl: deps.externalUrl(), project }),
      },
      accessLevel: effectiveLevel(principal, level),
      active,
      integrated,
      monitor: project.monitorEnabled,
      favourite: favourites.has(project.id),
      ...(own === undefined ? NO_ACTIVITY : activity(own, now)),
    });
  });
}

export const overviewRoutes: readonly Route[] = [
  accountRoute({
    method: 'GET',
    path: '/api/v4/error_tracking/projects',
    operationId: 'listProjectOverviews',
    summary:
      'List your projects (administrators: all projects) with unresolved errors and events per hour, paged by page and per_page',
    action: 'read_self',
    pagedByOffset: true,
    responses: { 200: { description: 'One page of projects, by id', schema: overviewsSchema }, ...problems },
    async handle(call) {
      const { deps, principal } = call;
      const { user } = principal;
      const all = user.admin ? await deps.store.listProjects() : await deps.store.projectsOfUser(user.id);
      const { items, headers } = offsetPage(call, all);
      const favourites = new Set(await deps.store.favourites(user.id));
      const body = await projectOverviews(deps, principal, items, favourites);
      return { status: 200, headers, body };
    },
  }),
];
