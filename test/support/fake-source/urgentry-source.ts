import { memberRoute } from './member-route.ts';
import { urgentryIssue } from './render-issue.ts';
import {
  iso,
  issueOf,
  json,
  organizationOf,
  projectBySlug,
  SortedIssues,
  SourceRefusal,
  type SourceCall,
  type SourceKind,
  type SourceRoute,
} from './source-call.ts';
import { urgentryPage } from './source-paging.ts';
import type { SourceEvent, SourceIssue, SourceProject } from './source-records.ts';

const PAGES = { per_page: /^[1-9]\d?$|^100$/, cursor: /^0:\d+:[01]$/ };
const EVENT_READ = ['event:read'];
const PROJECT_READ = ['project:read'];
const NOT_FOUND = { detail: 'Not found.', code: 'not_found' };
const DAY_MS = 86_400_000;
const sorted = new SortedIssues();

function projectOf(call: SourceCall): SourceProject {
  const project = projectBySlug(call, call.args.p ?? '');
  if (project === undefined) throw new SourceRefusal(404, NOT_FOUND);
  return project;
}

const projectRow = (project: SourceProject) => ({
  id: project.id,
  slug: project.slug,
  name: project.name,
  organization: project.organization,
  platform: project.platform,
  status: 'active',
  eventRetentionDays: 90,
  dateCreated: '2024-01-01T00:00:00Z',
  team: 'backend',
});

const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};

/** Exceptions as sent, without the variables of frames. */
function exceptionOf(body: SourceEvent['body']): unknown {
  const given = body.exception;
  const values = (Array.isArray(given) ? given : (record(given).values ?? [])) as unknown[];
  return {
    values: values.map(record).map((value) => {
      const frames = (record(value.stacktrace).frames ?? []) as unknown[];
      const { raw_stacktrace: _raw, ...rest } = value;
      return {
        ...rest,
        stacktrace: {
          frames: frames.map((frame) => {
            const { vars: _vars, ...sent } = record(frame);
            return sent;
          }),
        },
      };
    }),
  };
}

function eventRow(event: SourceEvent, issue: SourceIssue, isDetail: boolean) {
  const { body } = event;
  const entries: unknown[] = [];
  if (body.exception !== undefined) entries.push({ type: 'exception', data: exceptionOf(body) });
  if (typeof body.message === 'string') entries.push({ type: 'message', data: { formatted: body.message } });
  else if (body.logentry !== undefined) entries.push({ type: 'message', data: body.logentry });
  return {
    id: event.id,
    eventID: event.id,
    groupID: issue.id,
    title: issue.title,
    message: '',
    level: issue.level,
    platform: issue.platform,
    culprit: '',
    processingStatus: 'completed',
    dateCreated: iso(event.at).replace(/\.\d+Z/, 'Z'),
    tags: [],
    entries,
    ...(isDetail && body.fingerprint !== undefined ? { fingerprints: body.fingerprint } : {}),
    ...(isDetail && typeof body.release === 'string' ? { release: { id: '1', version: body.release } } : {}),
  };
}

