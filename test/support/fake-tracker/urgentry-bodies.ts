import { FRAMES, iso, isoSeconds, issueCore, type Json, type PlainFrame } from './render-common.ts';
import { byArrival, hexOf, usersOf, type FakeEvent, type FakeIssue, type FakeProject } from './world.ts';

export const rowOfProject = (project: FakeProject): Json => ({
  id: project.id,
  slug: project.slug,
  name: project.name,
  organization: project.organization.slug,
  platform: 'python',
  status: 'active',
  eventRetentionDays: 90,
  attachmentRetentionDays: 30,
  debugFileRetentionDays: 180,
  dateCreated: '2026-11-21T08:00:00Z',
});

export const wholeProject = (project: FakeProject): Json => ({
  ...rowOfProject(project),
  features: ['rate-limits'],
  firstEvent: null,
  hasAccess: true,
  latestRelease: null,
  teams: [],
  options: {},
  plugins: [],
  processingIssues: 0,
  scrapeJavaScript: true,
});

/** Buckets that end at the minute of the request. */
const sliding = (issue: FakeIssue, now: number, width: number, buckets: number): [number, number][] =>
  Array.from({ length: buckets }, (_, index) => {
    const start = now - (buckets - index) * width;
    return [Math.floor(start / 1000), issue.events.filter(({ at }) => at > start && at <= start + width).length];
  });

const HOUR = 3_600_000;
const PERMALINK = (issue: FakeIssue): string => `/organizations/${issue.project.organization.slug}/issues/${issue.id}/`;

/** Tags as Urgentry stores them: those sent by SDKs, without environment and release. */
const ownTags = (event: FakeEvent): { key: string; value: string }[] =>
  event.tags.map(([key, value]) => ({ key, value }));

function spreadOfTags(issue: FakeIssue): Json[] {
  const counts = new Map<string, Map<string, number>>();
  for (const { key, value } of issue.events.flatMap(ownTags)) {
    const values = counts.get(key) ?? new Map<string, number>();
    counts.set(key, values.set(value, (values.get(value) ?? 0) + 1));
  }
  return [...counts].map(([key, values]) => ({
    key,
    name: key,
    totalValues: values.size,
    topValues: [...values].map(([value, count]) => ({ value, name: value, count })),
  }));
}

interface IssueForm {
  /** Whether to omit users and charts, with null annotations, like the organization's list. */
  readonly poor?: boolean;
  /** Whether to include tags, like the answer for a single issue. */
  readonly tags?: boolean;
}

/** Members that the organization's list leaves empty. */
const POOR: Json = {
  annotations: null,
  userCount: 0,
  stats: { '24h': [], '30d': [] },
  permalink: '',
  pluginActions: null,
  pluginContexts: null,
  pluginIssues: null,
  statusDetails: null,
  subscriptionDetails: null,
  activity: null,
  tags: null,
  seenBy: null,
  participants: null,
};

/** Time of the last arrived event; with the first one below. The last may be older than the first. */
export const urgentryLastSeen = (issue: FakeIssue): number => byArrival(issue).at(-1)!.at;
const firstSeen = (issue: FakeIssue): number => byArrival(issue)[0]!.at;

export function issueBody(issue: FakeIssue, now: number, { poor = false, tags = false }: IssueForm = {}): Json {
  const { project } = issue;
  return {
    ...issueCore(issue),
    metadata: { ...(issue.type === null ? {} : { type: issue.type }), value: issue.message ?? issue.title },
    firstSeen: isoSeconds(firstSeen(issue)),
    lastSeen: isoSeconds(urgentryLastSeen(issue)),
    type: 'error',
    assignedTo: null,
    hasSeen: true,
    isBookmarked: false,
    isPublic: false,
    isSubscribed: false,
    priority: 2,
    substatus: '',
    logger: null,
    annotations: [],
    userCount: usersOf(issue),
    userReportCount: 0,
    stats: { '24h': sliding(issue, now, HOUR, 24), '30d': sliding(issue, now, 24 * HOUR, 30) },
    permalink: PERMALINK(issue),
    pluginActions: [],
    pluginContexts: [],
    pluginIssues: [],
    shareId: null,
    statusDetails: {},
    subscriptionDetails: {},
    project: { id: project.id, slug: project.slug, name: project.name, platform: 'python' },
    activity: [],
    tags: tags ? spreadOfTags(issue) : [],
    firstRelease: null,
    lastRelease: null,
    seenBy: [],
    participants: [],
    ...(poor ? POOR : {}),
  };
}

