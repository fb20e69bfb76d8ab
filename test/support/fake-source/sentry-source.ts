import { sentryIssueRoutes, wholeEvent } from './sentry-issue-routes.ts';
import { storedBySentry } from './stored-event.ts';
import { sentryIssue } from './render-issue.ts';
import {
  iso,
  json,
  organizationOf,
  projectBySlug,
  SortedIssues,
  SourceRefusal,
  type SourceCall,
  type SourceKind,
  type SourceRoute,
} from './source-call.ts';
import { sentryPage } from './source-paging.ts';
import type { SourceEvent, SourceIssue, SourceProject } from './source-records.ts';

const DAY_MS = 86_400_000;
const CURSOR = /^\d+(?:\.\d+)?:\d+:[01]$/;
const SIZE = /^[1-9]\d?$|^100$/;
const PAGES = { per_page: SIZE, cursor: CURSOR };
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/;
const EVENT_READ = ['event:read'];
const PROJECT_READ = ['project:read'];
const sorted = new SortedIssues();

/** Project of a route; an old slug is answered with a redirect. */
function projectOf(call: SourceCall): SourceProject {
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

const projectRow = (project: SourceProject) => ({
  id: project.id,
  slug: project.slug,
  name: project.name,
  platform: project.platform,
  dateCreated: '2024-01-01T00:00:00Z',
  firstEvent: iso(Math.min(...[...project.issues.values()].map(({ firstSeen }) => firstSeen), Date.UTC(2024, 0, 1))),
  features: [],
  hasAccess: true,
  teams: [],
});

const keyRow = (project: SourceProject, key: SourceProject['keys'][number], origin: string) => ({
  id: key.publicKey,
  name: key.label,
  label: key.label,
  public: key.publicKey,
  secret: key.publicKey.split('').reverse().join(''),
  projectId: Number(project.id),
  isActive: key.active,
  rateLimit: key.rateLimit,
  useCase: key.useCase,
  dsn: {
    public: `${origin.replace('://', `://${key.publicKey}@`)}/${project.id}`,
    secret: `${origin.replace('://', `://${key.publicKey}:secret@`)}/${project.id}`,
  },
});

/** Event of a project, with its issue. */
function eventOf(call: SourceCall): { event: SourceEvent; issue: SourceIssue } {
  const project = projectOf(call);
  const issue = project.known.get(call.args.e ?? '');
  const kept = issue === undefined ? undefined : (call.world.issue(issue.id) ?? issue);
  const event = kept?.events.find(({ id }) => id === call.args.e);
  if (event === undefined || kept === undefined) throw new SourceRefusal(404, { detail: 'Event not found' });
  return { event, issue: kept };
}

function issuesOf(call: SourceCall, project: SourceProject): readonly SourceIssue[] {
  return sorted.of(project, call.query.get('sort') === 'new' ? 'firstSeen' : 'lastSeen');
}

/** Row of the organization's list, which counts within its window. */
function windowed(row: Record<string, unknown>): unknown {
  const { count, userCount, firstSeen, lastSeen } = row;
  return {
    ...row,
    count: '1',
    userCount: 1,
    lifetime: { count, userCount, firstSeen, lastSeen, stats: null },
    filtered: null,
  };
}

function issuePage(call: SourceCall, rows: readonly SourceIssue[], inWindow: boolean) {
  const by = call.query.get('sort') === 'new' ? 'firstSeen' : 'lastSeen';
  return sentryPage(call, {
    rows,
    score: (issue) => Math.max(0, issue[by]),
    render: (issue) => {
      const row = sentryIssue(call.world, issue, false, call.url.origin);
      return inWindow ? windowed(row) : row;
    },
    size: 'limit',
  });
}

const ISSUE_LIST = { query: /^$/, sort: /^(?:new|date)$/, limit: SIZE, cursor: CURSOR };

const routes: SourceRoute[] = [
  {
    path: '/api/client-config/',
    scopes: [],
    params: {},
    answer: () => json({ isSelfHosted: true, version: { current: '26.1.0', latest: '26.1.0', build: 'abc' } }),
  },
  {
    path: '/api/0/organizations/',
    scopes: ['org:read'],
    params: PAGES,
    answer: (call) =>
      sentryPage(call, {
        rows: call.world.organizations,
        score: null,
        render: (slug) => ({ id: slug, slug, name: `The ${slug}`, status: { id: 'active', name: 'active' } }),
        size: 'per_page',
      }),
  },
  {
    path: '/api/0/organizations/:o/projects/',
    scopes: ['org:read'],
    params: PAGES,
    answer: (call) => {
      const organization = organizationOf(call);
      const rows = call.world.projects.filter((project) => project.organization === organization);
      return sentryPage(call, { rows, score: null, render: projectRow, size: 'per_page' });
    },
  },
  {
    path: '/api/0/projects/',
    scopes: PROJECT_READ,
    params: PAGES,
    answer: (call) =>
      sentryPage(call, {
        rows: call.world.projects,
        score: null,
        render: (project) => ({ ...projectRow(project), organization: { id: '1', slug: project.organization } }),
        size: 'per_page',
      }),
  },
  {
    path: '/api/0/projects/:o/:p/',
    scopes: PROJECT_READ,
    params: {},
    answer: (call) => json(projectRow(projectOf(call))),
  },
  {
    path: '/api/0/projects/:o/:p/keys/',
    scopes: PROJECT_READ,
    params: { ...PAGES, status: /^(?:active|inactive)$/ },
    answer: (call) => {
      const project = projectOf(call);
      const render = (key: SourceProject['keys'][number]) => keyRow(project, key, call.url.origin);
      return sentryPage(call, { rows: project.keys, score: null, render, size: 'per_page' });
    },
  },
  {
    path: '/api/0/projects/:o/:p/issues/',
    scopes: EVENT_READ,
    params: ISSUE_LIST,
    answer: (call) => issuePage(call, issuesOf(call, projectOf(call)), false),
  },
  {
    path: '/api/0/organizations/:o/issues/',
    scopes: EVENT_READ,
    params: { ...ISSUE_LIST, project: /^\d+$/, start: TIME, end: TIME },
    answer: (call) => {
      organizationOf(call);
      const project = call.world.projects.find(({ id }) => id === call.query.get('project'));
      if (project === undefined)
        throw new SourceRefusal(403, { detail: 'You do not have permission to perform this action.' });
      const [start, end] = ['start', 'end'].map((name) => Date.parse(`${call.query.get(name) ?? ''}Z`));
      // Issues with events in the window.
      const rows = issuesOf(call, project).filter(
        ({ firstSeen, lastSeen }) => lastSeen >= (start ?? 0) && firstSeen <= (end ?? 0),
      );
      return issuePage(call, rows, true);
    },
  },
  ...sentryIssueRoutes,
  {
    path: '/api/0/projects/:o/:p/events/:e/',
    scopes: PROJECT_READ,
    params: {},
    answer: (call) => {
      const { event, issue } = eventOf(call);
      return json(wholeEvent(event, issue));
    },
  },
  {
    path: '/api/0/projects/:o/:p/events/:e/json/',
    scopes: PROJECT_READ,
    params: {},
    answer: (call) => {
      const { event, issue } = eventOf(call);
      return json(storedBySentry(event, issue.project, { mapped: true }));
    },
  },
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

export const sentrySource: SourceKind = {
  tracker: 'sentry',
  routes,
  notFound: { detail: 'The requested resource does not exist' },
  unauthorized: { detail: 'Invalid token' },
  forbidden: { detail: 'You do not have permission to perform this action.' },
};
