import {
  apiFrame,
  entriesOf,
  iso,
  isoSeconds,
  issueCore,
  metadataOf,
  spreads,
  tagsOf,
  type Json,
  type PlainFrame,
} from './render-common.ts';
import type { FakeEvent, FakeIssue, FakeProject, FakeToken } from './world.ts';

const AVATAR = { avatarType: '', avatarUuid: null };
const CREATED = '2026-11-20T18:23:40.486Z';

export function glitchTipOrganization(project: FakeProject): Json {
  return {
    name: project.organization.name,
    id: project.organization.id,
    dateCreated: CREATED,
    status: { id: 'active', name: 'active' },
    avatar: AVATAR,
    isEarlyAdopter: false,
    require2fa: false,
    slug: project.organization.slug,
    isAcceptingEvents: true,
    eventThrottleRate: 0,
  };
}

export function glitchTipProject(project: FakeProject, withOrganization: boolean): Json {
  return {
    name: project.name,
    slug: project.slug,
    id: project.id,
    avatar: AVATAR,
    color: '',
    features: [],
    hasAccess: true,
    isBookmarked: false,
    isInternal: false,
    isMember: true,
    isPublic: false,
    scrubIPAddresses: true,
    dateCreated: CREATED,
    platform: null,
    firstEvent: CREATED,
    eventThrottleRate: 0,
    ...(withOrganization
      ? { organization: glitchTipOrganization(project) }
      : { teams: [{ id: '1', slug: project.organization.slug }] }),
  };
}

/** `snake`: the answer to PUT, whose aliases are half forgotten. */
function issueBody(issue: FakeIssue, origin: string, snake: boolean): Json {
  const { project } = issue;
  const named = (camel: string, plain: string, value: unknown): Json => ({ [snake ? plain : camel]: value });
  return {
    ...issueCore(issue),
    metadata: issue.type === null ? {} : metadataOf(issue),
    project: { id: project.id, platform: null, slug: project.slug, name: project.name },
    stats: { '24h': [] },
    ...named('shareId', 'share_id', null),
    logger: null,
    permalink: `${origin}/${project.slug}/issues/${issue.id}`,
    ...named('statusDetails', 'status_details', {}),
    ...named('subscriptionDetails', 'subscription_details', null),
    ...named('userCount', 'user_count', 0),
    ...named('matchingEventId', 'matching_event_id', null),
  };
}

export const glitchTipIssue = (issue: FakeIssue, origin: string): Json => issueBody(issue, origin, false);

export function glitchTipIssueDetail(issue: FakeIssue, origin: string, snake: boolean): Json {
  return { ...issueBody(issue, origin, snake), userReportCount: 0 };
}

export function glitchTipTags(issue: FakeIssue): Json[] {
  return spreads(issue).map(({ key, total, values }) => ({
    topValues: values.map(([value, count]) => ({ name: value, value, count, key })),
    uniqueValues: values.length,
    key,
    name: key,
    totalValues: total,
  }));
}

const frameOf = (plain: PlainFrame): Json => ({ ...apiFrame(plain), context_line: plain.line });

/** `snake`: rows of the event list, which print their fields in Python's spelling. */
export function glitchTipEvent(issue: FakeIssue, event: FakeEvent, snake: boolean): Json {
  const index = issue.events.indexOf(event);
  const named = (camel: string, plain: string, value: unknown): Json => ({ [snake ? plain : camel]: value });
  const base: Json = {
    platform: issue.platform,
    errors: null,
    id: event.id,
    ...named('eventID', 'event_id', event.id),
    ...named('projectID', 'project_id', Number(issue.project.id)),
    ...named('groupID', 'group_id', issue.id),
    ...named('dateCreated', 'date_created', isoSeconds(event.at)),
    ...named('dateReceived', 'date_received', iso(event.receivedAt)),
    dist: null,
    culprit: issue.culprit,
    packages: { django: '5.0' },
    type: issue.type === null ? 'default' : 'error',
    message: issue.title,
    metadata: issue.type === null ? {} : metadataOf(issue),
    tags: tagsOf(issue, event).filter(({ key }) => key !== 'level'),
    entries: entriesOf(issue, event, frameOf),
    contexts: { runtime: { name: 'CPython', type: 'runtime' } },
    context: { cart: 3 },
    user: event.user === null ? null : { id: event.user, email: `${event.user}@people.example.test` },
    sdk: { name: 'sentry.python', version: '2.0.0' },
  };
  if (snake) return { ...base, title: issue.title };
  return {
    ...base,
    title: issue.title,
    userReport: null,
    nextEventID: issue.events[index + 1]?.id ?? null,
    previousEventID: issue.events[index - 1]?.id ?? null,
  };
}

export function glitchTipRoot(token: FakeToken | undefined): Json {
  if (token === undefined) return { version: '0', user: null, auth: null };
  return {
    version: '0',
    user: {
      id: '1',
      options: {
        timezone: null,
        stacktraceOrder: null,
        language: null,
        clock24Hours: null,
        preferredTheme: null,
      },
      username: 'admin@example.org',
      dateJoined: CREATED,
      email: 'admin@example.org',
      hasPasswordAuth: true,
      identities: [],
      lastLogin: null,
      isSuperuser: true,
      isActive: true,
      name: '',
    },
    auth: { id: 1, label: 'bench', scopes: token.scopes, token: token.text, created: CREATED },
  };
}
