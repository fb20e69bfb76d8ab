import assert from 'node:assert/strict';
import type { TrackerReply } from '../../../src/thirdparty/http/answer.ts';
import type { TrackerRequest } from '../../../src/thirdparty/http/client.ts';
import { AppError } from '../../../src/domain/app-error.ts';
import { Dialect } from '../../../src/thirdparty/dialect/dialect.ts';
import { timedOut } from '../../../src/thirdparty/http/network-failure.ts';
import { callerGone } from '../../../src/thirdparty/http/tracker-errors.ts';
import { onIssueRoute } from '../../../src/thirdparty/issue-routes.ts';
import type { TrackerSession } from '../../../src/thirdparty/session.ts';
import type { IssuePart } from '../../../src/thirdparty/dialect/tracker-traits.ts';
import { scriptedSession, type Answer } from './support/scripted-session.ts';

/** Asks for an issue, or a part of it, of which any body is accepted. */
async function askFor(session: TrackerSession, part: IssuePart, segments: readonly string[]): Promise<TrackerReply> {
  const reply = await onIssueRoute(session, part, segments, { accepts: () => true });
  assert.ok(reply !== null);
  return reply;
}
const known = (dialect: Dialect, part: IssuePart) => (dialect.knows(part) ? dialect.routesOf(part)[0] : null);

const ORGANIZATION = /^\/api\/0\/organizations\/acme\/issues\//;
const routes = (asked: readonly string[]) =>
  asked.map((line) => (line.includes('/organizations/') ? 'organization' : 'legacy'));

