import {
  entriesOf,
  iso,
  isoSeconds,
  issueCore,
  metadataOf,
  spreads,
  statistics,
  tagsOf,
  type Json,
} from './render-common.ts';
import { firstSeen, hexOf, lastSeen, usersOf, type FakeEvent, type FakeIssue, type FakeProject } from './world.ts';

export interface SentryStyle {
  /** Whether to add fields that are newer than 21.4: priority, substatus, issue type and others. */
  readonly modern: boolean;
  readonly origin: string;
}

export function sentryOrganization(project: FakeProject): Json {
  return {
    ...project.organization,
    status: { id: 'active', name: 'active' },
    dateCreated: '2018-09-20T15:47:52Z',
    isEarlyAdopter: false,
    require2FA: false,
    avatar: { avatarType: 'letter_avatar', avatarUuid: null },
  };
}

/** Renders a project. `withOrganization`: as in `/projects/`; the organization's list omits it and the status. */
export function sentryProject(project: FakeProject, withOrganization: boolean): Json {
  const base = {
    id: project.id,
    slug: project.slug,
    name: project.name,
    platform: null,
    dateCreated: '2018-12-07T09:50:15Z',
    firstEvent: null,
    features: ['data-forwarding'],
    isBookmarked: false,
    isMember: true,
    hasAccess: true,
  };
  if (!withOrganization) return { ...base, team: null, teams: [], environments: [], latestRelease: null };
  return {
    ...base,
    status: 'active',
    color: '#3fbf7f',
    isPublic: false,
    isInternal: false,
    avatar: { avatarType: 'letter_avatar', avatarUuid: null },
    organization: sentryOrganization(project),
  };
}

/** What an issue has without a mark. */
const SUBSTATUSES = { unresolved: 'ongoing', resolved: null, ignored: 'archived_forever' } as const;

const PERSON = { id: '9', name: 'Jane', email: 'jane@team.example.test', username: 'jane', lastLoginIp: '10.11.12.13' };

function annotations(issue: FakeIssue, style: SentryStyle): unknown[] {
  return issue.annotations.map(([text, url]) =>
    style.modern ? { displayName: text, url } : `<a href="${url.replaceAll('&', '&amp;')}">${text}</a>`,
  );
}

export function sentryIssue(issue: FakeIssue, style: SentryStyle, now: number, period: '24h' | '14d' | ''): Json {
  const { project } = issue;
  const points = period === '14d' ? statistics(issue, now, 'day', 14) : statistics(issue, now, 'hour', 24);
  const stats = period === '' ? {} : { stats: { [period]: points } };
  const modern = {
    substatus: issue.substatus ?? SUBSTATUSES[issue.status],
    issueType: 'error',
    issueCategory: 'error',
    priority: 'medium',
    priorityLockedAt: null,
    isUnhandled: true,
  };
  return {
    ...issueCore(issue),
    shareId: null,
    logger: 'shop.orders',
    permalink: `${style.origin}/organizations/${project.organization.slug}/issues/${issue.id}/`,
    platform: issue.platform,
    statusDetails: issue.status === 'resolved' ? { actor: PERSON } : {},
    isPublic: false,
    project: { id: project.id, name: project.name, slug: project.slug, platform: 'python' },
    userCount: usersOf(issue),
    isBookmarked: false,
    isSubscribed: false,
    subscriptionDetails: null,
    hasSeen: true,
    assignedTo: { type: 'user', id: '9', name: 'Jane', email: PERSON.email },
    annotations: annotations(issue, style),
    ...(style.modern ? modern : {}),
    ...stats,
  };
}

function release(version: string, project: FakeProject): Json {
  return {
    id: 17,
    version,
    shortVersion: version.replace(/^.*@/, ''),
    status: 'open',
    versionInfo: { package: null, version: { raw: version }, description: version, buildHash: null },
    ref: null,
    url: null,
    dateCreated: '2026-01-01T00:00:00Z',
    dateReleased: null,
    newGroups: 0,
    commitCount: 1,
    lastCommit: { id: hexOf(version, 40), message: 'm', dateCreated: '2026-01-01T00:00:00Z', author: PERSON },
    deployCount: 0,
    authors: [PERSON],
    data: {},
    projects: [{ id: Number(project.id), slug: project.slug, name: project.name, platform: null }],
  };
}

