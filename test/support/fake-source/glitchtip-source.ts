import { keyRow, projectRow } from './glitchtip-rows.ts';
import { memberRoute } from './member-route.ts';
import { glitchTipChart, glitchTipIssue } from './render-issue.ts';
import { statsOf } from './sentry-project-routes.ts';
import {
  iso,
  issueOf,
  json,
  projectBySlug,
  SortedIssues,
  SourceRefusal,
  type SourceCall,
  type SourceKind,
  type SourceRoute,
} from './source-call.ts';
import { glitchTipPage } from './source-paging.ts';
import type { SourceEvent, SourceIssue, SourceProject } from './source-records.ts';
import { apiEvent, storedByGlitchTip } from './stored-event.ts';

const SIZE = /^[1-9]\d?$|^100$/;
const PAGES = { limit: SIZE, cursor: /^[A-Za-z0-9+/]+={0,2}$/ };
const EVENT_READ = ['event:read'];
const PROJECT_READ = ['project:read'];
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/;
const NOT_FOUND = { detail: 'Not Found' };
const sorted = new SortedIssues();

/** Lists of an unknown or renamed project are empty. */
const listed = (call: SourceCall): SourceProject | undefined => projectBySlug(call, call.args.p ?? '');

const whole = (event: SourceEvent, issue: SourceIssue) => {
  const { groupID: _id, ...shaped } = apiEvent(
    storedByGlitchTip(event, issue.project),
    issue.id,
    Number(issue.project.id),
  );
  return { ...shaped, groupID: issue.id };
};

function eventOf(call: SourceCall): { event: SourceEvent; issue: SourceIssue } | null {
  const issue = issueOf(call);
  const event = issue.events.find(({ id }) => id === call.args.e);
  return event === undefined ? null : { event, issue };
}

