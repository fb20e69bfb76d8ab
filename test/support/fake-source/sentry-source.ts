import { memberRoute } from './member-route.ts';
import { projectOf, sentryProjectRoutes } from './sentry-project-routes.ts';
import { sentryIssueRoutes, wholeEvent } from './sentry-issue-routes.ts';
import { storedBySentry } from './stored-event.ts';
import { sentryIssue } from './render-issue.ts';
import {
  iso,
  json,
  organizationOf,
  SortedIssues,
  SourceRefusal,
  type SourceCall,
  type SourceKind,
  type SourceRoute,
} from './source-call.ts';
import { sentryPage } from './source-paging.ts';
import type { SourceEvent, SourceIssue, SourceProject } from './source-records.ts';

const CURSOR = /^\d+(?:\.\d+)?:\d+:[01]$/;
const SIZE = /^[1-9]\d?$|^100$/;
const PAGES = { per_page: SIZE, cursor: CURSOR };
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/;
const EVENT_READ = ['event:read'];
const PROJECT_READ = ['project:read'];
const sorted = new SortedIssues();

const projectRow = (project: SourceProject) => ({
  id: project.id,
  slug: project.slug,
  name: project.name,
  platform: project.platform,
  dateCreated: '2024-01-01T00:00:00Z',
  ...project.features,
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
  memberRoute(sentryPage, 'per_page', PAGES),
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
  ...sentryProjectRoutes,
];

export const sentrySource: SourceKind = {
  tracker: 'sentry',
  routes,
  notFound: { detail: 'The requested resource does not exist' },
  unauthorized: { detail: 'Invalid token' },
  forbidden: { detail: 'You do not have permission to perform this action.' },
};
