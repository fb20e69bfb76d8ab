import { bugsinkIssueRow } from './render-issue.ts';
import type { SourceEvent, SourceIssue, SourceProject } from './source-records.ts';
import { hexOf } from './source-world.ts';
import {
  iso,
  issueOf,
  json,
  SortedIssues,
  SourceRefusal,
  type SourceCall,
  type SourceKind,
  type SourceReply,
  type SourceRoute,
} from './source-call.ts';
import { bugsinkPage } from './source-paging.ts';

const CURSOR = { cursor: /^[A-Za-z0-9+/]+={0,2}$/ };
const HOUR_MS = 3_600_000;
/** Beginning of a UTC hour, as the tracker demands. */
const HOUR = /^\d{4}-\d\d-\d\dT\d\d:00:00\.000Z$/;
const ORDER = /^(?:asc|desc)$/;
const NOT_FOUND = { detail: 'Not found.' };
const sorted = new SortedIssues();

/** Id of the row of an event, which is another one than the SDK's. */
const rowId = ({ id }: SourceEvent): string => {
  const hex = hexOf(`row ${id}`);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
};

function projectOf({ world, query }: SourceCall): SourceProject {
  const id = query.get('project');
  if (id === null) throw new SourceRefusal(400, { project: ['This field is required.'] });
  const project = world.projects.find((one) => one.id === id);
  if (project === undefined) throw new SourceRefusal(404, NOT_FOUND);
  return project;
}

const projectRow = (project: SourceProject, origin: string) => ({
  id: Number(project.id),
  team: null,
  name: project.name,
  slug: project.slug,
  dsn: `${origin.replace('://', `://${project.keys[0]?.publicKey ?? ''}@`)}/${project.id}`,
  digested_event_count: [...project.issues.values()].reduce((sum, { count }) => sum + count, 0),
  stored_event_count: project.known.size,
  alert_on_new_issue: project.rules.length > 0,
  alert_on_regression: false,
  alert_on_unmute: project.rules.length > 1,
  visibility: 'team_members',
  retention_max_event_count: 10_000,
});

/** Number of an event's grouping key. */
const groupingOf = ({ hash }: SourceEvent): number => Number.parseInt(hash.slice(0, 8), 16);

/** Refuses what came with 2.6, as an older version does. */
const since26 = (answer: SourceRoute['answer']): SourceRoute['answer'] => {
  return (call) => {
    if (call.world.isOld) throw new SourceRefusal(404, NOT_FOUND);
    return answer(call);
  };
};

/** Counts per hour from `start`, which is the beginning of an hour, to the present one. */
function eventCounts(call: SourceCall, issues: readonly SourceIssue[]): SourceReply {
  const [start, end] = [
    Date.parse(call.query.get('start') ?? ''),
    Math.floor(call.world.now() / HOUR_MS + 1) * HOUR_MS,
  ];
  const hours = Array.from({ length: (end - start) / HOUR_MS }, (_, index) => start + index * HOUR_MS);
  const countOf = (at: number) => issues.reduce((sum, issue) => sum + (issue.hours.get(at / 1000) ?? 0), 0);
  const buckets = hours.map((at) => ({ timestamp: iso(at), count: countOf(at) }));
  return json({ start: iso(start), end: iso(end), interval_seconds: 3600, buckets });
}

/** Turning points of an issue, newest first, as 2.6 shows them. */
function historyOf(issue: SourceIssue): Record<string, unknown>[] {
  const turns = issue.activity.map(({ type, at }) => ({ at, kind: type, comment: '', name: null as string | null }));
  const notes = issue.notes.map(({ author, at, text }) => ({
    at,
    kind: 'manual_annotation',
    comment: text,
    name: author,
  }));
  return [...turns, ...notes]
    .sort((one, other) => other.at - one.at)
    .map(({ at, kind, comment, name }, index) => ({
      ...{ id: 1000 - index, issue: issue.id, project: Number(issue.project.id), triggering_event: null },
      ...{ user: name === null ? null : 1, user_display_name: name, timestamp: iso(at), kind, comment, metadata: {} },
    }));
}

const eventRow = (event: SourceEvent, issue: SourceIssue, order: number) => ({
  id: rowId(event),
  ingested_at: iso(event.receivedAt),
  digested_at: iso(event.receivedAt),
  issue: issue.id,
  grouping: groupingOf(event),
  event_id: event.id,
  project: Number(issue.project.id),
  timestamp: iso(event.at),
  digest_order: order,
});

