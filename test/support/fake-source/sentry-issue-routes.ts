import { sentryIssue } from './render-issue.ts';
import { iso, issueOf, json, organizationOf, SourceRefusal, type SourceCall, type SourceRoute } from './source-call.ts';
import { sentryPage } from './source-paging.ts';
import type { SourceEvent, SourceIssue } from './source-records.ts';
import { apiEvent, storedBySentry } from './stored-event.ts';

const DAY_MS = 86_400_000;
const PAGES = { per_page: /^[1-9]\d?$|^100$/, cursor: /^\d+(?:\.\d+)?:\d+:[01]$/ };
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/;
const EVENT_READ = ['event:read'];

const eventsIn = ({ events }: SourceIssue, { query, world }: SourceCall): SourceEvent[] => {
  const time = (name: string, otherwise: number): number => {
    const text = query.get(name);
    return text === null ? otherwise : Date.parse(`${text}Z`);
  };
  const [start, end] = [time('start', world.now() - 90 * DAY_MS), time('end', world.now() + DAY_MS)];
  return events.filter(({ at }) => at >= start && at <= end).reverse();
};

const eventRow = (event: SourceEvent, issue: SourceIssue) => ({
  id: event.id,
  'event.type': 'error',
  groupID: issue.id,
  eventID: event.id,
  projectID: issue.project.id,
  message: issue.value,
  title: issue.title,
  location: null,
  culprit: issue.culprit,
  user: null,
  tags: [],
  platform: issue.platform,
  dateCreated: iso(event.at),
  crashFile: null,
  metadata: null,
});

/** Event in the shape of the API, with everything. */
export const wholeEvent = (event: SourceEvent, issue: SourceIssue) =>
  apiEvent(storedBySentry(event, issue.project, { mapped: true }), issue.id, issue.project.id);

/** Routes below one issue. */
export const sentryIssueRoutes: readonly SourceRoute[] = [
  {
    path: '/api/0/organizations/:o/issues/:id/',
    scopes: EVENT_READ,
    params: {},
    answer: (call) => {
      organizationOf(call);
      const issue = issueOf(call);
      if (/^pending|progress/.test(issue.status))
        throw new SourceRefusal(404, { detail: 'The requested resource does not exist' });
      return json(sentryIssue(call.world, issue, true, call.url.origin));
    },
  },
  {
    path: '/api/0/organizations/:o/issues/:id/hashes/',
    scopes: EVENT_READ,
    params: { ...PAGES, full: /^(?:true|false)$/ },
    answer: (call) => {
      const issue = issueOf(call);
      const latest = new Map(issue.events.map((event) => [event.hash, event] as const));
      const render = ([hash, event]: readonly [string, SourceEvent]) => ({
        id: hash,
        latestEvent: call.query.get('full') === 'false' ? eventRow(event, issue) : wholeEvent(event, issue),
      });
      return sentryPage(call, { rows: [...latest], score: null, render, size: 'per_page' });
    },
  },
  {
    path: '/api/0/organizations/:o/issues/:id/events/',
    scopes: EVENT_READ,
    params: { ...PAGES, full: /^(?:true|false|1)$/, start: TIME, end: TIME },
    answer: (call) => {
      const issue = issueOf(call);
      const render = (event: SourceEvent) =>
        call.query.has('full') ? wholeEvent(event, issue) : eventRow(event, issue);
      return sentryPage(call, { rows: eventsIn(issue, call), score: null, render, size: 'per_page' });
    },
  },
  {
    path: '/api/0/organizations/:o/issues/:id/events/oldest/',
    scopes: EVENT_READ,
    params: {},
    answer: (call) => {
      const issue = issueOf(call);
      const [oldest] = issue.events;
      if (oldest === undefined) throw new SourceRefusal(404, { detail: 'No matching event found.' });
      return json(wholeEvent(oldest, issue));
    },
  },
  {
    path: '/api/0/organizations/:o/issues/:id/notes/',
    scopes: EVENT_READ,
    params: PAGES,
    answer: (call) =>
      sentryPage(call, {
        rows: issueOf(call).notes,
        score: null,
        render: ({ id, author, at, text }) => ({
          id,
          user: { id: '7', name: author, username: author, email: `${author}@example.com` },
          type: 'note',
          data: { text },
          dateCreated: iso(at),
        }),
        size: 'per_page',
      }),
  },
  {
    path: '/api/0/organizations/:o/issues/:id/user-reports/',
    scopes: EVENT_READ,
    params: PAGES,
    answer: (call) => {
      const issue = issueOf(call);
      const render = ({ eventId, at, ...report }: SourceIssue['reports'][number]) => ({
        ...report,
        eventID: eventId,
        event: { id: eventId, eventID: eventId },
        user: null,
        dateCreated: iso(at),
      });
      return sentryPage(call, { rows: issue.reports, score: null, render, size: 'per_page' });
    },
  },
];
