import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import type { IncomingMessage } from 'node:http';
import type { Action } from '../../auth/policy.ts';
import type { Principal } from '../../auth/principal.ts';
import type { WebSession } from '../../domain/ports/stores/web-session-store.ts';
import type { User } from '../../domain/projects/account.ts';
import type { Project } from '../../domain/projects/project.ts';
import type { ParametersSchema } from '../../schemas/parameters.ts';
import type { Audit } from './audit/audit-rule.ts';
import type { FoundGroup } from './group-lookup.ts';
import { idOf } from './path-ids.ts';
import type { AccountRouteDeps, ProjectRouteDeps, RouteDeps } from './route-deps.ts';

/**
 * `api`: REST. `web`: JSON for pages, which hides more. `ops`: for probes and scrapers. `tools`: what build tools of
 * trackers ask, whose refusals have a `detail`. `agents`: what agents ask, by a bearer token alone.
 */
export type Surface = 'api' | 'web' | 'ops' | 'tools' | 'agents';

export interface Reply {
  readonly status: number;
  /** Body: an object is sent as JSON; text unchanged with `contentType`; a Readable as it comes, without an entity tag. */
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** Default `application/json`. */
  readonly contentType?: string;
}

export interface ResponseDoc {
  readonly description: string;
  /** Schema of a JSON answer; absent for other answers and without a body. */
  readonly schema?: object;
}

/** Origin of a request, and the credentials it sends. */
export interface RequestOrigin {
  readonly loopback: boolean;
  readonly bearer: string | null;
  /** Address of the sender, behind trusted proxies that of their client; null when unknown. */
  readonly address: string | null;
  /** Person that a trusted proxy names as signed in, unchecked; null: none. */
  readonly proxiedName: string | null;
  /** Session id in the browser's cookie; null without one. */
  readonly sessionId: string | null;
  /** Value of the cookie of earlier sign-ins, unchecked; null without one. */
  readonly browserMark: string | null;
  /** Value of the cookie of a sign-in at an identity provider, unchecked; null without one. */
  readonly signOnCookie: string | null;
  /** True when the forced password change may be postponed. */
  readonly mayPostponePassword: boolean;
}

/** Arguments of a handler. */
export interface Call<P, Deps = AccountRouteDeps> {
  readonly deps: Deps;
  readonly params: P;
  /** Decoded parts of the path, by the names in the route's path. */
  readonly path: Readonly<Record<string, string>>;
  /** Base of links to neighbouring pages: external address and requested path, without the query. */
  readonly url: string;
  /** Parameters of the request without tokens, for links to neighbouring pages. */
  readonly rawParameters: Readonly<Record<string, unknown>>;
  /** Returns a header of the request; empty when it is missing. */
  readonly header: (name: string) => string;
  /** The request, for routes with `ownBody`. */
  readonly request: IncomingMessage;
  /** Aborted when the client disconnects before its answer. */
  readonly signal: AbortSignal;
  readonly origin: RequestOrigin;
}

export interface AccountCall<P, Deps = AccountRouteDeps> extends Call<P, Deps> {
  readonly principal: Principal;
  /** Session of the browser; null for a caller with a token. */
  readonly session: BrowserSession | null;
}

export interface ProjectCall<P> extends AccountCall<P, ProjectRouteDeps> {
  readonly project: Project;
}

/** Sign-in of a browser. */
export interface BrowserSession {
  /** Session id itself; must not be shown or logged. */
  readonly id: string;
  readonly user: User;
  readonly mustChangePassword: boolean;
  /** Session of the cookie; null: the proxy names the user with each request. */
  readonly stored: WebSession | null;
}

export interface GroupCall<P> extends AccountCall<P, ProjectRouteDeps> {
  readonly group: FoundGroup;
}

export interface SessionCall<P> extends AccountCall<P> {
  readonly session: BrowserSession;
}

interface DescribedRoute {
  /** Default `api`. */
  readonly surface?: Surface;
  /** Path in the syntax of the router: `:name` is one segment, `*name` is several, `{…}` is optional. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  /** Schema of a JSON body that is not a flat list of parameters; the handler reads it from `rawParameters`. */
  readonly body?: object;
  /** Accepts only a JSON body with its content type. Used for values that must not be in an address or a form. */
  readonly jsonOnly?: true;
  /** True: the handler reads the body from `request`; parameters are those of the query. */
  readonly ownBody?: true;
  /** True: it works while the user must set up a second factor. */
  readonly setsUpSecondFactor?: true;
  /** True: a route about the session that is held up, as others are, while a password change or second factor is due. */
  readonly waitsForSetUp?: true;
  /** Accepts `page` and `per_page`, and never refuses their values. */
  readonly pagedByOffset?: true;
  /** Media type of the answer; default `application/json`. */
  readonly produces?: string;
  readonly responses: Readonly<Record<number, ResponseDoc>>;
}

