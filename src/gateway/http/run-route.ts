import type { Context, Middleware } from 'koa';
import { entityOfGroup, entityOfProject, entityOfUser, targetOf } from '../../audit/shown-values.ts';
import { decide, type Action, type Decision } from '../../auth/policy.ts';
import type { Principal } from '../../auth/principal.ts';
import type { AccessLevel } from '../../domain/projects/account.ts';
import { AppError } from '../../domain/app-error.ts';
import type { Project } from '../../domain/projects/project.ts';
import { compileParameters } from '../../schemas/parameters.ts';
import { auditedCall, authorOf } from './audit/audited-call.ts';
import { groupDecision, type FoundGroup } from './group-lookup.ts';
import { identify, mayPostponePassword } from './identify.ts';
import { proxiedNameOf } from './middleware/auth-header.ts';
import { clientIp, fromLoopback } from './middleware/client-ip.ts';
import { projectByPath, projectByReference, type FoundProject } from './project-lookup.ts';
import { readJsonBody, readParameters, readQuery, type GivenParameters } from './request-parameters.ts';
import { bearerToken, withoutTokens } from './request-token.ts';
import type { RouteDeps } from './route-deps.ts';
import type { Route } from './route.ts';
import { sendReply } from './send-reply.ts';
import { browserMarkOf, sessionIdOf, signOnCookieOf } from './session/session-cookie.ts';

type PathParameters = Readonly<Record<string, string>>;

function lookUp(deps: RouteDeps, path: PathParameters): Promise<FoundProject | null> {
  const { project_path: fullPath, id } = path;
  if (fullPath !== undefined) return projectByPath(deps.store, fullPath);
  return id === undefined ? Promise.resolve(null) : projectByReference(deps.store, id);
}

/** Returns the present address of a moved project: the id form in REST, the current path on the web. */
function movedTo(ctx: Context, deps: RouteDeps, path: PathParameters, project: Project): string {
  const rest =
    path.project_path === undefined
      ? ctx.path.replace(/^(\/api\/v4\/projects\/)[^/]+/, `$1${project.id}`)
      : `/${project.path}${ctx.path.slice(ctx.path.lastIndexOf('/-/'))}`;
  return `${deps.externalUrl()}${rest}${ctx.search}`;
}

/** What a request is about. Null: the path names none. */
interface Subject {
  readonly project: Project | null;
  readonly group: FoundGroup | null;
}

const NOTHING: Subject = { project: null, group: null };

interface Refused extends Subject {
  readonly principal: Principal;
  readonly decision: Exclude<Decision, 'ok'>;
}

/** Writes to the audit log that a user tried a change without the right to it. */
async function refusalRecorded(ctx: Context, deps: RouteDeps, route: Route, refused: Refused): Promise<void> {
  const { principal, project, group, decision } = refused;
  const author = authorOf({ principal, origin: { address: clientIp(ctx) } });
  const ofUser = group === null ? entityOfUser(principal.user) : entityOfGroup(group);
  const entity = project === null ? ofUser : entityOfProject(project);
  const target = targetOf('Route', null, route.operationId);
  await deps.auditTrail.refused({ event: 'access_refused', author, entity, target }, decision);
}

/** Finds the project or the group and checks the user's permission. Throws the decision of the policy. */
async function authorise(
  ctx: Context,
  deps: RouteDeps,
  route: Route,
  principal: Principal,
  given: GivenParameters,
): Promise<Subject> {
  const { action, groupOf } = route;
  if (action === null) return NOTHING;
  if (groupOf === undefined)
    return { ...NOTHING, project: await authoriseProject(ctx, deps, route, action, principal) };
  const reference = groupOf(ctx.params as PathParameters, given);
  const { group, decision } = await groupDecision(deps.store, principal, action, reference);
  if (decision === 'ok') return { ...NOTHING, group };
  if (route.method !== 'GET') await refusalRecorded(ctx, deps, route, { ...NOTHING, principal, group, decision });
  throw new AppError(decision, `${route.operationId} is not allowed`);
}

