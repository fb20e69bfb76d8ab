import { entriesOf, isoSeconds, issueCore, rawFrame, type Json } from './render-common.ts';
import { hexOf, usersOf, type FakeEvent, type FakeIssue, type FakeProject } from './world.ts';

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

/** Buckets end at the minute of the request. */
const sliding = (issue: FakeIssue, now: number, width: number, buckets: number): [number, number][] =>
  Array.from({ length: buckets }, (_, index) => {
    const start = now - (buckets - index) * width;
    return [Math.floor(start / 1000), issue.events.filter(({ at }) => at > start && at <= start + width).length];
  });

const HOUR = 3_600_000;
const PERMALINK = (issue: FakeIssue): string => `/organizations/${issue.project.organization.slug}/issues/${issue.id}/`;

/** Tags as Urgentry keeps them: those of SDKs only, neither environment nor release. */
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
  /** The list of the organization leaves out users and charts, and says null for no annotations. */
  readonly poor?: boolean;
  /** Only the issue itself has them. */
  readonly tags?: boolean;
}

export function issueBody(issue: FakeIssue, now: number, { poor = false, tags = false }: IssueForm = {}): Json {
  const { project } = issue;
  return {
    ...issueCore(issue),
    metadata: issue.type === null ? {} : { type: issue.type, value: issue.message ?? '' },
    type: 'error',
    assignedTo: null,
    hasSeen: true,
    isBookmarked: false,
    isPublic: false,
    isSubscribed: false,
    priority: 2,
    substatus: '',
    logger: null,
    annotations: poor ? null : [],
    userCount: poor ? 0 : usersOf(issue),
    userReportCount: 0,
    stats: poor ? {} : { '24h': sliding(issue, now, HOUR, 24), '30d': sliding(issue, now, 24 * HOUR, 30) },
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
  };
}

/** What rows and whole events have in common: a level, but neither project nor tags of environment and release. */
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
    entries: entriesOf(issue, event, rawFrame),
    contexts: {},
    sdk: { name: 'sentry.python', version: '2.48.0' },
    user: event.user === null ? null : { id: event.user, email: `${event.user}@people.example.test` },
  };
}

export function wholeEvent(issue: FakeIssue, event: FakeEvent): Json {
  const next = issue.events[issue.events.indexOf(event) + 1];
  return {
    ...rowOfEvent(issue, event),
    type: issue.type === null ? 'default' : 'error',
    ...(next === undefined ? {} : { nextEventID: next.id }),
    size: 3979,
    dateReceived: isoSeconds(event.receivedAt),
    ...(event.release === null
      ? {}
      : { release: { id: hexOf(event.release), version: event.release, shortVersion: event.release } }),
  };
}
