import { iso, json, projectBySlug, SourceRefusal, type SourceCall, type SourceRoute } from './source-call.ts';
import { sentryPage } from './source-paging.ts';
import type { SourceProject } from './source-records.ts';

const DAY_MS = 86_400_000;
const PAGES = { per_page: /^[1-9]\d?$|^100$/, cursor: /^\d+(?:\.\d+)?:\d+:[01]$/ };
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/;

/** Project of a route; an old slug is answered with a redirect. */
export function projectOf(call: SourceCall): SourceProject {
  const slug = call.args.p ?? '';
  const project = projectBySlug(call, slug);
  if (project !== undefined) return project;
  const renamed = call.world.projects.find(({ formerSlugs }) => formerSlugs.includes(slug));
  if (renamed === undefined) throw new SourceRefusal(404, { detail: 'The requested resource does not exist' });
  const location = call.url.pathname.replace(`/${slug}/`, `/${renamed.slug}/`);
  throw new SourceRefusal(
    302,
    {
      slug: renamed.slug,
      detail: {
        code: 'resource-moved',
        message: 'Resource has been moved',
        extra: { url: location, slug: renamed.slug },
      },
    },
    { location },
  );
}

/** Accepted events of a project per day. */
export function statsOf({ world, query }: SourceCall): unknown {
  const project = world.projects.find(({ id }) => id === query.get('project'));
  const first = Math.floor(Date.parse(`${query.get('start') ?? ''}Z`) / DAY_MS);
  const last = Math.floor(Date.parse(`${query.get('end') ?? ''}Z`) / DAY_MS);
  const days = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const counts = days.map((day) => {
    let count = 0;
    for (const issue of project?.issues.values() ?? []) {
      for (const [hour, events] of issue.hours) if (Math.floor((hour * 1000) / DAY_MS) === day) count += events;
    }
    return count;
  });
  return {
    start: query.get('start'),
    end: query.get('end'),
    intervals: days.map((day) => iso(day * DAY_MS).replace('.000Z', 'Z')),
    groups: [
      {
        by: {},
        totals: { 'sum(quantity)': counts.reduce((sum, one) => sum + one, 0) },
        series: { 'sum(quantity)': counts },
      },
    ],
  };
}

/** Releases, rules, workflows and statistics of a project. */
export const sentryProjectRoutes: readonly SourceRoute[] = [
  {
    path: '/api/0/projects/:o/:p/releases/',
    scopes: ['project:releases', 'project:read'],
    params: PAGES,
    answer: (call) =>
      sentryPage(call, {
        rows: projectOf(call).releases,
        score: null,
        render: ({ version, firstSeen, lastSeen }) => ({
          id: 1,
          version,
          shortVersion: version,
          dateCreated: iso(firstSeen),
          dateReleased: null,
          firstEvent: iso(firstSeen),
          lastEvent: iso(lastSeen),
          newGroups: 1,
        }),
        size: 'per_page',
      }),
  },
  {
    path: '/api/0/projects/:o/:p/user-feedback/',
    scopes: ['project:read'],
    params: { ...PAGES, status: /^$/ },
    answer: (call) => {
      const issues = [...projectOf(call).issues.values()];
      const shown = call.query.get('status') === '' ? issues : issues.filter(({ status }) => status === 'unresolved');
      const rows = shown.flatMap((issue) => issue.reports.map((report) => ({ issue, report })));
      return sentryPage(call, {
        rows: rows.sort((one, other) => other.report.at - one.report.at),
        score: null,
        render: ({ issue, report: { eventId, at, ...report } }) => ({
          ...report,
          eventID: eventId,
          event: { id: eventId, eventID: eventId },
          user: null,
          dateCreated: iso(at),
          issue: { id: issue.id, shortId: issue.shortId, status: issue.status, title: issue.title },
        }),
        size: 'per_page',
      });
    },
  },
  {
    path: '/api/0/projects/:o/:p/rules/',
    scopes: ['alerts:read', 'project:read'],
    params: PAGES,
    answer: (call) =>
      sentryPage(call, {
        rows: projectOf(call).rules,
        score: null,
        render: ({ name, condition, action }) => ({
          id: '1',
          name,
          conditions: [{ id: 'sentry.rules.conditions.first_seen_event.FirstSeenEventCondition', name: condition }],
          filters: [],
          actions: [
            { id: 'sentry.mail.actions.NotifyEmailAction', name: action, url: 'https://hooks.example.com/secret' },
          ],
          actionMatch: 'any',
          frequency: 30,
          environment: null,
        }),
        size: 'per_page',
      }),
  },
  {
    path: '/api/0/organizations/:o/workflows/',
    scopes: ['alerts:read', 'org:read'],
    params: { ...PAGES, project: /^\d+$/ },
    answer: (call) =>
      sentryPage(call, {
        rows: call.world.projects.find(({ id }) => id === call.query.get('project'))?.rules ?? [],
        score: null,
        render: ({ name, action }) => ({
          id: '1',
          name,
          triggers: {
            id: '1',
            logicType: 'any-short',
            conditions: [{ id: '1', type: 'first_seen_event' }],
            actions: [],
          },
          actionFilters: [
            {
              id: '2',
              logicType: 'all',
              conditions: [],
              actions: [{ id: '3', type: action, config: { targetIdentifier: 'https://hooks.example.com/secret' } }],
            },
          ],
          environment: null,
          enabled: true,
        }),
        size: 'per_page',
      }),
  },
  {
    path: '/api/0/organizations/:o/stats_v2/',
    scopes: ['org:read'],
    params: {
      project: /^\d+$/,
      field: /^sum\(quantity\)$/,
      category: /^error$/,
      interval: /^1d$/,
      outcome: /^accepted$/,
      start: TIME,
      end: TIME,
    },
    answer: (call) => json(statsOf(call)),
  },
];
