import { CursorError, cutGlitchTip, glitchTipLink, type Cut } from './paging.ts';
import { Refusal, type FakeReply, type FakeRequest, type Personality, type TrackerContext } from './personality.ts';
import { SCORES, sortIssues } from './issue-list.ts';
import { isWithin, NO_NUMBER, parseGlitchTipQuery, SORT_LIST, SORT_NAMES, SORT_SCORES } from './glitchtip-query.ts';
import { QuerySyntaxError } from './sentry-query.ts';
import {
  glitchTipCharts,
  glitchTipEvent,
  glitchTipIssue,
  glitchTipIssueDetail,
  glitchTipOrganization,
  glitchTipProject,
  glitchTipRoot,
  glitchTipTags,
  GLITCHTIP_SETTINGS,
} from './render-glitchtip.ts';
import { checkParameters, readLimit, readStatus, requireScope } from './strict.ts';
import type { FakeIssue, FakeProject, FakeStatus } from './world.ts';

const NOT_FOUND = { detail: 'Not Found' };
/** Page of the browser application, which answers all paths outside the API. */
const FRONT_END: FakeReply = { status: 200, body: '<!doctype html><title>GlitchTip</title>' };
const FORBIDDEN = { detail: 'Permission denied' };
const READ = ['event:read', 'event:write', 'event:admin'];
const WRITE = ['event:write', 'event:admin'];
/** Refusal of a parameter or body member that violates the schema. */
const invalid = (type: string, loc: readonly (string | number)[], msg: string, ctx?: object): Refusal =>
  new Refusal(422, { detail: [{ type, loc, msg, ...(ctx === undefined ? {} : { ctx }) }] });

class GlitchTipAnswers {
  readonly #request: FakeRequest;
  readonly #context: TrackerContext;

  constructor(request: FakeRequest, context: TrackerContext) {
    this.#request = request;
    this.#context = context;
  }

