import type { TrackerReply } from './answer.ts';
import type { TrackerRequest } from './client.ts';
import type { IssueRoute } from './dialect.ts';
import { apiPath, ask, type TrackerSession } from './session.ts';
import { inTurn } from './turns.ts';

type Part = 'issueRoute' | 'partsRoute';

/** Statuses with which a tracker may mean that it has no such route, and not that it knows no such thing. */
const PERHAPS_NO_ROUTE: ReadonlySet<number> = new Set([403, 404, 405, 410]);
/** Statuses that can mean nothing else. */
const NO_ROUTE: ReadonlySet<number> = new Set([405, 410]);

const other = (route: IssueRoute): IssueRoute => (route === 'organization' ? 'legacy' : 'organization');

function askOn(
  session: TrackerSession,
  route: IssueRoute,
  segments: readonly string[],
  request: Omit<TrackerRequest, 'path' | 'signal'>,
): Promise<TrackerReply> {
  const path =
    route === 'organization'
      ? apiPath('organizations', session.organization, 'issues', ...segments)
      : apiPath('issues', ...segments);
  return ask(session, { ...request, path });
}

/** The reply that says more: a route that is missing says nothing about the thing. */
function telling(first: TrackerReply, second: TrackerReply): TrackerReply {
  if (NO_ROUTE.has(second.status)) return first;
  return NO_ROUTE.has(first.status) || first.status === 404 ? second : first;
}

async function tryBoth(
  session: TrackerSession,
  part: Part,
  segments: readonly string[],
  request: Omit<TrackerRequest, 'path' | 'signal'>,
): Promise<TrackerReply> {
  const { dialect } = session;
  // A tracker without issues below organizations has no parts of them there either; not the other way round.
  const known = dialect[part] ?? (dialect.issueRoute === 'legacy' ? 'legacy' : null);
  const preferred = known ?? 'organization';
  const first = await askOn(session, preferred, segments, request);
  if (first.ok) dialect[part] = preferred;
  if (first.ok || !(known === null ? PERHAPS_NO_ROUTE : NO_ROUTE).has(first.status)) return first;
  const second = await askOn(session, other(preferred), segments, request);
  if (second.ok || NO_ROUTE.has(first.status)) dialect[part] = other(preferred);
  if (!second.ok && NO_ROUTE.has(second.status)) dialect[part] = preferred;
  return second.ok ? second : telling(first, second);
}

/**
 * Asks for an issue, or something of it, where this tracker has it: below the organization or, as older ones do,
 * below the issue alone. What was found out is remembered; until then only one question is under way.
 */
export function onIssueRoute(
  session: TrackerSession,
  segments: readonly string[],
  request: Omit<TrackerRequest, 'path' | 'signal'> = {},
): Promise<TrackerReply> {
  const part: Part = segments.length > 1 ? 'partsRoute' : 'issueRoute';
  const run = (asker: TrackerSession): Promise<TrackerReply> => tryBoth(asker, part, segments, request);
  const isKnown = (): boolean => session.dialect[part] !== null;
  return isKnown() ? run(session) : inTurn(session, isKnown, run);
}