const routes: SourceRoute[] = [
  {
    path: '/api/0/organizations/',
    scopes: ['org:read'],
    params: PAGES,
    answer: (call) =>
      urgentryPage(call, {
        rows: call.world.organizations,
        score: null,
        render: (slug) => ({ id: `${slug}-org`, slug, name: slug, dateCreated: '2024-01-01T00:00:00Z' }),
        size: 'per_page',
      }),
  },
  memberRoute(urgentryPage, 'per_page', PAGES),
  {
    path: '/api/0/organizations/:o/projects/',
    scopes: ['org:read'],
    params: PAGES,
    answer: (call) => {
      const organization = organizationOf(call);
      const rows = call.world.projects.filter((project) => project.organization === organization);
      return urgentryPage(call, { rows, score: null, render: projectRow, size: 'per_page' });
    },
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
    params: PAGES,
    answer: (call) => {
      const project = projectOf(call);
      return json(
        project.keys.map((key) => ({
          id: `id-${key.publicKey}`,
          name: key.label,
          label: key.label,
          projectId: project.id,
          public: key.publicKey,
          secret: '',
          isActive: key.active,
          rateLimit: key.rateLimit,
          dsn: { public: `${call.url.origin.replace('://', `://${key.publicKey}@`)}/${project.id}` },
        })),
      );
    },
  },
  {
    path: '/api/0/projects/:o/:p/issues/',
    scopes: EVENT_READ,
    params: { ...PAGES, query: /^$/ },
    answer: (call) =>
      urgentryPage(call, {
        rows: sorted.of(projectOf(call), 'lastSeen'),
        score: null,
        render: (issue) => urgentryIssue(call.world, issue, false),
        size: 'per_page',
      }),
  },
  {
    path: '/api/0/issues/:id/',
    scopes: EVENT_READ,
    params: {},
    answer: (call) => json(urgentryIssue(call.world, issueOf(call), true)),
  },
  {
    path: '/api/0/organizations/:o/issues/:id/hashes/',
    scopes: EVENT_READ,
    params: PAGES,
    answer: (call) => {
      const latest = new Map(issueOf(call).events.map((event) => [event.hash, event] as const));
      return json([...latest].map(([id, event]) => ({ id, latestEvent: { eventID: event.id } })));
    },
  },
  {
    path: '/api/0/issues/:id/events/',
    scopes: EVENT_READ,
    params: PAGES,
    answer: (call) => {
      const issue = issueOf(call);
      const render = (event: SourceEvent) => eventRow(event, issue, false);
      return urgentryPage(call, { rows: [...issue.events].reverse(), score: null, render, size: 'per_page' });
    },
  },
  {
    path: '/api/0/projects/:o/:p/events/:e/',
    scopes: PROJECT_READ,
    params: {},
    answer: (call) => {
      const issue = projectOf(call).known.get(call.args.e ?? '');
      const kept = issue === undefined ? undefined : (call.world.issue(issue.id) ?? issue);
      const event = kept?.events.find(({ id }) => id === call.args.e);
      if (kept === undefined || event === undefined)
        throw new SourceRefusal(404, { detail: 'Event not found.', code: 'not_found' });
      return json(eventRow(event, kept, true));
    },
  },
  {
    path: '/api/0/issues/:id/comments/',
    scopes: EVENT_READ,
    params: PAGES,
    answer: (call) => {
      const issue = issueOf(call);
      return json(
        issue.notes.map(({ id, author, at, text }) => ({
          id,
          issueId: issue.id,
          projectId: issue.project.id,
          userId: 'u1',
          userEmail: `${author}@example.com`,
          userName: author,
          body: text,
          dateCreated: iso(at),
        })),
      );
    },
  },
  {
    path: '/api/0/projects/:o/:p/user-feedback/',
    scopes: PROJECT_READ,
    params: PAGES,
    answer: (call) =>
      json(
        [...projectOf(call).issues.values()]
          .flatMap(({ reports }) => reports)
          .map(({ at, ...report }) => ({ ...report, dateCreated: iso(at) })),
      ),
  },
  {
    path: '/api/0/organizations/:o/releases/',
    scopes: ['org:read', 'project:releases'],
    params: PAGES,
    answer: (call) => {
      organizationOf(call);
      return urgentryPage(call, {
        rows: call.world.projects.flatMap(({ releases }) => releases),
        score: null,
        render: ({ version, firstSeen }) => ({
          id: version,
          version,
          shortVersion: version,
          dateCreated: iso(firstSeen),
        }),
        size: 'per_page',
      });
    },
  },
  {
    path: '/api/0/projects/:o/:p/rules/',
    scopes: PROJECT_READ,
    params: PAGES,
    answer: (call) =>
      json(
        projectOf(call).rules.map(({ name, condition, action }) => ({
          id: name,
          name,
          conditions: [{ name: condition }],
          actions: [{ name: action }],
        })),
      ),
  },
  {
    path: '/api/0/projects/:o/:p/stats/',
    scopes: PROJECT_READ,
    params: {},
    answer: (call) => {
      const days = new Map<number, number>();
      for (const issue of projectOf(call).issues.values()) {
        for (const [hour, count] of issue.hours) {
          const day = (Math.floor((hour * 1000) / DAY_MS) * DAY_MS) / 1000;
          days.set(day, (days.get(day) ?? 0) + count);
        }
      }
      return json([...days].sort(([one], [other]) => one - other).map(([ts, count]) => ({ ts, count })));
    },
  },
];

export const urgentrySource: SourceKind = {
  tracker: 'urgentry',
  routes,
  notFound: NOT_FOUND,
  unauthorized: { detail: 'Authentication credentials were not provided.', code: 'unauthorized' },
  forbidden: { detail: 'You do not have permission to perform this action.', code: 'forbidden' },
};
