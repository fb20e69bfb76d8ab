import {
  FRAMES,
  contextLines,
  iso,
  isoSeconds,
  issueCore,
  metadataOf,
  spreads,
  statistics,
  tagsOf,
  type Json,
  type PlainFrame,
} from './render-common.ts';
import { type FakeEvent, type FakeIssue, type FakeProject, type FakeToken } from './world.ts';

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

/** Renders an issue. `snake`: answer to PUT, which lacks some of the camelCase aliases. */
function issueBody(issue: FakeIssue, origin: string, snake: boolean): Json {
  const { project } = issue;
  const named = (camel: string, plain: string, value: unknown): Json => ({ [snake ? plain : camel]: value });
  return {
    ...issueCore(issue),
    metadata: issue.type === null ? {} : metadataOf(issue),
    project: { id: project.id, platform: 'python', slug: project.slug, name: project.name },
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

/** Row of `issues-stats`. */
export function glitchTipCharts(issue: FakeIssue, now: number): Json {
  const times = issue.events.map(({ at }) => at);
  return {
    id: issue.id,
    count: String(times.length),
    userCount: times.length,
    firstSeen: iso(Math.min(...times)),
    lastSeen: iso(Math.max(...times)),
    isUnhandled: false,
    stats: { '24h': statistics(issue, now, 'hour', 24).filter(([, count]) => count > 0), '14d': null },
  };
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

const frameOf = (plain: PlainFrame): Json => ({
  vars: { count: '3' },
  module: plain.module,
  filename: plain.filename,
  function: plain.function,
  context_line: plain.line,
  inApp: plain.inApp,
  absPath: plain.absPath,
  lineNo: plain.lineNo,
  context: contextLines(plain),
});

/** Renders entries with the order and members of recorded ones. */
function entriesOf(issue: FakeIssue, event: FakeEvent): Json[] {
  const exception = {
    type: issue.type,
    value: issue.message,
    module: 'app.errors',
    mechanism: { type: 'generic', handled: true },
    stacktrace: { frames: FRAMES.map(frameOf) },
  };
  const breadcrumb = {
    type: 'default',
    category: 'query',
    message: 'select 1',
    data: { id: 1 },
    level: 'info',
    timestamp: iso(event.at - 1000),
    event_id: null,
  };
  const request = {
    apiTarget: null,
    bodySize: null,
    cookies: { lang: 'de' },
    data: null,
    env: null,
    fragment: null,
    method: 'POST',
    protocol: null,
    url: 'https://shop.example.test/pay',
    headers: [['Accept', '*/*']],
    query: [['page', '2']],
    inferredContentType: null,
  };
  return [
    ...(issue.type === null
      ? [{ type: 'message', data: { formatted: issue.message ?? issue.title } }]
      : [{ type: 'exception', data: { values: [exception], hasSystemFrames: true } }]),
    { type: 'breadcrumbs', data: { values: [breadcrumb] } },
    { type: 'request', data: request },
  ];
}

/** Renders an event. `snake`: row of the event list, with snake_case members. */
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
    metadata: metadataOf(issue),
    tags: tagsOf(issue, event).filter(({ key }) => key !== 'level'),
    entries: entriesOf(issue, event),
    contexts: { runtime: { type: 'runtime', name: 'CPython', version: '3.11.2' } },
    context: { cart: 3 },
    user:
      event.user === null
        ? null
        : {
            id: event.user,
            email: `${event.user}@people.example.test`,
            username: `user${event.user}`,
            ip_address: '[Filtered]',
          },
    sdk: {
      name: 'sentry.python',
      version: '2.0.0',
      packages: [{ name: 'pypi:sentry-sdk', version: '2.0.0' }],
      integrations: ['argv'],
    },
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

/** Public answer with the version. */
export const GLITCHTIP_SETTINGS: Json = {
  socialApps: [],
  billingEnabled: false,
  iPaidForGlitchTip: false,
  enableUserRegistration: true,
  enableSocialAppsUserRegistration: true,
  enableOrganizationCreation: true,
  stripePublicKey: null,
  plausibleUrl: null,
  plausibleDomain: null,
  chatwootWebsiteToken: null,
  sentryDSN: null,
  sentryTracesSampleRate: 0.01,
  environment: null,
  version: '5.2.0',
  serverTimeZone: 'UTC',
  glitchtipInstanceName: null,
};
