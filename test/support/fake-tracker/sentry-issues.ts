import { cutSentry, sentryLink } from './paging.ts';
import { Refusal, type FakeReply } from './personality.ts';
import { SCORES, sortIssues, type Score } from './issue-list.ts';
import { parseSentryQuery, QuerySyntaxError, UnknownWordError } from './sentry-query.ts';
import { sentryEvent, sentryEventRow, sentryIssue, sentryIssueDetail, sentryTags } from './render-sentry.ts';
import { CURSOR, FORBIDDEN, MISSING, PER_PAGE, PROJECT, SentryAccess } from './sentry-access.ts';
import { checkParameters, readLimit, readStatus, requireScope, type ParameterRule } from './strict.ts';
import { lastSeen, type FakeIssue, type FakeStatus } from './world.ts';

const READ = ['event:read', 'event:write', 'event:admin'];
const WRITE = ['event:write', 'event:admin'];
const PERIOD: ParameterRule = { pattern: /^\d+[smhdw]$/ };

const SORTS: Readonly<Record<'old' | 'modern', Readonly<Record<string, Score>>>> = {
  old: {
    date: SCORES.lastSeen,
    new: SCORES.firstSeen,
    freq: SCORES.count,
    user: SCORES.users,
    priority: SCORES.lastSeen,
    trend: SCORES.lastSeen,
  },
  modern: {
    date: SCORES.lastSeen,
    new: SCORES.firstSeen,
    freq: SCORES.count,
    user: SCORES.users,
    trends: SCORES.lastSeen,
    recommended: SCORES.lastSeen,
  },
};

/** Routes of issues and events of a Sentry. */
export class SentryIssues extends SentryAccess {
  protected projectIssues(organization: string, slug: string): FakeReply {
    const { searchParams } = this.request.url;
    if (this.request.method !== 'GET') return this.bulk();
    const project = this.knownProject(organization, slug, 'issues/');
    checkParameters(this.request, this.context, {
      query: {},
      cursor: CURSOR,
      limit: PER_PAGE,
      sort: {},
      environment: {},
      statsPeriod: { pattern: /^(?:|24h|14d)$/ },
      shortIdLookup: {},
    });
    const period = searchParams.get('statsPeriod') ?? '24h';
    return this.issueList(
      this.context.world.issues.filter((issue) => issue.project === project),
      period as '24h',
    );
  }

  protected organizationIssues(organization: string): FakeReply {
    const { url, method } = this.request;
    if (method !== 'GET') return this.bulk();
    const visible = this.requireOrganization(organization);
    checkParameters(this.request, this.context, {
      query: {},
      cursor: CURSOR,
      limit: PER_PAGE,
      sort: {},
      project: { repeatable: true },
      environment: { repeatable: true },
      statsPeriod: PERIOD,
      start: {},
      end: {},
      groupStatsPeriod: { pattern: /^(?:|24h|14d|auto)$/ },
      shortIdLookup: {},
      'expand[]': { repeatable: true },
      'collapse[]': { repeatable: true },
      expand: { repeatable: true },
      collapse: { repeatable: true },
    });
    const wanted = url.searchParams.getAll('project');
    if (wanted.length !== 1) this.context.violate(`GET ${url.pathname}: not one project but ${wanted.length}`);
    const numeric = wanted.every((id) => /^-?\d+$/.test(id));
    if (!numeric && !this.options.modern) {
      throw new Refusal(400, { detail: 'Invalid project parameter. Values must be numbers.' });
    }
    const projects = visible.filter((project) => wanted.includes(project.id) || wanted.includes(project.slug));
    if (projects.length === 0 && wanted.length > 0) throw new Refusal(403, FORBIDDEN);
    const days = this.windowDays();
    const since = this.context.world.now - days * 86_400_000;
    const issues = this.context.world.issues.filter(
      (issue) => projects.includes(issue.project) && lastSeen(issue) >= since,
    );
    return this.issueList(issues, (url.searchParams.get('groupStatsPeriod') ?? '24h') as '24h');
  }

  protected windowDays(): number {
    const match = /^(\d+)([smhdw])$/.exec(this.request.url.searchParams.get('statsPeriod') ?? '90d');
    const units: Record<string, number> = { s: 1 / 86_400, m: 1 / 1440, h: 1 / 24, d: 1, w: 7 };
    return match === null ? 90 : Number(match[1]) * (units[match[2]!] ?? 1);
  }

  protected issueList(issues: readonly FakeIssue[], period: '24h' | '14d' | ''): FakeReply {
    requireScope(this.request, READ, FORBIDDEN);
    const { searchParams, pathname } = this.request.url;
    const query = searchParams.get('query');
    if (query === null) this.context.violate(`GET ${pathname}: no query, so the server's default applies`);
    let filter: (issue: FakeIssue) => boolean;
    try {
      filter = parseSentryQuery(query ?? 'is:unresolved', this.options.modern);
    } catch (error) {
      if (!(error instanceof QuerySyntaxError)) throw error;
      if (error instanceof UnknownWordError) this.context.learn(error.message);
      else this.context.violate(`GET ${pathname}: query ${JSON.stringify(query)}: ${error.message}`);
      throw new Refusal(400, { detail: `Error parsing search query: ${error.message}` });
    }
    const environments = searchParams.getAll('environment');
    const sort = searchParams.get('sort') ?? 'date';
    const sorts = SORTS[this.options.modern ? 'modern' : 'old'];
    const score = Object.hasOwn(sorts, sort) ? sorts[sort] : undefined;
    if (score === undefined) {
      this.context.learn(`sort ${sort}`);
      throw new Refusal(400, { detail: `Sort key '${sort}' not supported.` });
    }
    const matching = issues.filter(
      (issue) =>
        filter(issue) &&
        (environments.length === 0 || issue.events.some((event) => environments.includes(event.environment ?? ''))),
    );
    const sorted = sortIssues(matching, this.context.world.issues, score);
    const cut = this.cut(() =>
      cutSentry(sorted, score, readLimit(this.request, 'limit', 100), searchParams.get('cursor')),
    );
    const hits = { 'x-hits': String(Math.min(1000, sorted.length)), 'x-max-hits': '1000' };
    return {
      status: 200,
      headers: { link: sentryLink(this.request.url, cut), ...hits },
      body: cut.items.map((issue) => sentryIssue(issue, this.style, this.context.world.now, period)),
    };
  }