  route(): FakeReply {
    const { method, url, token } = this.#request;
    const path = url.pathname;
    if (path === '/api/settings/') {
      return {
        status: 200,
        body: GLITCHTIP_SETTINGS,
      };
    }
    if (!path.endsWith('/')) {
      this.#context.violate(`${method} ${path}: no trailing slash`);
      if (path === '/api/0') return { status: 301, headers: { location: '/api/0/' }, body: '' };
      return method === 'GET' ? FRONT_END : { status: 403, body: '<h1>Forbidden <span>(403)</span></h1>' };
    }
    if (path === '/api/0/') return { status: 200, body: glitchTipRoot(token) };
    if (!path.startsWith('/api/0/')) return this.#unknownRoute();
    const parts = path.slice('/api/0/'.length, -1).split('/').map(decodeURIComponent);
    const [kind, first = '', second = '', ...rest] = parts;
    if (kind === 'organizations' && second === 'issues' && rest.length > 0) {
      return this.#organizationIssue(first, rest);
    }
    if (token === undefined) throw this.#stranger();
    if (kind === 'projects' && parts.length === 1) return this.#projects(null);
    if (kind === 'organizations' && parts.length === 1) return this.#organizations();
    if (kind === 'organizations' && second === 'projects' && rest.length === 0) return this.#projects(first);
    if (kind === 'organizations' && second === 'issues-stats' && rest.length === 0) return this.#charts(first);
    if (kind === 'organizations' && second === 'issues') return this.#issueList(first, null);
    if (kind === 'projects' && second !== '' && rest.length === 0) return this.#project(first, second);
    if (kind === 'projects' && rest.join('/') === 'issues') return this.#issueList(first, second);
    if (kind === 'issues')
      return this.#issue(
        first,
        [second, ...rest].filter((part) => part !== ''),
      );
    return this.#unknownRoute();
  }

  /** Answers all other paths with the browser application's HTML. */
  #unknownRoute(): FakeReply {
    const { url, method } = this.#request;
    if (/^\/(?:api\/client-config|_health)\/$/.test(url.pathname)) {
      this.#context.learn(`no ${url.pathname}`);
    } else {
      this.#context.violate(`${method} ${url.pathname}: there is no such route`);
    }
    return { status: 404, body: '<!doctype html><title>Not Found</title>' };
  }

  /** Refuses a request without a known token. A write is treated as one of the browser application. */
  #stranger(): Refusal {
    return this.#request.method === 'GET'
      ? new Refusal(401, { detail: 'Unauthorized' })
      : new Refusal(403, { detail: 'CSRF check Failed' });
  }

  #organizationIssue(organization: string, rest: readonly string[]): FakeReply {
    if (this.#request.method === 'PUT' && rest.length === 1) return this.#update(rest[0]!, organization);
    if (rest.length === 1) {
      this.#context.learn('no issue under its organization');
      return { status: 405, headers: { allow: 'PUT' }, body: 'Method not allowed' };
    }
    this.#context.learn(
      `no ${rest
        .slice(1)
        .join('/')
        .replace(/[0-9a-f]{32}/, '{event}')} under an organization`,
    );
    return FRONT_END;
  }

  #visible(project: FakeProject): boolean {
    const organizations = this.#request.token?.organizations ?? null;
    return organizations === null || organizations.includes(project.organization.slug);
  }

  #cut<T>(items: readonly T[], score: (item: T) => number): Cut<T> {
    const { searchParams } = this.#request.url;
    try {
      return cutGlitchTip(items, score, readLimit(this.#request, 'limit', 50), searchParams.get('cursor'));
    } catch (error) {
      if (error instanceof CursorError)
        throw invalid('value_error', ['query', 'cursor'], 'Value error, Invalid cursor.', { error: 'Invalid cursor.' });
      throw error;
    }
  }

  #page<T>(items: readonly T[], score: (item: T) => number, render: (item: T) => unknown): FakeReply {
    const cut = this.#cut(items, score);
    return {
      status: 200,
      headers: {
        link: glitchTipLink(this.#request.url, cut),
        'x-max-hits': '1000',
        'x-hits': String(Math.min(1000, items.length)),
      },
      body: cut.items.map(render),
    };
  }

  #projects(organization: string | null): FakeReply {
    const accepted =
      organization === null ? ['project:read', 'project:write', 'project:admin'] : ['org:read', 'project:read'];
    requireScope(this.#request, accepted, FORBIDDEN);
    checkParameters(this.#request, this.#context, { cursor: {}, limit: { pattern: /^\d+$/ }, per_page: {}, query: {} });
    const projects = this.#context.world.projects.filter(
      (project) => this.#visible(project) && (organization === null || project.organization.slug === organization),
    );
    const named = projects.sort((a, b) => (a.name < b.name ? -1 : 1));
    const place = (project: FakeProject): number => named.length - named.indexOf(project);
    return this.#page(named, place, (project) => glitchTipProject(project, organization === null));
  }

  #organizations(): FakeReply {
    requireScope(this.#request, ['org:read', 'org:write', 'org:admin'], FORBIDDEN);
    checkParameters(this.#request, this.#context, { cursor: {}, limit: { pattern: /^\d+$/ }, per_page: {}, query: {} });
    const visible = this.#context.world.projects.filter((project) => this.#visible(project));
    const firsts = [...new Map([...visible].reverse().map((project) => [project.organization.slug, project])).values()];
    return this.#page(firsts, (project) => firsts.length - firsts.indexOf(project), glitchTipOrganization);
  }

  #project(organization: string, slug: string): FakeReply {
    requireScope(this.#request, ['project:read', 'project:write', 'project:admin'], FORBIDDEN);
    checkParameters(this.#request, this.#context, {});
    const project = this.#context.world.projectBySlugs(organization, slug);
    if (project === undefined || project.slug !== slug || !this.#visible(project)) throw new Refusal(404, NOT_FOUND);
    return { status: 200, body: glitchTipProject(project, true) };
  }

  #issueList(organization: string, slug: string | null): FakeReply {
    const { method, url } = this.#request;
    if (method !== 'GET') {
      this.#context.violate(`PUT ${url.pathname}: a change of many issues at once`);
      throw new Refusal(405, 'Method not allowed', { allow: 'GET' });
    }
    requireScope(this.#request, READ, FORBIDDEN);
    checkParameters(this.#request, this.#context, {
      query: {},
      cursor: { pattern: /^[A-Za-z0-9+/=]{1,200}$/ },
      limit: { pattern: /^(?:[1-9]\d?|100)$/ },
      sort: {},
      environment: { repeatable: true },
      project: { repeatable: true, pattern: /^\d+$/ },
      start: {},
      end: {},
      // Ignored parameters, which Sentry supports.
      statsPeriod: {},
      groupStatsPeriod: {},
    });
    const { searchParams } = url;
    const isNumber = (text: string): boolean => /^-?\d+$/.test(text);
    const wrong = searchParams.getAll('project').findIndex((text) => !isNumber(text));
    if (!searchParams.getAll('limit').every(isNumber)) throw invalid('int_parsing', ['query', 'limit'], NO_NUMBER);
    if (wrong !== -1) throw invalid('int_parsing', ['query', 'filters', 'project', wrong], NO_NUMBER);
    const query = searchParams.get('query');
    if (query === null) this.#context.violate(`GET ${url.pathname}: no query`);
    const sort = url.searchParams.get('sort') ?? '-last_seen';
    const name = sort.replace(/^-/, '');
    if (!SORT_NAMES.includes(name)) {
      this.#context.learn('sort names');
      throw invalid('literal_error', ['query', 'sort'], `Input should be ${SORT_LIST}`, { expected: SORT_LIST });
    }
    if (name === sort && name !== 'priority') this.#context.violate(`sort=${sort} puts the smallest first`);
    const score = SORT_SCORES[name] ?? SCORES.lastSeen;
    const sorted = sortIssues(this.#matching(organization, slug, query ?? ''), this.#context.world.issues, score);
    return this.#page(sorted, score, (issue) => glitchTipIssue(issue, this.#context.origin));
  }

  /** Answers the charts of several issues. As recorded: events are called users, and hours without events are missing. */
  #charts(organization: string): FakeReply {
    requireScope(this.#request, READ, FORBIDDEN);
    checkParameters(this.#request, this.#context, {
      groups: { repeatable: true, pattern: /^\d+$/ },
      statsPeriod: { pattern: /^24h$/ },
    });
    const { world } = this.#context;
    const ids = new Set(this.#request.url.searchParams.getAll('groups'));
    const issues = world.issues.filter(
      ({ id, project }) => ids.has(id) && project.organization.slug === organization && this.#visible(project),
    );
    return { status: 200, body: issues.slice(0, 200).map((issue) => glitchTipCharts(issue, world.now)) };
  }

  /** Selects issues. An unknown project has an empty list; an unknown organization is not found. */
  #matching(organization: string, slug: string | null, query: string): FakeIssue[] {
    const { world } = this.#context;
    const { url } = this.#request;
    const own = world.projects.filter((each) => each.organization.slug === organization && this.#visible(each));
    if (own.length === 0) throw new Refusal(404, NOT_FOUND);
    let filter: (issue: FakeIssue) => boolean;
    try {
      filter = parseGlitchTipQuery(query);
    } catch (error) {
      if (!(error instanceof QuerySyntaxError)) throw error;
      this.#context.violate(`GET ${url.pathname}: query ${JSON.stringify(query)}: ${error.message}`);
      throw new Refusal(500, '<h1>Server Error (500)</h1>');
    }
    const environments = url.searchParams.getAll('environment');
    const ids = url.searchParams.getAll('project');
    if (slug === null && ids.length !== 1) this.#context.violate(`GET ${url.pathname}: not one project`);
    return world.issues.filter(
      (issue) =>
        own.includes(issue.project) &&
        (slug === null || issue.project.slug === slug) &&
        (ids.length === 0 || ids.includes(issue.project.id)) &&
        filter(issue) &&
        isWithin(issue, url.searchParams) &&
        (environments.length === 0 || issue.events.some((event) => environments.includes(event.environment ?? ''))),
    );
  }

  #knownIssue(id: string, organization: string | null): FakeIssue {
    if (!/^[0-9a-zA-Z-]{1,64}$/.test(id)) this.#context.violate(`${JSON.stringify(id)} is no id of an issue`);
    // The route only accepts whole numbers; other paths belong to the browser application.
    if (!/^\d+$/.test(id)) throw new Refusal(200, FRONT_END.body);
    const issue = this.#context.world.issueById(id);
    const fits = organization === null || issue?.project.organization.slug === organization;
    if (issue === undefined || !fits || !this.#visible(issue.project)) throw new Refusal(404, NOT_FOUND);
    return issue;
  }

  #update(id: string, organization: string | null): FakeReply {
    if (this.#request.token === undefined) throw this.#stranger();
    requireScope(this.#request, WRITE, FORBIDDEN);
    const expected = `'unresolved', 'resolved' or 'ignored'`;
    const status = readStatus(this.#request, this.#context, ['unresolved', 'resolved', 'ignored'], () =>
      invalid('enum', ['body', 'payload', 'status'], `Input should be ${expected}`, { expected }),
    );
    const issue = this.#knownIssue(id, organization);
    issue.status = status as FakeStatus;
    return { status: 200, body: glitchTipIssueDetail(issue, this.#context.origin, true) };
  }

  #issue(id: string, rest: readonly string[]): FakeReply {
    if (this.#request.method === 'PUT' && rest.length === 0) return this.#update(id, null);
    requireScope(this.#request, READ, FORBIDDEN);
    const [what, which] = rest;
    // An unknown issue has an empty list of events.
    const isKnown = !/^\d+$/.test(id) || this.#context.world.issueById(id) !== undefined;
    if (what === 'events' && which === undefined && !isKnown) return this.#page([], Number, (row) => row);
    const issue = this.#knownIssue(id, null);
    if (what === undefined) {
      checkParameters(this.#request, this.#context, { expand: {}, collapse: {}, environment: {} });
      return { status: 200, body: glitchTipIssueDetail(issue, this.#context.origin, false) };
    }
    if (what === 'tags' && which === undefined) {
      checkParameters(this.#request, this.#context, { key: {}, limit: {} });
      return { status: 200, body: glitchTipTags(issue) };
    }
    if (what === 'events' && which === undefined) {
      checkParameters(this.#request, this.#context, {
        cursor: {},
        limit: { pattern: /^\d+$/ },
        per_page: { pattern: /^\d+$/ },
        statsPeriod: {},
        full: {},
      });
      const events = [...issue.events].reverse();
      return this.#page(
        events,
        (event) => event.receivedAt,
        (event) => glitchTipEvent(issue, event, true),
      );
    }
    if (what === 'events' && which !== undefined) {
      checkParameters(this.#request, this.#context, { environment: {}, collapse: {} });
      if (!/^(?:latest|[0-9a-f]{32})$/.test(which)) this.#context.violate(`${JSON.stringify(which)} is no event id`);
      const event = which === 'latest' ? issue.events.at(-1) : issue.events.find(({ id: own }) => own === which);
      if (event === undefined) throw new Refusal(404, NOT_FOUND);
      return { status: 200, body: glitchTipEvent(issue, event, false) };
    }
    return this.#unknownRoute();
  }
}

export const glitchTip52: Personality = {
  name: 'GlitchTip 5.2',
  makeId: (serial) => String(serial),
  answer: (request, context) => new GlitchTipAnswers(request, context).route(),
};
