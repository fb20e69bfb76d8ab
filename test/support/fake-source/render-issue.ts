import type { SourceIssue } from './source-records.ts';
import type { SourceWorld } from './source-world.ts';
import { iso } from './source-call.ts';

type Members = Record<string, unknown>;

const HOUR = 3600;
const DAY = 86_400;

/** Counts in buckets up to now, oldest first. `sliding`: buckets begin at the minute of the request. */
function chart(issue: SourceIssue, now: number, buckets: number, size: number, sliding: boolean): [number, number][] {
  const end = sliding ? Math.floor(now / 60_000) * 60 : (Math.floor(now / 1000 / size) + 1) * size;
  return Array.from({ length: buckets }, (_, index): [number, number] => {
    const start = end - (buckets - index) * size;
    let count = 0;
    for (const [hour, events] of issue.hours) if (hour >= start && hour < start + size) count += events;
    return [start, count];
  });
}

function common(issue: SourceIssue): Members {
  return {
    id: issue.id,
    shortId: issue.shortId,
    shareId: issue.shareId,
    title: issue.title,
    culprit: issue.culprit,
    logger: null,
    level: issue.level,
    status: issue.status,
    statusDetails: issue.statusDetails,
    project: {
      id: issue.project.id,
      name: issue.project.name,
      slug: issue.project.slug,
      platform: issue.project.platform,
    },
    type: issue.type === null ? 'default' : 'error',
    metadata: issue.type === null ? { title: issue.title } : { type: issue.type, value: issue.value ?? '' },
    numComments: issue.notes.length,
    count: String(issue.count),
    userCount: issue.users,
    firstSeen: iso(issue.firstSeen),
    lastSeen: iso(issue.lastSeen),
    subscriptionDetails: null,
  };
}

const releaseOf = (issue: SourceIssue, end: 'first' | 'last'): Members | null => {
  const event = end === 'first' ? issue.events[0] : issue.events.at(-1);
  const version = event?.body.release;
  return typeof version === 'string'
    ? { id: 1, version, shortVersion: version, dateCreated: iso(issue.firstSeen) }
    : null;
};

export function sentryIssue(world: SourceWorld, issue: SourceIssue, isDetail: boolean, origin: string): Members {
  const now = world.now();
  const row: Members = {
    ...common(issue),
    platform: issue.platform,
    permalink: `${origin}/organizations/${issue.project.organization}/issues/${issue.id}/`,
    substatus: issue.substatus ?? (issue.status === 'unresolved' ? 'ongoing' : null),
    isPublic: false,
    issueType: issue.category,
    issueCategory: issue.category,
    assignedTo: issue.assignee === null ? null : { type: 'user', id: '7', name: 'Jane', email: issue.assignee },
    isBookmarked: false,
    isSubscribed: false,
    hasSeen: true,
    annotations: [],
    isUnhandled: true,
    priority: 'medium',
    stats: { '24h': chart(issue, now, 25, HOUR, false) },
  };
  if (!isDetail) return row;
  return {
    ...row,
    stats: { '24h': chart(issue, now, 25, HOUR, false), '30d': chart(issue, now, 31, DAY, false) },
    activity: [
      ...issue.activity
        .map(({ type, at }, index) => ({ id: String(index + 1), user: null, type, data: {}, dateCreated: iso(at) }))
        .reverse(),
      { id: '0', user: null, type: 'first_seen', data: {}, dateCreated: iso(issue.firstSeen) },
    ],
    seenBy: [],
    participants: [],
    userReportCount: issue.reports.length,
    firstRelease: releaseOf(issue, 'first'),
    lastRelease: releaseOf(issue, 'last'),
    tags: [],
    pluginActions: [],
    pluginIssues: [],
    pluginContexts: [],
  };
}

/** Buckets with events, oldest first. */
export const glitchTipChart = (issue: SourceIssue, now: number, buckets: number, size: number): [number, number][] =>
  chart(issue, now, buckets, size, false).filter(([, count]) => count > 0);

export function glitchTipIssue(issue: SourceIssue, isDetail: boolean, origin: string): Members {
  const row: Members = {
    ...common(issue),
    culprit: issue.culprit,
    userCount: 0,
    stats: { '24h': [] },
    permalink: `${origin}/${issue.project.slug}/issues/${issue.id}`,
    matchingEventId: null,
  };
  return isDetail ? { ...row, userReportCount: issue.reports.length } : row;
}

export function urgentryIssue(world: SourceWorld, issue: SourceIssue, isDetail: boolean): Members {
  const now = world.now();
  return {
    ...common(issue),
    substatus: '',
    priority: 2,
    annotations: [],
    assignedTo: null,
    permalink: `/organizations/${issue.project.organization}/issues/${issue.id}/`,
    userReportCount: 0,
    stats: {
      '24h': chart(issue, now, 24, HOUR, true),
      ...(isDetail ? { '30d': chart(issue, now, 30, DAY, true) } : {}),
    },
    ...(isDetail
      ? { activity: issue.activity.map(({ type, at }) => ({ id: `${type} ${at}`, type, dateCreated: iso(at) })) }
      : {}),
    firstRelease: null,
    lastRelease: null,
  };
}

export function bugsinkIssueRow(issue: SourceIssue): Members {
  return {
    id: issue.id,
    friendly_id: issue.shortId,
    project: Number(issue.project.id),
    digest_order: issue.serial,
    first_seen: iso(issue.firstSeen),
    last_seen: iso(issue.lastSeen),
    digested_event_count: issue.count,
    stored_event_count: issue.events.length,
    calculated_type: issue.type ?? '',
    calculated_value: issue.value ?? '',
    transaction: issue.culprit,
    is_resolved: issue.status === 'resolved',
    is_resolved_by_next_release: issue.statusDetails.inNextRelease === true,
    is_muted: issue.status === 'ignored',
  };
}
