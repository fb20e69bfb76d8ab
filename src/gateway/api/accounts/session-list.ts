import { shownSessionId } from '../../../auth/session-id.ts';
import { AppError } from '../../../domain/app-error.ts';
import type { WebSession } from '../../../domain/ports/stores/web-session-store.ts';
import { problems } from '../../http/common-schema.ts';
import { presenter } from '../../http/presenter.ts';
import { accountRoute, type BrowserSession, type Route } from '../../http/route.ts';
import { endedCookie } from '../../http/session/session-cookie.ts';
import { sessionTarget } from './audit-targets.ts';
import { listedSessionSchema, listedSessionsSchema } from './session-schema.ts';

const PATH = '/api/v4/user/sessions';
const present = presenter(listedSessionSchema);

/** Returns the hash of the session that a request uses; null for one with a token. */
function hashOf(session: BrowserSession | null): string | null {
  return session?.stored?.hash ?? null;
}

function presentListed(session: WebSession, currentHash: string | null) {
  const { hash, browser, address, usedAt, endsAt } = session;
  return present({
    ...session,
    id: shownSessionId(hash),
    current: hash === currentHash,
    userAgent: browser,
    ipAddress: address,
    lastUsedAt: usedAt,
    expiresAt: endsAt,
  });
}

export const sessionListRoutes: readonly Route[] = [
  accountRoute({
    method: 'GET',
    path: PATH,
    operationId: 'listSessions',
    summary: 'List the browsers that you are signed in with, at most 50',
    action: 'read_self',
    responses: {
      200: { description: 'Your sessions, the last used first', schema: listedSessionsSchema },
      401: problems[401],
      403: problems[403],
    },
    async handle({ deps, principal, session }) {
      const current = hashOf(session);
      const sessions = await deps.webSessions.list(principal.user.id);
      return {
        status: 200,
        headers: { 'Cache-Control': 'no-store' },
        body: sessions.map((each) => presentListed(each, current)),
      };
    },
  }),
  accountRoute({
    method: 'DELETE',
    path: `${PATH}/:session_id`,
    operationId: 'endSession',
    summary: 'Sign out of one browser; it is out within two seconds',
    action: 'manage_sessions',
    audit: { event: 'session_ended', target: sessionTarget },
    responses: {
      204: { description: 'The session has ended' },
      401: problems[401],
      403: problems[403],
      404: problems[404],
    },
    async handle({ deps, principal, session, path }) {
      const id = path.session_id ?? '';
      if (!(await deps.webSessions.endShown(principal.user.id, id))) {
        throw new AppError('not_found', 'you have no such session');
      }
      const current = hashOf(session);
      const isOwn = current !== null && shownSessionId(current) === id;
      return { status: 204, body: null, ...(isOwn && { headers: { 'Set-Cookie': endedCookie(deps.externalUrl()) } }) };
    },
  }),
];
