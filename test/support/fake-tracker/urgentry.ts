import { SCORES, sortIssues, type Score } from './issue-list.ts';
import { CursorError, cutUrgentry, urgentryLink, type Cut } from './paging.ts';
import { Refusal, type FakeReply, type FakeRequest, type Personality, type TrackerContext } from './personality.ts';
import { QuerySyntaxError } from './sentry-query.ts';
import { parseUrgentryQuery } from './urgentry-query.ts';
import { checkParameters, readLimit, readStatus } from './strict.ts';
import {
  issueBody,
  rowOfEvent,
  rowOfProject,
  urgentryLastSeen,
  urgentryOrder,
  wholeEvent,
  wholeProject,
} from './urgentry-bodies.ts';
import { hexOf, type FakeIssue, type FakeProject, type FakeStatus } from './world.ts';

const refusal = (status: number, detail: string, code: string): Refusal =>
  new Refusal(status, { detail, code }, { 'x-sentry-error': detail });
const FORBIDDEN = 'You do not have permission to perform this action.';
const notFound = (what: string): Refusal => refusal(404, `${what} not found.`, 'not_found');

const SORTS: Readonly<Record<string, Score>> = {
  date: urgentryLastSeen,
  new: SCORES.firstSeen,
  freq: SCORES.count,
};

