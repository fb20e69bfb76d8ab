import type { FakeReply, FakeRequest, Personality, TrackerContext } from './personality.ts';

/** Says the same to everybody; the version stands elsewhere. */
const ROOT = { version: '0', auth: { scopes: ['org:ci'] }, user: null };

/** Where trackers with the API of Sentry tell what they are: asked for, because nobody knows that this is none. */
const ASKED = /^\/api\/(client-config|settings|0\/(projects|organizations))\/$/;

/**
 * A Bugsink: it takes events of SDKs and uploads, and has no API of Sentry's form for reading. Its own one is below
 * `/api/canonical/0/`, with tokens of its own, and is never asked.
 */
export const bugsink: Personality = {
  name: 'Bugsink',
  makeId: (serial) => `00000000-0000-4000-8000-${String(serial).padStart(12, '0')}`,
  answer({ method, url }: FakeRequest, context: TrackerContext): FakeReply {
    if (url.pathname === '/api/0/') return { status: 200, body: ROOT };
    // Addresses outside of its API are pages of its own.
    const isAsked = method === 'GET' && (ASKED.test(url.pathname) || !url.pathname.startsWith('/api/'));
    if (!isAsked) context.violate(`${method} ${url.pathname}: there is no such route`);
    if (url.pathname.startsWith('/api/0/')) return { status: 404, body: { detail: 'Unimplemented API endpoint' } };
    return { status: 404, body: '<!doctype html><title>Not Found</title>' };
  },
};