const routes: SourceRoute[] = [
  {
    path: '/api/settings/',
    scopes: [],
    params: {},
    answer: () => json({ socialApps: [], enableUserRegistration: false, version: '5.2.0' }),
  },
  {
    path: '/api/0/organizations/',
    scopes: ['org:read'],
    params: PAGES,
    answer: (call) =>
      glitchTipPage(call, {
        rows: call.world.organizations,
        score: null,
        render: (slug) => ({ id: slug, slug, name: slug, status: { id: 'active', name: 'active' } }),
        size: 'limit',
      }),
  },
  memberRoute(glitchTipPage, 'limit', PAGES),
  {
    path: '/api/0/organizations/:o/projects/',
    scopes: PROJECT_READ,
    params: PAGES,
    answer: (call) => {
      const rows = call.world.projects.filter(({ organization }) => organization === call.args.o);
      return glitchTipPage(call, { rows, score: null, render: projectRow, size: 'limit' });
    },
  },
  {
    path: '/api/0/projects/:o/:p/',
    scopes: PROJECT_READ,
    params: {},
    answer: (call) => {
      const project = listed(call);
      if (project === undefined) throw new SourceRefusal(404, NOT_FOUND);
      return json(projectRow(project));
    },
  },
  {
    path: '/api/0/projects/:o/:p/keys/',
    scopes: PROJECT_READ,
    params: PAGES,
    answer: (call) => {
      const project = listed(call);
      const rows = project?.keys ?? [];
      const render = (key: SourceProject['keys'][number]) =>
        project === undefined ? {} : keyRow(project, key, call.url.origin);
      return glitchTipPage(call, { rows, score: null, render, size: 'limit' });
    },
  },
  {
    path: '/api/0/projects/:o/:p/issues/',
    scopes: EVENT_READ,
    params: { ...PAGES, query: /^(?:|[0-9a-f]{32})$/, sort: /^-(?:first_seen|last_seen)$/ },
    answer: (call) => {
      const project = listed(call);
      const eventId = call.query.get('query') ?? '';
      if (eventId !== '') {
        const found = project?.known.get(eventId);
        const rows = found === undefined ? [] : [call.world.issue(found.id) ?? found];
        const render = (issue: SourceIssue) => ({
          ...glitchTipIssue(issue, false, call.url.origin),
          matchingEventId: eventId,
        });
        return glitchTipPage(call, { rows, score: null, render, size: 'limit' });
      }
      const by = call.query.get('sort') === '-first_seen' ? 'firstSeen' : 'lastSeen';
      return glitchTipPage(call, {
        rows: project === undefined ? [] : sorted.of(project, by),
        score: (issue) => issue[by],
        render: (issue) => glitchTipIssue(issue, false, call.url.origin),
        size: 'limit',
      });
    },
  },
  {
    path: '/api/0/organizations/:o/issues-stats/',
    scopes: EVENT_READ,
    params: { groups: /^\d+$/, statsPeriod: /^(?:24h|14d)$/ },
    repeated: 'groups',
    answer: (call) => {
      const rows = call.query.getAll('groups').flatMap((id) => call.world.issue(id) ?? []);
      const now = call.world.now();
      const isDay = call.query.get('statsPeriod') !== '14d';
      const chart = (issue: SourceIssue) =>
        isDay ? glitchTipChart(issue, now, 24, 3600) : glitchTipChart(issue, now, 14, 86_400);
      // As recorded: events are called users, and buckets without events are missing.
      const render = (issue: SourceIssue) => ({
        id: issue.id,
        count: String(issue.count),
        userCount: issue.count,
        firstSeen: iso(issue.firstSeen),
        lastSeen: iso(issue.lastSeen),
        isUnhandled: false,
        stats: isDay ? { '24h': chart(issue), '14d': null } : { '24h': null, '14d': chart(issue) },
      });
      return json(rows.slice(0, 200).map(render));
    },
  },
  {
    path: '/api/0/issues/:id/',
    scopes: EVENT_READ,
    params: {},
    answer: (call) => json(glitchTipIssue(issueOf(call), true, call.url.origin)),
  },
  {
    path: '/api/0/issues/:id/events/',
    scopes: EVENT_READ,
    params: PAGES,
    answer: (call) => {
      const issue = issueOf(call);
      const render = (event: SourceEvent) => whole(event, issue);
      return glitchTipPage(call, { rows: [...issue.events].reverse(), score: null, render, size: 'limit' });
    },
  },
  {
    path: '/api/0/issues/:id/events/:e/',
    scopes: EVENT_READ,
    params: {},
    answer: (call) => {
      const found = eventOf(call);
      if (found === null) throw new SourceRefusal(404, NOT_FOUND);
      return json(whole(found.event, found.issue));
    },
  },
  {
    path: '/api/0/organizations/:o/issues/:id/events/:e/json/',
    scopes: EVENT_READ,
    params: {},
    answer: (call) => {
      const found = eventOf(call);
      // As recorded: an unknown event is an internal error here.
      if (found === null) throw new SourceRefusal(500, '<h1>Server Error (500)</h1>');
      // As recorded: messages are in the shape of the API alone.
      const { logentry: _logentry, ...shown } = storedByGlitchTip(found.event, found.issue.project);
      return json(shown);
    },
  },
  {
    path: '/api/0/organizations/:o/issues/:id/hashes/',
    scopes: EVENT_READ,
    params: PAGES,
    answer: (call) => {
      const issue = call.world.issue(call.args.id ?? '');
      const rows = [...new Map((issue?.events ?? []).map((event) => [event.hash, event] as const))];
      const render = ([hash, event]: readonly [string, SourceEvent]) =>
        issue === undefined ? {} : { id: hash, latestEvent: whole(event, issue) };
      return glitchTipPage(call, { rows, score: null, render, size: 'limit' });
    },
  },
  {
    path: '/api/0/issues/:id/comments/',
    scopes: EVENT_READ,
    params: PAGES,
    answer: (call) =>
      glitchTipPage(call, {
        rows: issueOf(call).notes,
        score: null,
        render: ({ id, author, at, text }) => ({
          data: { text },
          type: 'note',
          dateCreated: iso(at),
          user: { id: '1', email: author },
          id: Number(id),
        }),
        size: 'limit',
      }),
  },
  {
    path: '/api/0/issues/:id/user-reports/',
    scopes: EVENT_READ,
    params: PAGES,
    answer: (call) =>
      glitchTipPage(call, {
        rows: issueOf(call).reports,
        score: null,
        render: ({ id, eventId, at, ...report }) => ({
          ...report,
          id: Number(id),
          eventID: eventId,
          event: { eventId },
          user: null,
          dateCreated: iso(at),
        }),
        size: 'limit',
      }),
  },
  {
    path: '/api/0/projects/:o/:p/releases/',
    scopes: ['project:releases'],
    params: PAGES,
    answer: (call) =>
      glitchTipPage(call, {
        rows: listed(call)?.releases ?? [],
        score: null,
        render: ({ version, firstSeen }) => ({
          ref: null,
          dateReleased: null,
          version,
          dateCreated: iso(firstSeen),
          shortVersion: version,
          projects: [],
          data: {},
        }),
        size: 'limit',
      }),
  },
  {
    path: '/api/0/projects/:o/:p/alerts/',
    scopes: PROJECT_READ,
    params: PAGES,
    answer: (call) =>
      glitchTipPage(call, {
        rows: listed(call)?.rules ?? [],
        score: null,
        render: ({ name, action }) => ({
          id: 1,
          name,
          timespanMinutes: 5,
          quantity: 10,
          uptime: false,
          alertRecipients: [{ id: 1, recipientType: action, url: 'https://hooks.example.com/secret' }],
        }),
        size: 'limit',
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
      start: TIME,
      end: TIME,
    },
    answer: (call) => json(statsOf(call)),
  },
];

export const glitchTipSource: SourceKind = {
  tracker: 'glitchtip',
  routes,
  notFound: NOT_FOUND,
  unauthorized: { detail: 'Unauthorized' },
  forbidden: { detail: 'Permission denied' },
};