function frameOf(frame: PlainFrame): Json {
  return {
    abs_path: frame.absPath,
    context_line: frame.line,
    filename: frame.filename,
    function: frame.function,
    in_app: frame.inApp,
    lineno: frame.lineNo,
    module: frame.module,
    ...(frame.after.length === 0 ? {} : { post_context: frame.after }),
    ...(frame.before.length === 0 ? {} : { pre_context: frame.before }),
  };
}

/** Renders entries in the format of SDKs, as recorded. */
function entriesOf(issue: FakeIssue, event: FakeEvent): Json[] {
  const exception = {
    mechanism: { handled: true, type: 'generic' },
    module: 'app.errors',
    stacktrace: { frames: FRAMES.map(frameOf) },
    type: issue.type,
    value: issue.message ?? '',
  };
  const breadcrumb = {
    category: 'query',
    data: { id: 1 },
    level: 'info',
    message: 'select 1',
    timestamp: iso(event.at - 1000).replace('Z', '000Z'),
    type: 'default',
  };
  const request = {
    cookies: { lang: 'de' },
    headers: { Accept: '*/*' },
    method: 'POST',
    query_string: 'page=2',
    url: 'https://shop.example.test/pay',
  };
  return [
    issue.type === null
      ? { type: 'message', data: { message: issue.message ?? issue.title } }
      : { type: 'exception', data: { values: [exception] } },
    { type: 'request', data: request },
    { type: 'breadcrumbs', data: { values: [breadcrumb] } },
  ];
}

/** Latest arrivals first; those of one second by descending id. `next` is the following, older event. */
export function urgentryOrder(issue: FakeIssue): FakeEvent[] {
  const second = ({ receivedAt }: FakeEvent): number => Math.floor(receivedAt / 1000);
  return [...issue.events].sort((a, b) => second(b) - second(a) || (a.id < b.id ? 1 : -1));
}

/** Members of both rows and whole events: they include the level, but no project, environment or release. */
export function rowOfEvent(issue: FakeIssue, event: FakeEvent): Json {
  return {
    id: event.id,
    eventID: event.id,
    groupID: issue.id,
    title: issue.title,
    message: issue.type === null ? (issue.message ?? '') : '',
    level: issue.level,
    platform: issue.platform,
    culprit: issue.culprit,
    processingStatus: 'completed',
    dateCreated: isoSeconds(event.at),
    tags: ownTags(event),
    entries: entriesOf(issue, event),
    contexts: { runtime: { build: '3.11.2 (main)', name: 'CPython', version: '3.11.2' } },
    sdk: { name: 'sentry.python', version: '2.48.0' },
    ...(event.user === null
      ? {}
      : {
          user: {
            id: event.user,
            email: `${event.user}@people.example.test`,
            username: `user${event.user}`,
            ip_address: '[Filtered]',
          },
        }),
  };
}

export function wholeEvent(issue: FakeIssue, event: FakeEvent): Json {
  const order = urgentryOrder(issue);
  const at = order.indexOf(event);
  const [newer, older] = [order[at - 1], order[at + 1]];
  return {
    ...rowOfEvent(issue, event),
    type: 'error',
    ...(older === undefined ? {} : { nextEventID: older.id }),
    ...(newer === undefined ? {} : { previousEventID: newer.id }),
    size: 3979,
    dateReceived: isoSeconds(event.receivedAt),
    ...(event.release === null
      ? {}
      : {
          release: {
            id: hexOf(event.release),
            version: event.release,
            shortVersion: event.release,
            dateCreated: isoSeconds(event.at),
            newGroups: 0,
            status: '',
            commitCount: 0,
            deployCount: 0,
          },
        }),
  };
}