const routes: (SourceRoute & { readonly is26?: true })[] = [
  {
    path: '/api/canonical/0/projects/',
    scopes: ['project:read'],
    params: { ...CURSOR, order: ORDER },
    answer: (call) => {
      const rows = [...call.world.projects].sort((one, other) => one.name.localeCompare(other.name));
      return bugsinkPage(call, {
        rows,
        score: null,
        render: (project) => projectRow(project, call.url.origin),
        size: 'limit',
      });
    },
  },
  {
    path: '/api/canonical/0/issues/',
    scopes: ['event:read'],
    params: { ...CURSOR, project: /^\d+$/, sort: /^(?:digest_order|last_seen)$/, order: /^desc$/ },
    answer: (call) => {
      const by = call.query.get('sort') === 'last_seen' ? 'lastSeen' : 'serial';
      return bugsinkPage(call, {
        rows: sorted.of(projectOf(call), by),
        score: (issue) => issue[by],
        render: bugsinkIssueRow,
        size: 'limit',
      });
    },
  },
  {
    path: '/api/canonical/0/schema/',
    scopes: [],
    params: {},
    answer: ({ world }) => {
      const known = routes.filter(({ is26 }) => is26 !== true || !world.isOld).map(({ path }) => path);
      const paths = known.map((path) => path.replace(/:\w+/, '{id}'));
      const version = world.isOld ? '2.0.14' : '2.6.2';
      return json({
        openapi: '3.0.3',
        info: { title: 'Bugsink', version },
        paths: Object.fromEntries(paths.map((path) => [path, {}])),
      });
    },
  },
  {
    path: '/api/canonical/0/issue-history/',
    is26: true,
    scopes: ['event:read'],
    params: { ...CURSOR, issue: /^[\w-]{1,64}$/ },
    answer: since26((call) => {
      const issue = call.world.issue(call.query.get('issue') ?? '');
      const rows = issue === undefined ? [] : historyOf(issue);
      return bugsinkPage(call, { rows, score: null, render: (row) => row, size: 'limit' });
    }),
  },
  {
    path: '/api/canonical/0/issues/:id/event-counts/',
    is26: true,
    scopes: ['event:read'],
    params: { start: HOUR },
    answer: since26((call) => eventCounts(call, [issueOf(call)])),
  },
  {
    path: '/api/canonical/0/issues/:id/grouping/',
    is26: true,
    scopes: ['event:read'],
    params: CURSOR,
    answer: since26((call) => {
      const rows = [...new Set(issueOf(call).events.map(groupingOf))];
      const render = (id: number) => ({ id, grouping_key: `key ${id}`, grouping_mechanism: 'v2' });
      return bugsinkPage(call, { rows, score: null, render, size: 'limit' });
    }),
  },
  {
    path: '/api/canonical/0/projects/:id/event-counts/',
    is26: true,
    scopes: ['project:read'],
    params: { start: HOUR },
    answer: since26((call) => {
      const project = call.world.projects.find(({ id }) => id === call.args.id);
      return eventCounts(call, [...(project?.issues.values() ?? [])]);
    }),
  },
  {
    path: '/api/canonical/0/events/lookup/',
    is26: true,
    scopes: ['event:read'],
    params: { project: /^\d+$/, event_id: /^[0-9a-f]{32}$/ },
    answer: since26((call) => {
      const issue = projectOf(call).known.get(call.query.get('event_id') ?? '');
      const index = issue?.events.findIndex(({ id }) => id === call.query.get('event_id')) ?? -1;
      const event = issue?.events[index];
      if (issue === undefined || event === undefined) throw new SourceRefusal(404, NOT_FOUND);
      return json({ ...eventRow(event, issue, index + 1), data: event.body });
    }),
  },
  {
    path: '/api/canonical/0/issues/:id/',
    scopes: ['event:read'],
    params: {},
    answer: (call) => json(bugsinkIssueRow(issueOf(call))),
  },
  {
    path: '/api/canonical/0/events/',
    scopes: ['event:read'],
    params: { ...CURSOR, issue: /^[\w-]{1,64}$/, order: ORDER },
    answer: (call) => {
      const issue = call.world.issue(call.query.get('issue') ?? '');
      const numbered = (issue?.events ?? []).map((event, index) => ({ event, order: index + 1 }));
      const rows = call.query.get('order') === 'asc' ? numbered : numbered.reverse();
      return bugsinkPage(call, {
        rows,
        score: null,
        render: ({ event, order }) => (issue === undefined ? {} : eventRow(event, issue, order)),
        size: 'limit',
      });
    },
  },
  {
    path: '/api/canonical/0/events/:e/',
    scopes: ['event:read'],
    params: {},
    answer: ({ world, args }) => {
      for (const project of world.projects) {
        for (const issue of project.issues.values()) {
          const index = issue.events.findIndex((event) => rowId(event) === args.e);
          const event = issue.events[index];
          if (event !== undefined) return json({ ...eventRow(event, issue, index + 1), data: event.body });
        }
      }
      throw new SourceRefusal(404, NOT_FOUND);
    },
  },
  {
    path: '/api/canonical/0/releases/',
    scopes: ['project:read'],
    params: { ...CURSOR, project: /^\d+$/, order: ORDER },
    answer: (call) =>
      bugsinkPage(call, {
        rows: projectOf(call).releases,
        score: null,
        render: ({ version, firstSeen }) => ({
          id: hexOf(version),
          project: 1,
          version,
          date_released: iso(firstSeen),
        }),
        size: 'limit',
      }),
  },
];

export const bugsinkSource: SourceKind = {
  tracker: 'bugsink',
  routes,
  notFound: NOT_FOUND,
  unauthorized: { detail: 'Invalid token.' },
  forbidden: { detail: 'You do not have permission to perform this action.' },
};
