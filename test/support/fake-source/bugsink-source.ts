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
  type SourceRoute,
} from './source-call.ts';
import { bugsinkPage } from './source-paging.ts';

const CURSOR = { cursor: /^[A-Za-z0-9+/]+={0,2}$/ };
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

const eventRow = (event: SourceEvent, issue: SourceIssue, order: number) => ({
  id: rowId(event),
  ingested_at: iso(event.receivedAt),
  digested_at: iso(event.receivedAt),
  issue: issue.id,
  grouping: 1,
  event_id: event.id,
  project: Number(issue.project.id),
  timestamp: iso(event.at),
  digest_order: order,
});

const routes: SourceRoute[] = [
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
