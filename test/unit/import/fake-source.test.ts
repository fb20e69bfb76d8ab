import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { startFakeSource, type FakeSource } from '../../support/fake-source/fake-source.ts';
import { SOURCE_TRACKERS } from '../../support/fake-source/source-world.ts';
import { sdkEvent } from '../../support/reader-world.ts';

describe('the fake of trackers to import from', () => {
  let source: FakeSource;
  afterEach(() => source.close());

  for (const tracker of SOURCE_TRACKERS) {
    it(`refuses calls that ${tracker} does not know`, async () => {
      source = await startFakeSource(tracker);
      source.world.addToken('token');
      source.world.addProject('shop');
      const get = async (path: string, token = 'token'): Promise<number> =>
        (await fetch(source.origin + path, { headers: { authorization: `Bearer ${token}` } })).status;
      const projects = tracker === 'bugsink' ? '/api/canonical/0/projects/' : '/api/0/organizations/acme/projects/';
      assert.equal(await get(projects), 200);
      assert.equal(await get(projects, 'other'), 401);
      source.assertClean();
      assert.equal(await get(`${projects}?made_up=1`), 400);
      assert.equal(await get(projects.slice(0, -1)), 404);
      assert.equal(await get('/api/0/made/up/'), 404);
      assert.equal(source.violations.length, 3);
      source.world.addToken('poor', ['team:read']);
      assert.equal(await get(projects, 'poor'), 403);
    });
  }

  it('takes live events by store and envelope, counts them by its grouping, and each id once', async () => {
    source = await startFakeSource('sentry');
    const { world } = source;
    const shop = world.addProject('shop');
    const issue = world.addIssue(shop, { bodies: [{ body: sdkEvent(1) }], count: 100 });
    const key = shop.keys[0]?.publicKey ?? '';
    const send = async (kind: string, body: string | Buffer, headers: Record<string, string> = {}): Promise<number> =>
      (
        await fetch(`${source.origin}/api/${shop.id}/${kind}/`, {
          method: 'POST',
          headers: { 'x-sentry-auth': `Sentry sentry_key=${key}, sentry_version=7`, ...headers },
          body: body as BodyInit,
        })
      ).status;
    const live = { ...sdkEvent(1), event_id: 'a'.repeat(32) };
    assert.equal(await send('store', JSON.stringify(live)), 200);
    assert.equal(await send('store', JSON.stringify(live)), 200);
    assert.equal(issue.count, 101);
    const payload = JSON.stringify({ ...sdkEvent(1), event_id: 'b'.repeat(32) });
    const item = JSON.stringify({ type: 'event', length: Buffer.byteLength(payload) });
    const envelope = `${JSON.stringify({ event_id: 'b'.repeat(32) })}\n{"type":"session"}\n{}\n${item}\n${payload}\n`;
    assert.equal(await send('envelope', gzipSync(envelope), { 'content-encoding': 'gzip' }), 200);
    assert.equal(issue.count, 102);
    assert.equal(await send('store', '{}', { 'x-sentry-auth': 'Sentry sentry_key=wrong' }), 403);
    // Another event is another issue.
    assert.equal(await send('store', JSON.stringify({ ...sdkEvent(2), event_id: 'c'.repeat(32) })), 200);
    assert.equal(shop.issues.size, 2);
    world.countsLate = true;
    world.drops = (body) => body.event_id === 'd'.repeat(32);
    assert.equal(await send('store', JSON.stringify({ ...sdkEvent(1), event_id: 'd'.repeat(32) })), 200);
    assert.equal(await send('store', JSON.stringify({ ...sdkEvent(1), event_id: 'e'.repeat(32) })), 200);
    assert.equal(issue.count, 102);
    world.settle();
    assert.equal(issue.count, 103);
  });

  it('holds 10,000 issues and lists them in all orders', async () => {
    source = await startFakeSource('glitchtip');
    source.world.addToken('token');
    const shop = source.world.addProject('shop');
    source.world.addIssues(shop, 10_000);
    const ids = new Set<string>();
    let cursor: string | null = null;
    do {
      const url: URL = new URL(`${source.origin}/api/0/projects/acme/shop/issues/`);
      url.search = String(
        new URLSearchParams({ query: '', sort: '-first_seen', limit: '100', ...(cursor === null ? {} : { cursor }) }),
      );
      const answer: Response = await fetch(url, { headers: { authorization: 'Bearer token' } });
      for (const { id } of (await answer.json()) as { id: string }[]) ids.add(id);
      cursor = /rel="next"; results="true"; cursor="([^"]+)"/.exec(answer.headers.get('link') ?? '')?.[1] ?? null;
    } while (cursor !== null);
    assert.equal(ids.size, 10_000);
  });
});