const ROOT = {
  auth: { login: { url: '/auth/login/' } },
  features: Object.fromEntries(
    ['alerts', 'dashboards', 'discover', 'events', 'monitors', 'profiles', 'replays'].map((name) => [
      `organizations:${name}`,
      true,
    ]),
  ),
  user: null,
  version: '0',
};

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
    if (!path.startsWith('/api/0')) {
      if (!/^\/(?:api\/client-config|api\/settings)\/$/.test(path))
        this.#context.violate(`${method} ${path}: no route`);
      return { status: 404, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: '404 page not found\n' };
    }
    if (!path.endsWith('/')) {
      this.#context.violate(`${method} ${path}: no trailing slash`);
      const location = `${path}/${url.search}`;
      const page = `<a href="${location}">Temporary Redirect</a>.\n\n`;
      return { status: 307, headers: { location }, body: method === 'GET' ? page : undefined };
    }
    const parts = path
      .slice('/api/0/'.length)
      .split('/')
      .filter((part) => part !== '')
      .map(decodeURIComponent);
    const [kind, first = '', second = '', ...rest] = parts;
    // The root page also answers unknown paths, without checking the token.
    if (kind === undefined || !['projects', 'organizations', 'issues'].includes(kind)) {
      if (kind !== undefined) this.#context.violate(`${method} ${path}: there is no such route`);
      return { status: 200, body: ROOT };
    }
    if (token === undefined) throw refusal(401, 'Authentication credentials were not provided.', 'unauthorized');
    if (method !== 'GET' && method !== 'PUT') {
      const headers = { allow: 'DELETE, GET, HEAD, PUT', 'content-type': 'text/plain; charset=utf-8' };
      return { status: 405, headers, body: 'Method Not Allowed\n' };
    }
    if (kind === 'projects' && first === '') return this.#projects(null);
    if (kind === 'organizations' && first === '') return this.#organizations();
    if (kind === 'organizations' && second === 'projects') return this.#projects(first);
    if (kind === 'organizations' && second === 'issues') {
      return rest.length === 0 ? this.#organizationIssues(first) : this.#issue(first, rest[0]!, rest.slice(1));
    }
    if (kind === 'projects' && rest[0] === 'issues') return this.#projectIssues(first, second);
    if (kind === 'projects') {
      if (rest.length > 0) this.#context.violate(`${method} ${path}: there is no such route`);
      return this.#project(first, second);
    }
    return this.#issue(
      null,
      first,
      [second, ...rest].filter((part) => part !== ''),
    );
  }

  #require(scopes: readonly string[]): void {
    const { token } = this.#request;
    if (!scopes.some((scope) => token?.scopes.includes(scope))) throw refusal(403, FORBIDDEN, 'forbidden');
  }

  #visible(project: FakeProject): boolean {
    const organizations = this.#request.token?.organizations ?? null;
    return organizations === null || organizations.includes(project.organization.slug);
  }

  #cut<T>(items: readonly T[], limit: number): Cut<T> {
    try {
      return cutUrgentry(items, limit, this.#request.url.searchParams.get('cursor'));
    } catch (error) {
      if (!(error instanceof CursorError)) throw error;
      // An invalid cursor leads to the first page.
      return cutUrgentry(items, limit, null);
    }
  }

  #page<T>(items: readonly T[], render: (item: T) => unknown, limit = this.#limit()): FakeReply {
    const cut = this.#cut(items, limit);
    return { status: 200, headers: { link: urgentryLink(this.#request.url, cut) }, body: cut.items.map(render) };
  }

  #limit(): number {
    return readLimit(this.#request, 'per_page', 100);
  }

  /** Lists all projects; the page size is ignored. */
  #projects(organization: string | null): FakeReply {
    const accepted = organization === null ? ['project:read', 'project:write'] : ['org:read'];
    this.#require(accepted);
    checkParameters(this.#request, this.#context, { cursor: {}, per_page: {}, limit: {}, query: {} });
    const projects = this.#context.world.projects.filter(
      (project) => this.#visible(project) && (organization === null || project.organization.slug === organization),
    );
    if (organization !== null && projects.length === 0) throw notFound('Resource');
    return this.#page(projects, rowOfProject, projects.length);
  }

  #organizations(): FakeReply {
    this.#require(['org:read']);
    checkParameters(this.#request, this.#context, { cursor: {}, per_page: {} });
    const visible = this.#context.world.projects.filter((project) => this.#visible(project));
    const firsts = [...new Map(visible.map((project) => [project.organization.slug, project])).values()];
    return this.#page(firsts, ({ organization }) => ({ ...organization, dateCreated: '2026-11-21T08:00:00Z' }));
  }

  #knownProject(organization: string, slug: string): FakeProject {
    const project = this.#context.world.projectBySlugs(organization, slug);
    if (project === undefined || project.slug !== slug || !this.#visible(project)) throw notFound('Resource');
    return project;
  }

  #project(organization: string, slug: string): FakeReply {
    this.#require(['project:read']);
    return {
      status: 200,
      body: wholeProject(this.#knownProject(organization, slug)),
    };
  }

  /** Selects issues. `project` null: the route ignores the parameter `environment`. */
  #filtered(project: FakeProject | null, environments: readonly string[]): FakeIssue[] {
    const { searchParams, pathname } = this.#request.url;
    const query = searchParams.get('query');
    if (query === null) this.#context.violate(`GET ${pathname}: no query`);
    const quotes = (query ?? '').replace(/\\./g, '').split('"').length - 1;
    if (quotes % 2 === 1) this.#context.violate(`GET ${pathname}: a quote is not closed in ${JSON.stringify(query)}`);
    try {
      const filter = parseUrgentryQuery(query ?? '');
      return this.#context.world.issues.filter(
        (issue) =>
          (project === null || issue.project === project) &&
          filter(issue) &&
          (environments.length === 0 || issue.events.some((event) => environments.includes(event.environment ?? ''))),
      );
    } catch (error) {
      if (!(error instanceof QuerySyntaxError)) throw error;
      this.#context.violate(`GET ${pathname}: query ${JSON.stringify(query)}: ${error.message}`);
      throw refusal(400, error.message, 'bad_request');
    }
  }

  /** Lists issues of a project. `sort`, `limit` and `environment` are ignored; `per_page` is applied. */
  #projectIssues(organization: string, slug: string): FakeReply {
    const { method, url } = this.#request;
    if (method !== 'GET') this.#context.violate(`PUT ${url.pathname}: a change of many issues at once`);
    this.#require(['event:read', 'event:write', 'project:read']);
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
    const sorted = sortIssues(this.#filtered(project, []), world.issues, urgentryLastSeen);
    return this.#page(sorted, (issue) => issueBody(issue, world.now));
  }

  /**
   * Lists issues of an organization. Supports sort, limit and environment; has no pages, no `Link`, and needs its own
   * scope.
   */
  #organizationIssues(organization: string): FakeReply {
    this.#require(['org:query:read']);
    const { world } = this.#context;
    const { searchParams } = this.#request.url;
    const own = world.projects.filter((project) => project.organization.slug === organization);
    if (own.length === 0) throw notFound('Resource');
    const wanted = searchParams.get('project');
    const score = SORTS[searchParams.get('sort') ?? 'date'] ?? urgentryLastSeen;
    const issues = this.#filtered(null, searchParams.getAll('environment')).filter(
      ({ project }) => own.includes(project) && (wanted === null || project.id === wanted),
    );
    const page = sortIssues(issues, world.issues, score).slice(0, readLimit(this.#request, 'limit', 100));
    return { status: 200, body: page.map((issue) => issueBody(issue, world.now, { poor: true })) };
  }

  #issue(organization: string | null, id: string, rest: readonly string[]): FakeReply {
    if (!/^[\w-]{1,64}$/.test(id)) this.#context.violate(`${JSON.stringify(id)} is no id of an issue`);
    const { world } = this.#context;
    const issue = world.issueById(id);
    const fits = organization === null || issue?.project.organization.slug === organization;
    if (issue === undefined || !fits || !this.#visible(issue.project)) {
      const isKnown = world.projects.some((project) => project.organization.slug === organization);
      throw notFound(isKnown ? 'Issue' : 'Resource');
    }
    if (this.#request.method === 'PUT') {
      this.#require(['event:write', 'event:admin']);
      const allowed = ['unresolved', 'resolved', 'ignored'];
      const status = readStatus(this.#request, this.#context, allowed, () =>
        refusal(400, 'invalid status value', 'bad_request'),
      );
      issue.status = status as FakeStatus;
      return { status: 200, body: issueBody(issue, world.now) };
    }
    this.#require(['event:read', 'event:write', 'project:read']);
    const [what, which] = rest;
    if (what === 'events') return this.#events(issue, organization !== null, which);
    // Unknown paths below an issue are answered with the issue.
    if (what !== undefined)
      this.#context.learn(`no ${what} below an issue${organization === null ? '' : ' of an organization'}`);
    return { status: 200, body: issueBody(issue, world.now, { tags: true }) };
  }

  /** Lists events. `latest` exists only below a single issue, and events by id only below an organization. */
  #events(issue: FakeIssue, isOrganization: boolean, which: string | undefined): FakeReply {
    const isMissing = which !== undefined && !isOrganization && which !== 'latest';
    if (isMissing) this.#context.learn('no event by id below an issue');
    if (which === undefined || isMissing) {
      return this.#page(urgentryOrder(issue), (event) => rowOfEvent(issue, event));
    }
    if (!/^(?:latest|[0-9a-f]{32})$/.test(which)) this.#context.violate(`${JSON.stringify(which)} is no event id`);
    if (which === 'latest' && isOrganization) this.#context.learn('no latest event below an organization');
    const newest = isOrganization ? undefined : urgentryOrder(issue)[0];
    const event = which === 'latest' ? newest : issue.events.find(({ id: own }) => own === which);
    if (event === undefined) throw notFound('Event');
    return { status: 200, body: wholeEvent(issue, event) };
  }
}

/** Answers JSON without a charset. */
function asPlainJson(reply: FakeReply): FakeReply {
  if (typeof reply.body === 'string' || reply.body === undefined) return reply;
  return { ...reply, headers: { ...reply.headers, 'content-type': 'application/json' } };
}

/** Urgentry: ids of issues are hexadecimal, as for issues made from live events. */
export const urgentry: Personality = {
  name: 'Urgentry',
  makeId: (serial) => hexOf(`urgentry ${serial}`),
  answer(request, context) {
    try {
      return asPlainJson(new UrgentryAnswers(request, context).route());
    } catch (error) {
      throw error instanceof Refusal ? Object.assign(error, { reply: asPlainJson(error.reply) }) : error;
    }
  },
};