  protected bulk(): never {
    this.context.violate(`PUT ${this.request.url.pathname}: a change of many issues at once`);
    throw new Refusal(204, undefined);
  }

  protected knownIssue(organization: string | null, id: string): FakeIssue {
    if (!/^[0-9a-zA-Z-]{1,64}$/.test(id)) this.context.violate(`${JSON.stringify(id)} is no id of an issue`);
    const issue = this.context.world.issueById(id);
    const fits = organization === null || issue?.project.organization.slug === organization;
    if (issue === undefined || !fits || !this.visible(issue.project)) throw new Refusal(404, MISSING);
    return issue;
  }

  protected issue(organization: string | null, id: string, rest: readonly string[]): FakeReply {
    const issue = this.knownIssue(organization, id);
    const { world } = this.context;
    if (this.request.method === 'PUT') {
      checkParameters(this.request, this.context, {});
      requireScope(this.request, WRITE, FORBIDDEN);
      const status = readStatus(
        this.request,
        this.context,
        ['resolved', 'unresolved', 'ignored'],
        (value) => new Refusal(400, { status: [`"${value}" is not a valid choice.`] }),
        ['statusDetails'],
      );
      if (issue.status !== status) issue.substatus = null;
      issue.status = status as FakeStatus;
      return { status: 200, body: sentryIssueDetail(issue, this.style, world.now) };
    }
    requireScope(this.request, READ, FORBIDDEN);
    const [what, which] = rest;
    if (what === undefined) {
      checkParameters(this.request, this.context, {
        environment: { repeatable: true },
        expand: { repeatable: true },
        collapse: { repeatable: true, pattern: /^(?:release|stats|tags)$/ },
      });
      return { status: 200, body: sentryIssueDetail(issue, this.style, world.now) };
    }
    if (what === 'tags' && which === undefined) {
      checkParameters(this.request, this.context, { key: {}, limit: PER_PAGE });
      return { status: 200, body: sentryTags(issue) };
    }
    if (what === 'events' && which === undefined) return this.issueEvents(issue);
    if (what === 'events' && which !== undefined) return this.issueEvent(issue, which);
    return this.unknownRoute();
  }

  protected issueEvents(issue: FakeIssue): FakeReply {
    const { searchParams } = this.request.url;
    checkParameters(this.request, this.context, {
      cursor: CURSOR,
      per_page: PER_PAGE,
      full: {},
      sample: {},
      query: {},
      statsPeriod: PERIOD,
      start: {},
      end: {},
    });
    const since = this.context.world.now - this.windowDays() * 86_400_000;
    const events = [...issue.events].reverse().filter((event) => event.at >= since);
    const cut = this.cut(() =>
      cutSentry(events, () => 0, readLimit(this.request, 'per_page', 100), searchParams.get('cursor')),
    );
    const full = searchParams.has('full');
    return {
      status: 200,
      headers: { link: sentryLink(this.request.url, cut) },
      body: cut.items.map((event) => (full ? sentryEvent(issue, event) : sentryEventRow(issue, event))),
    };
  }

  protected issueEvent(issue: FakeIssue, which: string): FakeReply {
    if (!/^(?:latest|oldest|[0-9a-f]{32})$/.test(which)) {
      this.context.violate(`${JSON.stringify(which)} is no id of an event`);
    }
    checkParameters(this.request, this.context, { environment: {}, collapse: { repeatable: true } });
    const event =
      which === 'latest'
        ? issue.events.at(-1)
        : which === 'oldest'
          ? issue.events[0]
          : issue.events.find(({ id }) => id === which);
    if (event === undefined) {
      const modern = 'Event not found. The event ID may be incorrect, or its age exceeded the retention period.';
      throw new Refusal(404, { detail: this.options.modern ? modern : 'Event not found' });
    }
    return { status: 200, body: sentryEvent(issue, event) };
  }

  protected projectEvent(organization: string, slug: string, eventId: string): FakeReply {
    const project = this.knownProject(organization, slug, `events/${eventId}/`);
    requireScope(this.request, PROJECT, FORBIDDEN);
    if (!/^[0-9a-f]{32}$/.test(eventId)) this.context.violate(`${JSON.stringify(eventId)} is no id of an event`);
    const issue = this.context.world.issues.find(
      (each) => each.project === project && each.events.some(({ id }) => id === eventId),
    );
    const event = issue?.events.find(({ id }) => id === eventId);
    if (issue === undefined || event === undefined) throw new Refusal(404, { detail: 'Event not found' });
    return { status: 200, body: sentryEvent(issue, event) };
  }
}