async function authoriseProject(
  ctx: Context,
  deps: RouteDeps,
  route: Route,
  action: Action,
  principal: Principal,
): Promise<Project | null> {
  const path = ctx.params as PathParameters;
  const found = await lookUp(deps, path);
  const level: AccessLevel | null =
    found === null ? null : await deps.store.accessLevel(found.project.id, principal.user.id);
  const decision = decide(principal, action, found?.project ?? null, level);
  if (decision !== 'ok') {
    const project = found?.project ?? null;
    if (route.method !== 'GET') await refusalRecorded(ctx, deps, route, { ...NOTHING, principal, project, decision });
    // The web surface does not tell why something is not visible.
    throw new AppError(route.surface === 'web' ? 'project_not_found' : decision, `${route.operationId} is not allowed`);
  }
  if (found?.moved !== true) return found?.project ?? null;
  const readable = ctx.method === 'GET' || ctx.method === 'HEAD';
  const location = readable ? { location: movedTo(ctx, deps, path, found.project) } : {};
  throw new AppError('project_moved', 'the project has another path now', { details: location });
}

/** Rejects clients that do not accept the answer's type; browsers accept everything. */
function assertAcceptable(ctx: Context, { surface, produces = 'application/json' }: Route): void {
  if (surface === 'api' && ctx.accepts(produces) === false) {
    throw new AppError('not_acceptable', `The requested format is not supported: ask for ${produces}.`);
  }
}

/**
 * Returns true for a request that a page answers instead. Pages have the same addresses: without `.json`, this route
 * answers only clients that prefer JSON.
 */
function isForAPage(ctx: Context, route: Route): boolean {
  return (
    route.surface === 'web' &&
    route.method === 'GET' &&
    !ctx.path.endsWith('.json') &&
    ctx.accepts(['html', 'json']) !== 'json'
  );
}

async function givenTo(ctx: Context, { jsonOnly, ownBody }: Route): Promise<GivenParameters> {
  if (ownBody === true) return readQuery(ctx);
  return jsonOnly === true ? readJsonBody(ctx) : readParameters(ctx);
}

/** Returns a signal that aborts when the connection ends before the answer is written. */
function goneSignal({ res }: Context): AbortSignal {
  const gone = new AbortController();
  res.once('close', () => {
    if (!res.writableFinished) gone.abort();
  });
  return gone.signal;
}

/**
 * Runs one route in the order that the host documents: form of the request, user, project, role, parameters, then the
 * handler.
 */
export function runRoute(route: Route, deps: RouteDeps): Middleware {
  const { parameters } = route;
  const read = parameters === undefined ? null : compileParameters<unknown>(parameters);

  function validate(given: GivenParameters): unknown {
    if (read === null) return {};
    const result = read(given);
    if (result.ok) return result.value;
    throw new AppError('invalid_parameter', result.problems.join(', '));
  }

  return async (ctx, next) => {
    if (isForAPage(ctx, route)) {
      await next();
      return;
    }
    ctx.state.group = route.surface;
    assertAcceptable(ctx, route);
    const given = await givenTo(ctx, route);
    const identified = route.action === null ? null : await identify(ctx, deps, route, given);
    const principal = identified?.principal ?? null;
    const subject = principal === null ? NOTHING : await authorise(ctx, deps, route, principal, given);
    const params = validate(given);
    const reply = await auditedCall(route, {
      deps,
      principal,
      ...subject,
      session: identified?.session ?? null,
      params,
      path: ctx.params as PathParameters,
      url: `${deps.externalUrl()}${ctx.path}`,
      rawParameters: withoutTokens(given),
      header: (name) => ctx.get(name),
      request: ctx.req,
      signal: goneSignal(ctx),
      origin: {
        loopback: fromLoopback(ctx),
        bearer: bearerToken(ctx),
        address: clientIp(ctx),
        proxiedName: proxiedNameOf(ctx),
        sessionId: sessionIdOf(ctx),
        browserMark: browserMarkOf(ctx),
        signOnCookie: signOnCookieOf(ctx),
        mayPostponePassword: mayPostponePassword(ctx, deps.externalUrl()),
      },
    });
    sendReply(ctx, reply);
  };
}
