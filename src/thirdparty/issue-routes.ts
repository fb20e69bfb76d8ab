import { AppError } from '../domain/app-error.ts';
import type { TrackerReply } from './http/answer.ts';
import type { TrackerRequest } from './http/client.ts';
import { apiPath, ask, type TrackerSession } from './session.ts';
import type { IssuePart, IssueRoute } from './dialect/tracker-traits.ts';
import { serialiseUntilKnown } from './serialise-until-known.ts';

/** Statuses for a missing route or a missing object. */
const PERHAPS_NO_ROUTE: ReadonlySet<number> = new Set([403, 404, 405, 410]);
/** Statuses for a missing route only. */
const NO_ROUTE: ReadonlySet<number> = new Set([405, 410]);

const NUMBER = /^[1-9]\d*$/;
const NOT_THERE: TrackerReply = { status: 404, ok: false, body: null, link: null, detail: null };

export interface PartRequest extends Omit<TrackerRequest, 'path' | 'signal'> {
  /** Checks the body of a success: some trackers answer 200 with other content. */
  readonly accepts: (body: unknown) => boolean;
}

/** Result of one route. */
interface Attempt {
  readonly route: IssueRoute;
  /** Response of the tracker; null when it is unreadable. */
  readonly reply: TrackerReply | null;
  readonly error: AppError | null;
  /** `missing`: no such route; `perhaps`: route or object is missing. */
  readonly verdict: 'good' | 'missing' | 'perhaps' | 'refused';
}

const other = (route: IssueRoute): IssueRoute => (route === 'organization' ? 'legacy' : 'organization');

function verdictOf(reply: TrackerReply, accepts: PartRequest['accepts']): Attempt['verdict'] {
  if (reply.ok) return reply.status === 204 || accepts(reply.body) ? 'good' : 'missing';
  if (NO_ROUTE.has(reply.status)) return 'missing';
  return PERHAPS_NO_ROUTE.has(reply.status) ? 'perhaps' : 'refused';
}

async function attemptOn(
  session: TrackerSession,
  route: IssueRoute,
  segments: readonly string[],
  { accepts, ...request }: PartRequest,
): Promise<Attempt> {
  const path =
    route === 'organization'
      ? apiPath('organizations', session.organization, 'issues', ...segments)
      : apiPath('issues', ...segments);
  try {
    const reply = await ask(session, { ...request, path });
    return { route, reply, error: null, verdict: verdictOf(reply, accepts) };
  } catch (error) {
    // HTML pages replace missing routes, on some trackers also for ids that are no number.
    if (!(error instanceof AppError) || error.code !== 'tracker_invalid_answer') throw error;
    const { pagesForOddIds } = session.dialect.traits;
    const isOwnPage = pagesForOddIds && error.details?.reason === 'html' && !NUMBER.test(segments[0] ?? '');
    if (isOwnPage) return { route, reply: NOT_THERE, error: null, verdict: 'perhaps' };
    return { route, reply: null, error, verdict: 'missing' };
  }
}

function result({ reply, error }: Attempt): TrackerReply {
  if (reply !== null) return reply;
  throw error ?? new Error('an attempt has a reply or an error');
}

/** Selects the more specific attempt: a missing route says nothing about the object. */
function moreSpecific(first: Attempt, second: Attempt): Attempt {
  if (second.verdict === 'missing') return first;
  return first.verdict === 'missing' || first.reply?.status === 404 ? second : first;
}

async function tryRoutes(
  session: TrackerSession,
  part: IssuePart,
  segments: readonly string[],
  request: PartRequest,
): Promise<TrackerReply | null> {
  const { dialect } = session;
  const [preferred, spare] = dialect.routesOf(part);
  if (preferred === undefined) return null;
  const isKnown = dialect.knows(part);
  const first = await attemptOn(session, preferred, segments, request);
  if (first.verdict === 'good') {
    if (!isKnown) dialect.learn(part, preferred);
    return result(first);
  }
  if (first.verdict !== 'missing' && (first.verdict === 'refused' || spare === undefined)) return result(first);
  const second = await attemptOn(session, other(preferred), segments, request);
  if (second.verdict === 'good') {
    dialect.learn(part, second.route);
    return result(second);
  }
  if (first.verdict === 'missing' && second.verdict === 'missing') {
    // A success on a route that should not exist proves nothing about the object.
    dialect.doubted();
    if (part === 'tags') dialect.learn(part, 'none');
  } else if (first.verdict === 'missing') {
    dialect.learn(part, second.route);
  } else if (second.verdict === 'missing') {
    dialect.learn(part, first.route);
  }
  return result(moreSpecific(first, second));
}

/**
 * Requests an issue or a part of it on the route of this tracker. The route is below the organization, or on older ones
 * below the issue. Caches known routes per part for a while; until then serialises requests. Returns null when the
 * tracker has no such part.
 */
export function onIssueRoute(
  session: TrackerSession,
  part: IssuePart,
  segments: readonly string[],
  request: PartRequest,
): Promise<TrackerReply | null> {
  const run = (asker: TrackerSession): Promise<TrackerReply | null> => tryRoutes(asker, part, segments, request);
  const isKnown = (): boolean => session.dialect.knows(part);
  return isKnown() ? run(session) : serialiseUntilKnown(session, isKnown, run);
}