/** A route that may change something says how the audit log has it, or why not. */
type AuditedMethod =
  | { readonly method: 'GET'; readonly audit?: Audit<AnyCall> }
  | { readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'; readonly audit: Audit<AnyCall> };

type RouteDoc = DescribedRoute & AuditedMethod;

/** Declaration of a route, from which both the router and the OpenAPI document are built. */
export interface Route extends DescribedRoute {
  readonly method: AuditedMethod['method'];
  readonly audit?: Audit<AnyCall>;
  readonly parameters?: ParametersSchema;
  readonly surface: Surface;
  /** Required permission; null: open to all. */
  readonly action: Action | null;
  /** True for routes about the browser's own session, which do not accept tokens. */
  readonly sessionOnly?: true;
  /** Returns the group that a request is about, by path or id; null: none. Absent: the route is about no group. */
  readonly groupOf?: GroupOf;
  handle(call: AnyCall): Promise<Reply>;
}

/** Reads the group of a request from the parts of its path, or from parameters, which are not validated yet. */
export type GroupOf = (
  path: Readonly<Record<string, string>>,
  given: Readonly<Record<string, unknown>>,
) => string | number | null;

/** Call as the runner creates it, before a route requires a user or a project. */
export interface AnyCall extends Call<unknown, RouteDeps> {
  readonly principal: Principal | null;
  readonly project: Project | null;
  readonly group: FoundGroup | null;
  /** Session of the browser; null for other callers. */
  readonly session: BrowserSession | null;
}

/** Parameters that a schema describes; unknown for a route without any. */
type Params<S> = [S] extends [never] ? unknown : S extends JSONSchema ? FromSchema<S> : never;

interface Handling<C, S> {
  readonly parameters?: S;
  handle(call: C): Promise<Reply>;
}

/** Declares a route that is open to all. */
export function publicRoute<const S extends ParametersSchema = never>(
  route: RouteDoc & Handling<Call<Params<S>>, S>,
): Route {
  return { surface: 'api', ...route, action: null, handle: (call) => route.handle(call as Call<Params<S>>) };
}

/** Declares a route about the calling user. */
export function accountRoute<const S extends ParametersSchema = never>(
  route: RouteDoc & { readonly action: Action } & Handling<AccountCall<Params<S>>, S>,
): Route {
  return {
    surface: 'api',
    ...route,
    handle(call) {
      if (call.principal === null) throw new TypeError(`${route.operationId} was called without a user`);
      return route.handle({ ...call, principal: call.principal, params: call.params as Params<S> });
    },
  };
}

/** Declares a route about the browser's own session; it also works while the password must be changed. */
export function sessionRoute<const S extends ParametersSchema = never>(
  route: RouteDoc & { readonly action: Action } & Handling<SessionCall<Params<S>>, S>,
): Route {
  return {
    surface: 'api',
    ...route,
    sessionOnly: true,
    handle(call) {
      const { principal, session } = call;
      if (principal === null || session === null)
        throw new TypeError(`${route.operationId} was called without a session`);
      return route.handle({ ...call, principal, session, params: call.params as Params<S> });
    },
  };
}

/** Declares a route about one project, given by `:id` (REST) or `*project_path` (web). */
export function projectRoute<const S extends ParametersSchema = never>(
  route: RouteDoc & { readonly action: Action } & Handling<ProjectCall<Params<S>>, S>,
): Route {
  return {
    surface: 'api',
    ...route,
    handle(call) {
      const { principal, project } = call;
      if (principal === null || project === null)
        throw new TypeError(`${route.operationId} was called without a project`);
      return route.handle({ ...call, principal, project, params: call.params as Params<S> });
    },
  };
}

/** Declares a route about one group, given by `:id`: an id, or a full path. */
export function groupRoute<const S extends ParametersSchema = never>(
  route: RouteDoc & { readonly action: Action } & Handling<GroupCall<Params<S>>, S>,
): Route {
  return {
    surface: 'api',
    ...route,
    groupOf: ({ id = '' }) => idOf(id) ?? id,
    handle(call) {
      const { principal, group } = call;
      if (principal === null || group === null) throw new TypeError(`${route.operationId} was called without a group`);
      return route.handle({ ...call, principal, group, params: call.params as Params<S> });
    },
  };
}

/** Declares a route that makes something in a group, which need not be there. */
export function inGroupRoute<const S extends ParametersSchema = never>(
  route: RouteDoc & { readonly action: Action; readonly groupOf: GroupOf } & Handling<
      AccountCall<Params<S>, ProjectRouteDeps>,
      S
    >,
): Route {
  return {
    surface: 'api',
    ...route,
    handle(call) {
      if (call.principal === null) throw new TypeError(`${route.operationId} was called without a user`);
      return route.handle({ ...call, principal: call.principal, params: call.params as Params<S> });
    },
  };
}
