import { cutSentry, sentryLink } from './paging.ts';
import { type FakeReply, type Personality } from './personality.ts';
import { sentryOrganization, sentryProject } from './render-sentry.ts';
import { CURSOR, FORBIDDEN, PER_PAGE, PROJECT, type SentryOptions } from './sentry-access.ts';
import { SentryIssues } from './sentry-issues.ts';
import { checkParameters, readLimit, requireScope } from './strict.ts';

const ORGANIZATION = ['org:read', 'org:write', 'org:admin'];

class SentryAnswers extends SentryIssues {
  route(): FakeReply {
    const { method, url } = this.request;
    const path = url.pathname;
    if (path === '/_health/') return { status: 200, headers: { 'content-type': 'text/plain' }, body: 'ok' };
    if (path === '/api/client-config/') return this.#clientConfig();
    if (!path.endsWith('/')) {
      this.context.violate(`${method} ${path}: no trailing slash`);
      return this.unknownRoute();
    }
    if (path === '/api/0/') return this.#root();
    const parts = path.slice('/api/0/'.length, -1).split('/').map(decodeURIComponent);
    if (!path.startsWith('/api/0/')) return this.unknownRoute();
    this.requireToken();
    const [kind, first = '', second = '', ...rest] = parts;
    if (kind === 'projects' && parts.length === 1) return this.#projects();
    if (kind === 'organizations' && parts.length === 1) return this.#organizations();
    if (kind === 'projects' && rest.length === 0 && second !== '') return this.#project(first, second);
    if (kind === 'projects' && rest.join('/') === 'issues') return this.projectIssues(first, second);
    if (kind === 'projects' && rest[0] === 'events' && rest.length === 2) {
      return this.projectEvent(first, second, rest[1]!);
    }
    if (kind === 'issues' || kind === 'groups') {
      this.goingAway(`/api/0/organizations/{organization_id_or_slug}/issues/{issue_id}/`);
      return this.issue(
        null,
        first,
        [second, ...rest].filter((part) => part !== ''),
      );
    }
    if (kind === 'organizations' && second === 'projects' && rest.length === 0)
      return this.#organizationProjects(first);
    if (kind === 'organizations' && second === 'issues') {
      if (rest.length === 0) return this.organizationIssues(first);
      return this.issue(first, rest[0]!, rest.slice(1));
    }
    return this.unknownRoute();
  }

  #clientConfig(): FakeReply {
    const version = { current: this.options.version, latest: '26.8.0', build: 'abc', upgradeAvailable: false };
    const own = this.options.modern ? { isSelfHosted: true, isOnPremise: true } : { isOnPremise: true };
    return { status: 200, body: { version, ...own, urlPrefix: this.context.origin, dsn: '', isAuthenticated: false } };
  }

  #root(): FakeReply {
    checkParameters(this.request, this.context, {});
    const { token } = this.request;
    if (token === undefined && this.request.headers.authorization !== undefined) {
      return { status: 401, body: { detail: 'Invalid token' }, headers: { 'www-authenticate': 'xBasic realm="api"' } };
    }
    const auth = token === undefined ? null : { scopes: token.scopes };
    return { status: 200, body: { version: '0', auth, user: token === undefined ? null : { id: '9', name: 'Jane' } } };
  }

  #page<T>(items: readonly T[], render: (item: T) => unknown): FakeReply {
    checkParameters(this.request, this.context, {
      cursor: CURSOR,
      per_page: PER_PAGE,
      query: {},
      status: { pattern: /^(?:active|deleted)$/ },
      member: {},
      show: {},
    });
    // Newest first: indexes serve as descending scores.
    const cut = this.cut(() =>
      cutSentry(
        [...items].reverse(),
        (item) => items.indexOf(item),
        readLimit(this.request, 'per_page', 100),
        this.request.url.searchParams.get('cursor'),
      ),
    );
    return { status: 200, headers: { link: sentryLink(this.request.url, cut) }, body: cut.items.map(render) };
  }

  #projects(): FakeReply {
    this.goingAway('/api/0/organizations/{organization_id_or_slug}/projects/');
    requireScope(this.request, PROJECT, FORBIDDEN);
    return this.#page(this.visibleProjects(null), (project) => sentryProject(project, true));
  }

  #organizations(): FakeReply {
    requireScope(this.request, ORGANIZATION, FORBIDDEN);
    const seen = new Map(this.visibleProjects(null).map((project) => [project.organization.slug, project]));
    return this.#page([...seen.values()], (project) => ({
      ...sentryOrganization(project),
      links: { organizationUrl: this.context.origin, regionUrl: this.context.origin },
    }));
  }

  #organizationProjects(organization: string): FakeReply {
    const projects = this.requireOrganization(organization);
    requireScope(this.request, ORGANIZATION, FORBIDDEN);
    return this.#page(projects, (project) => sentryProject(project, false));
  }

  #project(organization: string, slug: string): FakeReply {
    checkParameters(this.request, this.context, {});
    const project = this.knownProject(organization, slug, '');
    requireScope(this.request, PROJECT, FORBIDDEN);
    const secret = { securityToken: 'do-not-keep-this', options: {}, allowedDomains: ['*'] };
    return { status: 200, body: { ...sentryProject(project, true), ...secret } };
  }
}

function sentry(options: SentryOptions, makeId: Personality['makeId']): Personality {
  return {
    name: options.name,
    makeId,
    answer: (request, context) => new SentryAnswers(options, request, context).route(),
  };
}

export const sentry214 = sentry({ name: 'Sentry 21.4', modern: false, version: '21.4.1' }, (serial) =>
  String(3000 + serial),
);

/** Ids exceed the integers that a JSON number holds exactly. */
export const sentry26 = sentry({ name: 'Sentry 26', modern: true, version: '26.8.0' }, (serial) =>
  String(9_007_199_254_740_993n + BigInt(serial)),
);
