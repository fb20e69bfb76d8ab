import type { FakeReply, FakeRequest, Personality, TrackerContext } from './personality.ts';

/** Answer of the API root, equal for all clients; the version is given elsewhere. */
const ROOT = { version: '0', auth: { scopes: ['org:ci'] }, user: null };

/** Routes by which Sentry-compatible trackers are detected; errgate requests them of any tracker. */
const ASKED = /^\/api\/(client-config|settings|0\/(projects|organizations))\/$/;

/**
 * Bugsink: accepts events of SDKs and uploads, and has no Sentry-compatible API for reading. Its API below
 * `/api/canonical/0/` has separate tokens and is never used.
 */
export const bugsink: Personality = {
  name: 'Bugsink',
  makeId: (serial) => `00000000-0000-4000-8000-${String(serial).padStart(12, '0')}`,
  answer({ method, url }: FakeRequest, context: TrackerContext): FakeReply {
    if (url.pathname === '/api/0/') return { status: 200, body: ROOT };
    // Paths outside its API are web pages.
    const isAsked = method === 'GET' && (ASKED.test(url.pathname) || !url.pathname.startsWith('/api/'));
    if (!isAsked) context.violate(`${method} ${url.pathname}: there is no such route`);
    if (url.pathname.startsWith('/api/0/')) return { status: 404, body: { detail: 'Unimplemented API endpoint' } };
    return { status: 404, body: '<!doctype html><title>Not Found</title>' };
  },
};
