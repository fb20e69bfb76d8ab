import { SCORES, sortIssues, type Score } from './issue-list.ts';
import { CursorError, cutUrgentry, urgentryLink, type Cut } from './paging.ts';
import { Refusal, type FakeReply, type FakeRequest, type Personality, type TrackerContext } from './personality.ts';
import {
  entriesOf,
  iso,
  isoSeconds,
  issueCore,
  metadataOf,
  rawFrame,
  statistics,
  tagsOf,
  type Json,
} from './render-common.ts';
import { sentryTags } from './render-sentry.ts';
import { parseSentryQuery, QuerySyntaxError } from './sentry-query.ts';
import { checkParameters, readLimit, readStatus, requireScope } from './strict.ts';
import { hexOf, usersOf, type FakeEvent, type FakeIssue, type FakeProject, type FakeStatus } from './world.ts';

const FORBIDDEN = { detail: 'forbidden', code: 'forbidden' };
const NOT_FOUND = { detail: 'not found', code: 'not_found' };
const SORTS: Readonly<Record<string, Score>> = {
  date: SCORES.lastSeen,
  new: SCORES.firstSeen,
  freq: SCORES.count,
  user: SCORES.users,
};

const projectBody = (project: FakeProject): Json => ({
  id: project.id,
  slug: project.slug,
  name: project.name,
  organization: project.organization.slug,
  team: project.organization.slug,
  status: 'active',
  platform: null,
  dateCreated: '2026-11-21T08:00:00Z',
});

/** `permalink` is a path, `count` a string. */
const issueBody = (issue: FakeIssue, now: number): Json => ({
  ...issueCore(issue),
  permalink: `/organizations/${issue.project.organization.slug}/issues/${issue.id}/`,
  project: { id: issue.project.id, slug: issue.project.slug, name: issue.project.name },
  platform: issue.platform,
  statusDetails: {},
  userCount: usersOf(issue),
  assignedTo: null,
  annotations: [],
  stats: { '24h': statistics(issue, now, 'hour', 24) },
});

function eventBody(issue: FakeIssue, event: FakeEvent): Json {
  return {
    id: event.id,
    eventID: event.id,
    groupID: issue.id,
    projectID: issue.project.id,
    type: issue.type === null ? 'default' : 'error',
    title: issue.title,
    message: issue.message ?? '',
    culprit: issue.culprit,
    platform: issue.platform,
    dateCreated: isoSeconds(event.at),
    dateReceived: iso(event.receivedAt),
    metadata: metadataOf(issue),
    tags: tagsOf(issue, event),
    user: event.user === null ? null : { id: event.user, email: `${event.user}@people.example.test` },
    entries: entriesOf(issue, event, rawFrame),
    contexts: {},
    sdk: { name: 'sentry.python', version: '2.0.0' },
  };
}

class UrgentryAnswers {
  readonly #request: FakeRequest;
  readonly #context: TrackerContext;

  constructor(request: FakeRequest, context: TrackerContext) {
    this.#request = request;
    this.#context = context;
  }

  route(): FakeReply {
    const { method, url, token } = this.#request;
    const path = url.pathname;
    if (!path.endsWith('/')) {
      this.#context.violate(`${method} ${path}: no trailing slash`);
      return { status: 307, headers: { location: `${path}/${url.search}` }, body: undefined };
    }
    const parts = path
      .replace(/^\/api\/0\//, '')
      .split('/')
      .filter((part) => part !== '')
      .map(decodeURIComponent);
    if (!path.startsWith('/api/0/') || parts.length === 0) return this.#anything(path === '/api/0/');
    if (!['projects', 'organizations', 'issues'].includes(parts[0]!)) return this.#anything(false);
    if (token === undefined) {
      const code = this.#request.headers.authorization === undefined ? 'auth_required' : 'invalid_token';
      throw new Refusal(401, { detail: 'authentication failed', code });
    }
    const [kind, first = '', second = '', ...rest] = parts;
    if (kind === 'projects' && parts.length === 1) return this.#projects(null);
    if (kind === 'organizations' && parts.length === 1) return this.#organizations();
    if (kind === 'organizations' && second === 'projects' && rest.length === 0) return this.#projects(first);
    if (kind === 'organizations' && second === 'issues' && rest.length === 0) return this.#organizationIssues(first);
    if (kind === 'organizations' && second === 'issues') return this.#issue(first, rest[0]!, rest.slice(1));
    if (kind === 'projects' && second !== '' && rest.length === 0) return this.#project(first, second);
    if (kind === 'projects' && rest.join('/') === 'issues') return this.#projectIssues(first, second);
    if (kind === 'issues')
      return this.#issue(
        null,
        first,
        [second, ...rest].filter((part) => part !== ''),
      );
    return this.#anything(false);
  }