/** A tracker that answers the two routes like this. */
const tracker = (organization: number, legacy: number, parts: Answer = {}) =>
  scriptedSession((path) => {
    if (/\/(events|tags)\//.test(path) && ORGANIZATION.test(path)) return { status: organization, ...parts };
    return { status: ORGANIZATION.test(path) ? organization : legacy };
  });

describe('routes of third-party issues', () => {
  const rows: [
    name: string,
    organization: number,
    legacy: number,
    asked: string[],
    learnt: string | null,
    status: number,
  ][] = [
    ['both work', 200, 200, ['organization', 'organization'], 'organization', 200],
    ['only the old one works', 404, 200, ['organization', 'legacy', 'legacy'], 'legacy', 200],
    ['the new one is not allowed', 405, 200, ['organization', 'legacy', 'legacy'], 'legacy', 200],
    ['the token may not use the new one', 403, 200, ['organization', 'legacy', 'legacy'], 'legacy', 200],
    [
      'the old one has gone, nothing is known',
      404,
      410,
      ['organization', 'legacy', 'organization'],
      'organization',
      404,
    ],
    ['the new one was never there, nothing is known', 405, 404, ['organization', 'legacy', 'legacy'], 'legacy', 404],
    ['nothing is known on either', 404, 404, ['organization', 'legacy', 'organization', 'legacy'], null, 404],
    ['the token is bad', 401, 401, ['organization', 'organization'], null, 401],
    ['the tracker has trouble', 500, 200, ['organization', 'organization'], null, 500],
  ];
  for (const [name, organization, legacy, expected, learnt, status] of rows) {
    it(name, async () => {
      const { session, asked, dialect } = tracker(organization, legacy);
      await askFor(session, 'issue', ['17']);
      assert.equal((await askFor(session, 'issue', ['17'])).status, status);
      assert.deepEqual(routes(asked), expected);
      assert.equal(known(dialect, 'issue'), learnt);
    });
  }

  it('parts of an issue may be elsewhere than the issue', async () => {
    const { session, asked, dialect } = tracker(200, 200, { status: 404 });
    await askFor(session, 'issue', ['17']);
    await askFor(session, 'latest', ['17', 'events', 'latest']);
    await askFor(session, 'tags', ['17', 'tags']);
    assert.deepEqual(routes(asked), ['organization', 'organization', 'legacy', 'organization', 'legacy']);
    const parts = ['issue', 'latest', 'tags', 'event'] as const;
    assert.deepEqual(parts.map((part) => known(dialect, part)), ['organization', 'legacy', 'legacy', null]); // prettier-ignore
  });

  it('parts are where the issue is when that is the old place', async () => {
    const { session, asked } = scriptedSession((path) => ({
      status: ORGANIZATION.test(path) ? 405 : path.includes('/events/') ? 404 : 200,
    }));
    await askFor(session, 'issue', ['17']);
    assert.equal((await askFor(session, 'latest', ['17', 'events', 'latest'])).status, 404);
    assert.deepEqual(routes(asked), ['organization', 'legacy', 'legacy']);
  });

  it('changes its mind when a route goes away later', async () => {
    let gone = false;
    const { session, asked, dialect } = scriptedSession((path) => ({
      status: ORGANIZATION.test(path) ? (gone ? 200 : 404) : gone ? 410 : 200,
    }));
    await askFor(session, 'issue', ['17']);
    gone = true;
    assert.equal((await askFor(session, 'issue', ['17'])).status, 200);
    assert.deepEqual(routes(asked), ['organization', 'legacy', 'legacy', 'organization']);
    assert.equal(known(dialect, 'issue'), 'organization');
  });

  const isTags = (body: unknown): boolean => Array.isArray(body);
  const tagsOf = (session: TrackerSession) => onIssueRoute(session, 'tags', ['17', 'tags'], { accepts: isTags });

  it('believes no success that has another body', async () => {
    const { session, asked, dialect } = scriptedSession((path) => ({
      body: ORGANIZATION.test(path) ? { id: '17' } : [{ key: 'os' }],
    }));
    assert.deepEqual((await tagsOf(session))?.body, [{ key: 'os' }]);
    assert.deepEqual((await tagsOf(session))?.body, [{ key: 'os' }]);
    assert.deepEqual(routes(asked), ['organization', 'legacy', 'legacy']);
    assert.equal(known(dialect, 'tags'), 'legacy');
  });

  it('asks no more for tags that neither route has, for an hour', async () => {
    let now = 0;
    const { session, asked } = scriptedSession(() => ({ body: { id: '17' } }), {
      dialect: new Dialect({ now: () => now }),
    });
    await tagsOf(session);
    assert.equal(await tagsOf(session), null);
    assert.equal(asked.length, 2);
    now = 3_600_000;
    assert.notEqual(await tagsOf(session), null);
    assert.equal(asked.length, 4);
  });

  it('by kind: asks where it is, and elsewhere only when it is not there', async () => {
    let doubts = 0;
    const dialect = new Dialect({ kind: 'urgentry', doubted: () => (doubts += 1) });
    const { session, asked } = scriptedSession((path) => ({ status: path.includes('/gone/') ? 410 : 404 }), {
      dialect,
    });
    assert.equal((await askFor(session, 'latest', ['17', 'events', 'latest'])).status, 404);
    assert.equal((await askFor(session, 'event', ['17', 'events', 'x'])).status, 404);
    assert.equal(await tagsOf(session), null);
    assert.deepEqual(routes(asked), ['legacy', 'organization']);
    assert.equal(doubts, 0);
    assert.equal((await askFor(session, 'issue', ['gone'])).status, 410);
    assert.deepEqual([routes(asked).slice(2), doubts], [['legacy', 'organization'], 1]);
  });

  it('asks once what it does not know, however many want to know', async () => {
    const { session, asked } = tracker(405, 200);
    await Promise.all([1, 2, 3].map((id) => askFor(session, 'issue', [String(id)])));
    assert.deepEqual(routes(asked), ['organization', 'legacy', 'legacy', 'legacy']);
  });

  describe('while nothing is known', () => {
    /** A session whose questions stay open until the test answers them, or whoever asked leaves. */
    function openSession(dialect: Dialect) {
      const open: { readonly answer: (status: number) => void; readonly fail: (error: AppError) => void }[] = [];
      const request = (_target: unknown, { signal }: TrackerRequest): Promise<TrackerReply> =>
        new Promise((resolve, reject) => {
          signal?.addEventListener('abort', () => reject(callerGone()), { once: true });
          open.push({
            answer: (status) => resolve({ status, ok: status < 300, body: null, link: null, detail: null }),
            fail: reject,
          });
        });
      const { session } = scriptedSession(() => ({}), { dialect, client: { request } });
      const ask = (id: number, signal?: AbortSignal) =>
        askFor(signal === undefined ? session : { ...session, signal }, 'issue', [String(id)]);
      return { open, ask };
    }
    const reasons = (settled: readonly PromiseSettledResult<unknown>[]) =>
      settled.map((one): unknown =>
        one.status === 'rejected' && one.reason instanceof AppError ? one.reason.details?.reason : one.status,
      );
    const turnOfLoop = () => new Promise((resolve) => setImmediate(resolve));

    it('the time of a question runs while it waits behind one that hangs', async () => {
      const { ask } = openSession(new Dialect({ turnLimitMs: 200 }));
      const begun = performance.now();
      const settled = await Promise.allSettled(Array.from({ length: 20 }, (_, id) => ask(id + 1)));
      assert.deepEqual(new Set(reasons(settled)), new Set(['timeout']));
      assert.ok(performance.now() - begun < 2500, 'one after the other');
    });

    it('an outage rejects all waiting requests, and no later ones', async () => {
      const { ask, open } = openSession(new Dialect());
      const asked = [1, 2, 3].map((id) => ask(id));
      await turnOfLoop();
      const outage = timedOut('tracker.example');
      open[0]?.fail(outage);
      for (const one of asked) await assert.rejects(one, (error) => error === outage);
      assert.equal(open.length, 1);
      const later = ask(4);
      await turnOfLoop();
      open[1]?.answer(200);
      assert.equal((await later).status, 200);
    });

    it('an aborted request ends no other one, waiting or running', async () => {
      const { ask, open } = openSession(new Dialect());
      const [front, waiting] = [new AbortController(), new AbortController()];
      const asked = [ask(1, front.signal), ask(2, waiting.signal), ask(3)];
      const settled = Promise.allSettled(asked);
      waiting.abort();
      await assert.rejects(asked[1]!, (error) => error instanceof AppError && error.details?.reason === 'aborted');
      assert.equal(open.length, 1);
      front.abort();
      await turnOfLoop();
      assert.equal(open.length, 2);
      open[1]?.answer(200);
      assert.deepEqual(reasons(await settled), ['aborted', 'aborted', 'fulfilled']);
    });

    it('what the first learnt lets all others ask at once', async () => {
      const { ask, open } = openSession(new Dialect());
      const settled = Promise.allSettled([1, 2, 3, 4].map((id) => ask(id)));
      await turnOfLoop();
      assert.equal(open.length, 1);
      open[0]?.answer(200);
      await turnOfLoop();
      assert.equal(open.length, 4);
      for (const one of open) one.answer(200);
      assert.deepEqual(
        reasons(await settled),
        Array.from({ length: 4 }, () => 'fulfilled'),
      );
    });
  });
});
