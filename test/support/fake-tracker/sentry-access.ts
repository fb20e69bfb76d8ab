import { CursorError, type Cut } from './paging.ts';
import { Refusal, type FakeReply, type FakeRequest, type Personality, type TrackerContext } from './personality.ts';
import type { SentryStyle } from './render-sentry.ts';
import type { ParameterRule } from './strict.ts';
import type { FakeProject } from './world.ts';

export const FORBIDDEN = { detail: 'You do not have permission to perform this action.' };
export const MISSING = { detail: 'The requested resource does not exist' };
export const PROJECT = ['project:read', 'project:write', 'project:admin'];
export const CURSOR: ParameterRule = { pattern: /^[A-Za-z0-9:._%=+/-]{1,100}$/ };
export const PER_PAGE: ParameterRule = { pattern: /^(?:[1-9]\d?|100)$/ };

export interface SentryOptions {
  readonly name: Personality['name'];
  readonly modern: boolean;
  readonly version: string;
}

/** Access checks of a Sentry, and its refusals. */
export class SentryAccess {
  protected readonly options: SentryOptions;
  protected readonly request: FakeRequest;
  protected readonly context: TrackerContext;
  protected readonly style: SentryStyle;

  constructor(options: SentryOptions, request: FakeRequest, context: TrackerContext) {
    this.options = options;
    this.request = request;
    this.context = context;
    this.style = { modern: options.modern, origin: context.origin };
  }

  protected unknownRoute(): FakeReply {
    const { url, headers, method } = this.request;
    if (/^\/api\/(?:settings|canonical\/.*)\/$/.test(url.pathname)) {
      this.context.learn(`no ${url.pathname}`);
    } else {
      this.context.violate(`${method} ${url.pathname}: there is no such route`);
    }
    if (!this.options.modern) return { status: 404, body: undefined };
    const info = `Route not found, did you forget a trailing slash? try: ${url.pathname}/`;
    if (headers['content-type'] === 'application/json') return { status: 404, body: { info } };
    return { status: 404, headers: { 'content-type': 'text/plain' }, body: info };
  }

  protected requireToken(): void {
    if (this.request.token !== undefined) return;
    const sent = this.request.headers.authorization !== undefined;
    const detail = sent ? 'Invalid token' : 'Authentication credentials were not provided.';
    throw new Refusal(401, { detail }, { 'www-authenticate': 'xBasic realm="api"' });
  }

  /** Refuses a deprecated route during a brownout, like sentry.io. */
  protected goingAway(replacement: string): void {
    if (!this.context.brownout) return;
    const what = this.request.url.pathname.replace(/(issues|events)\/(?!latest)[^/]+\//g, '$1/{id}/');
    this.context.learn(`going away: ${what}, see ${replacement}`);
    throw new Refusal(
      410,
      { message: 'This API no longer exists.' },
      { 'x-sentry-deprecation-date': '2026-05-15T00:00:00+00:00', 'x-sentry-replacement-endpoint': replacement },
    );
  }

  protected visible(project: FakeProject): boolean {
    const { organizations } = this.request.token!;
    return organizations === null || organizations.includes(project.organization.slug);
  }

  protected visibleProjects(organization: string | null): FakeProject[] {
    return this.context.world.projects.filter(
      (project) => this.visible(project) && (organization === null || project.organization.slug === organization),
    );
  }

  protected requireOrganization(slug: string): FakeProject[] {
    const projects = this.visibleProjects(slug);
    if (projects.length === 0) throw new Refusal(404, MISSING);
    return projects;
  }

  protected cut<T>(make: () => Cut<T>): Cut<T> {
    try {
      return make();
    } catch (error) {
      if (error instanceof CursorError) throw new Refusal(400, { detail: error.message });
      throw error;
    }
  }

  protected knownProject(organization: string, slug: string, rest: string): FakeProject {
    const project = this.context.world.projectBySlugs(organization, slug);
    if (project === undefined || !this.visible(project)) throw new Refusal(404, MISSING);
    if (project.slug !== slug) {
      const moved = `/api/0/projects/${organization}/${project.slug}/${rest}`;
      const extra = { url: moved, slug: project.slug };
      const detail = { code: 'resource-moved', message: 'Resource has been moved', extra };
      throw new Refusal(302, { slug: project.slug, detail }, { location: moved });
    }
    return project;
  }
}