  /** Any unknown path says 200 to anybody, as the root does. */
  #anything(expected: boolean): FakeReply {
    const { pathname } = this.#request.url;
    const probe = /^\/(?:api\/client-config|api\/settings|_health)\/$/.test(pathname);
    if (probe) this.#context.learn(`no ${pathname}`);
    else if (!expected) this.#context.violate(`${this.#request.method} ${pathname}: there is no such route`);
    return { status: 200, body: { auth: { login: '/login/' }, features: ['api'], user: null, version: '0' } };
  }

  #visible(project: FakeProject): boolean {
    const organizations = this.#request.token?.organizations ?? null;
    return organizations === null || organizations.includes(project.organization.slug);
  }

  #cut<T>(items: readonly T[], limit: number): Cut<T> {
    try {
      return cutUrgentry(items, limit, this.#request.url.searchParams.get('cursor'));
    } catch (error) {
      if (error instanceof CursorError) throw new Refusal(400, { detail: error.message, code: 'bad_request' });
      throw error;
    }
  }

  #page<T>(items: readonly T[], render: (item: T) => unknown): FakeReply {
    const cut = this.#cut(items, readLimit(this.#request, 'per_page', 100));
    return { status: 200, headers: { link: urgentryLink(this.#request.url, cut) }, body: cut.items.map(render) };
  }

  #projects(organization: string | null): FakeReply {
    const accepted = organization === null ? ['project:read', 'project:write'] : ['org:read'];
    requireScope(this.#request, accepted, FORBIDDEN);
    checkParameters(this.#request, this.#context, { cursor: {}, per_page: {}, limit: {}, query: {} });
    const projects = this.#context.world.projects.filter(
      (project) => this.#visible(project) && (organization === null || project.organization.slug === organization),
    );
    if (organization !== null && projects.length === 0) throw new Refusal(404, NOT_FOUND);
    return this.#page(projects, projectBody);
  }

  #organizations(): FakeReply {
    requireScope(this.#request, ['org:read'], FORBIDDEN);
    checkParameters(this.#request, this.#context, { cursor: {}, per_page: {} });
    const visible = this.#context.world.projects.filter((project) => this.#visible(project));
    const firsts = [...new Map(visible.map((project) => [project.organization.slug, project])).values()];
    return this.#page(firsts, ({ organization }) => ({ ...organization }));
  }

  #knownProject(organization: string, slug: string): FakeProject {
    const project = this.#context.world.projectBySlugs(organization, slug);
    if (project === undefined || project.slug !== slug || !this.#visible(project)) throw new Refusal(404, NOT_FOUND);
    return project;
  }

  #project(organization: string, slug: string): FakeReply {
    requireScope(this.#request, ['project:read'], FORBIDDEN);
    return { status: 200, body: projectBody(this.#knownProject(organization, slug)) };
  }

  #filtered(project: FakeProject): FakeIssue[] {
    const { searchParams, pathname } = this.#request.url;
    const query = searchParams.get('query');
    if (query === null) this.#context.violate(`GET ${pathname}: no query`);
    const environments = searchParams.getAll('environment');
    try {
      const filter = parseSentryQuery(query ?? '');
      return this.#context.world.issues.filter(
        (issue) =>
          issue.project === project &&
          filter(issue) &&
          (environments.length === 0 || issue.events.some((event) => environments.includes(event.environment ?? ''))),
      );
    } catch (error) {
      if (!(error instanceof QuerySyntaxError)) throw error;
      this.#context.violate(`GET ${pathname}: query ${JSON.stringify(query)}: ${error.message}`);
      throw new Refusal(400, { detail: error.message, code: 'bad_request' });
    }
  }

  /** `sort` and `limit` are passed over; `per_page` counts. */
  #projectIssues(organization: string, slug: string): FakeReply {
    const { method, url } = this.#request;
    if (method !== 'GET') this.#context.violate(`PUT ${url.pathname}: a change of many issues at once`);
    requireScope(this.#request, ['event:read', 'event:write', 'event:admin'], FORBIDDEN);
    const project = this.#knownProject(organization, slug);
    const number = { pattern: /^(?:[1-9]\d?|100)$/ };
    checkParameters(this.#request, this.#context, {
      query: {},
      cursor: {},
      sort: {},
      limit: number,
      per_page: number,
      environment: { repeatable: true },
      statsPeriod: {},
    });
    const { world } = this.#context;
    const sorted = sortIssues(this.#filtered(project), world.issues, SCORES.lastSeen);
    return this.#page(sorted, (issue) => issueBody(issue, world.now));
  }

  /** Honours sort and limit, has no `Link`, and says null for nothing. */
  #organizationIssues(organization: string): FakeReply {
    requireScope(this.#request, ['org:read'], FORBIDDEN);
    const { searchParams, pathname } = this.#request.url;
    checkParameters(this.#request, this.#context, {
      query: {},
      cursor: {},
      sort: {},
      limit: {},
      project: {},
      environment: { repeatable: true },
      statsPeriod: {},
      groupStatsPeriod: {},
    });
    const { world } = this.#context;
    const wanted = searchParams.get('project');
    const project = world.projects.find(
      (each) => each.organization.slug === organization && (each.id === wanted || each.slug === wanted),
    );
    if (project === undefined) this.#context.violate(`GET ${pathname}: not one known project`);
    const score = SORTS[searchParams.get('sort') ?? 'date'] ?? SCORES.lastSeen;
    const issues = project === undefined ? [] : sortIssues(this.#filtered(project), world.issues, score);
    const page = issues.slice(0, readLimit(this.#request, 'limit', 100));
    return { status: 200, body: page.length === 0 ? null : page.map((issue) => issueBody(issue, world.now)) };
  }

  #issue(organization: string | null, id: string, rest: readonly string[]): FakeReply {
    if (!/^[0-9a-zA-Z-]{1,64}$/.test(id)) this.#context.violate(`${JSON.stringify(id)} is no id of an issue`);
    const { world } = this.#context;
    const issue = world.issueById(id);
    const fits = organization === null || issue?.project.organization.slug === organization;
    if (issue === undefined || !fits || !this.#visible(issue.project)) throw new Refusal(404, NOT_FOUND);
    if (this.#request.method === 'PUT') {
      requireScope(this.#request, ['event:write', 'event:admin'], FORBIDDEN);
      const status = readStatus(
        this.#request,
        this.#context,
        ['unresolved', 'resolved', 'ignored'],
        () => new Refusal(400, { detail: 'invalid status', code: 'bad_request' }),
      );
      issue.status = status as FakeStatus;
      return { status: 200, body: issueBody(issue, world.now) };
    }
    requireScope(this.#request, ['event:read', 'event:write', 'event:admin'], FORBIDDEN);
    const [what, which] = rest;
    if (what === undefined) return { status: 200, body: issueBody(issue, world.now) };
    if (organization !== null) {
      this.#context.learn(`no ${what} under an organization`);
      throw new Refusal(404, NOT_FOUND);
    }
    if (what === 'tags') return { status: 200, body: sentryTags(issue) };
    if (what !== 'events') return this.#anything(false);
    if (which === undefined) {
      return this.#page([...issue.events].reverse(), (event) => {
        const { entries: _entries, ...row } = eventBody(issue, event);
        return row;
      });
    }
    if (!/^(?:latest|[0-9a-f]{32})$/.test(which)) this.#context.violate(`${JSON.stringify(which)} is no event id`);
    const event = which === 'latest' ? issue.events.at(-1) : issue.events.find(({ id: own }) => own === which);
    if (event === undefined) throw new Refusal(404, NOT_FOUND);
    return { status: 200, body: eventBody(issue, event) };
  }
}

/** Ids of issues made from live events are hex. */
export const urgentry: Personality = {
  name: 'Urgentry',
  makeId: (serial) => hexOf(`urgentry ${serial}`),
  answer: (request, context) => new UrgentryAnswers(request, context).route(),
};
