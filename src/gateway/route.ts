import type { Action } from '../auth/policy.ts';
import type { Principal } from '../auth/principal.ts';
import type { SignedIn } from '../domain/ports/web-session-store.ts';
import type { Project } from '../domain/project.ts';
import type { ParametersSchema } from '../schemas/parameters.ts';
import type { AccountRouteDeps, ProjectRouteDeps } from './gateway-deps.ts';

/** `api`: REST. `web`: JSON for pages, which hides more. `ops`: for probes and scrapers. */
export type Surface = 'api' | 'web' | 'ops';

export interface Reply {
  readonly status: number;
  /** An object is sent as JSON, a text as it is with `contentType`. */
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** Default `application/json`. */
  readonly contentType?: string;
}

export interface ResponseDoc {
  readonly description: string;
  /** Absent: the answer is no JSON or has no body. */
  readonly schema?: object;
}

/** Where a request comes from, and what its browser or program says it is. */
export interface RequestOrigin {
  readonly loopback: boolean;
  readonly bearer: string | null;
  /** Of the sender, behind trusted proxies that of their client; null when unknown. */
  readonly address: string | null;
  /** What the browser's cookie holds; null without one. */
  readonly sessionId: string | null;
  /** What its cookie of earlier sign-ins holds, unchecked; null without one. */
  readonly browserMark: string | null;
  /** True when the forced password change may be postponed. */
  readonly mayPostponePassword: boolean;
}

/** What a handler gets besides its parameters. */
export interface Call<P, Deps = AccountRouteDeps> {
  readonly deps: Deps;
  readonly params: P;
  /** Decoded parts of the path, by the names in the route's path. */
  readonly path: Readonly<Record<string, string>>;
  /** The address for links to neighbouring pages: external address and path as asked, without the query. */
  readonly url: string;
  /** Parameters as they were given, tokens taken out, for links to neighbouring pages. */
  readonly given: Readonly<Record<string, unknown>>;
  /** A header of the request; empty when it has none of that name. */
  readonly header: (name: string) => string;
  /** Aborted when the client goes away before it has its answer. */
  readonly signal: AbortSignal;
  readonly origin: RequestOrigin;
}

export interface AccountCall<P, Deps = AccountRouteDeps> extends Call<P, Deps> {
  readonly principal: Principal;
}

export interface ProjectCall<P> extends AccountCall<P, ProjectRouteDeps> {
  readonly project: Project;
}

/** The session that a cookie stands for, checked. */
export interface BrowserSession {
  /** The id itself; never to be shown or logged. */
  readonly id: string;
  readonly signedIn: SignedIn;
}

export interface SessionCall<P> extends AccountCall<P> {
  readonly session: BrowserSession;
}

interface RouteDoc {
  readonly surface: Surface;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** As the router reads it: `:name` is one segment, `*name` is several, `{…}` is optional. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: ParametersSchema;
  /** Documents a JSON body that is no flat list of parameters; the handler reads it from `given`. */
  readonly body?: object;
  /** Reads nothing but a JSON body, whose type must be named: for what must never stand in an address or come from a form. */
  readonly jsonOnly?: true;
  /** Takes `page` and `per_page`, which are never refused. */
  readonly pagedByOffset?: true;
  readonly responses: Readonly<Record<number, ResponseDoc>>;
}

/** One declarative entry: the router and the OpenAPI document are both made from it. */
export interface Route extends RouteDoc {
  /** Null: open to everybody. */
  readonly action: Action | null;
  /** About the browser's own session: tokens do not count here. */
  readonly sessionOnly?: true;
  handle(call: AnyCall): Promise<Reply>;
}

/** A call as the runner makes it, before a route says what it needs. */
export interface AnyCall extends Call<unknown, AccountRouteDeps & ProjectRouteDeps> {
  readonly principal: Principal | null;
  readonly project: Project | null;
  /** Null unless the person is signed in with a browser. */
  readonly session: BrowserSession | null;
}

interface Handling<C> {
  handle(call: C): Promise<Reply>;
}

/** A route that anybody may use. */
export function publicRoute<P = unknown>(route: RouteDoc & Handling<Call<P>>): Route {
  return { ...route, action: null, handle: (call) => route.handle(call as Call<P>) };
}

/** Route about the calling user. */
export function accountRoute<P = unknown>(
  route: RouteDoc & { readonly action: Action } & Handling<AccountCall<P>>,
): Route {
  return {
    ...route,
    handle(call) {
      if (call.principal === null) throw new TypeError(`${route.operationId} was called for nobody`);
      return route.handle({ ...call, principal: call.principal, params: call.params as P });
    },
  };
}

/** A route about the session of the browser that asks; works also while the password has to be changed. */
export function sessionRoute<P = unknown>(
  route: RouteDoc & { readonly action: Action } & Handling<SessionCall<P>>,
): Route {
  return {
    ...route,
    sessionOnly: true,
    handle(call) {
      const { principal, session } = call;
      if (principal === null || session === null) throw new TypeError(`${route.operationId} was called for no session`);
      return route.handle({ ...call, principal, session, params: call.params as P });
    },
  };
}

/** A route about one project, named by `:id` (REST) or `*project_path` (web). */
export function projectRoute<P = unknown>(
  route: RouteDoc & { readonly action: Action } & Handling<ProjectCall<P>>,
): Route {
  return {
    ...route,
    handle(call) {
      const { principal, project } = call;
      if (principal === null || project === null) throw new TypeError(`${route.operationId} was called for no project`);
      return route.handle({ ...call, principal, project, params: call.params as P });
    },
  };
}