export function sentryIssueDetail(issue: FakeIssue, style: SentryStyle, now: number): Json {
  const releases = issue.events.map((event) => event.release).filter((version) => version !== null);
  const at = (version: string | undefined): Json | null =>
    version === undefined ? null : release(version, issue.project);
  return {
    ...sentryIssue(issue, style, now, ''),
    firstRelease: at(releases[0]),
    lastRelease: at(releases.at(-1)),
    tags: spreads(issue).map(({ key, total }) => ({ key, name: key, totalValues: total })),
    activity: [{ id: '0', user: PERSON, type: 'first_seen', data: {}, dateCreated: iso(firstSeen(issue)) }],
    seenBy: [PERSON],
    participants: [PERSON],
    userReportCount: 0,
    stats: { '24h': statistics(issue, now, 'hour', 25), '30d': statistics(issue, now, 'day', 31) },
    ...(style.modern ? { openPeriods: [] } : { pluginActions: [], pluginIssues: [], pluginContexts: [] }),
  };
}

export function sentryTags(issue: FakeIssue): Json[] {
  return spreads(issue).map(({ key, total, values }) => ({
    key,
    name: key,
    uniqueValues: values.length,
    totalValues: total,
    topValues: values.slice(0, 10).map(([value, count]) => ({
      key,
      name: value,
      value,
      count,
      firstSeen: iso(firstSeen(issue)),
      lastSeen: iso(lastSeen(issue)),
    })),
  }));
}

const userOf = (event: FakeEvent): Json | null =>
  event.user === null
    ? null
    : {
        id: event.user,
        email: `${event.user}@people.example.test`,
        username: null,
        ip_address: '203.0.113.9',
        name: null,
        geo: null,
        data: null,
      };

export function sentryEventRow(issue: FakeIssue, event: FakeEvent): Json {
  return {
    id: event.id,
    'event.type': issue.type === null ? 'default' : 'error',
    groupID: issue.id,
    eventID: event.id,
    projectID: issue.project.id,
    message: issue.message ?? '',
    title: issue.title,
    location: 'app/views.py',
    culprit: issue.culprit,
    user: userOf(event),
    tags: tagsOf(issue, event),
    platform: issue.platform,
    dateCreated: isoSeconds(event.at),
    crashFile: null,
  };
}

export function sentryEvent(issue: FakeIssue, event: FakeEvent): Json {
  const index = issue.events.indexOf(event);
  return {
    id: event.id,
    groupID: issue.id,
    eventID: event.id,
    projectID: issue.project.id,
    size: 5891,
    entries: entriesOf(issue, event),
    dist: null,
    message: issue.type === null ? issue.message : '',
    title: issue.title,
    location: 'app/views.py',
    user: userOf(event),
    contexts: { runtime: { name: 'CPython', type: 'runtime' } },
    sdk: { name: 'sentry.python', version: '2.0.0' },
    context: { cart: 3 },
    packages: { django: '5.0' },
    type: issue.type === null ? 'default' : 'error',
    metadata: metadataOf(issue),
    tags: tagsOf(issue, event),
    platform: issue.platform,
    dateReceived: iso(event.receivedAt),
    dateCreated: iso(event.at),
    errors: [],
    culprit: issue.culprit,
    fingerprints: [hexOf(issue.id)],
    groupingConfig: { id: 'newstyle:2019-10-29' },
    _meta: { entries: {} },
    release: event.release === null ? null : release(event.release, issue.project),
    userReport: null,
    nextEventID: issue.events[index + 1]?.id ?? null,
    previousEventID: issue.events[index - 1]?.id ?? null,
  };
}
