import assert from 'node:assert/strict';
import { restWorld } from '../../support/rest-world.ts';
import { describeOnStores } from '../../support/test-stores.ts';
import { exception, givenEvents, givenMember, type SeededEvent } from '../../support/factories.ts';

const HOUR = 3600_000;

describeOnStores('events over REST', (kind) => {
  const world = restWorld(kind, 'developer');

  const seed = (...seeds: SeededEvent[]) => givenEvents(world.app.store, world.project, seeds);
  const get = (path: string) => world.app.get(world.base + path, world.member.token);
  const firstError = async () => (await get('/errors')).json()[0];

  describe('of an error', () => {
    it('are listed newest first and paged', async () => {
      const ids = await seed({ at: world.now - 3 * HOUR }, { at: world.now - 2 * HOUR }, { at: world.now - HOUR });
      const error = await firstError();
      const first = await get(`/errors/${error.id}/events?per_page=2`);
      assert.deepEqual(first.json()[0], {
        event_id: ids[2],
        error_id: error.id,
        timestamp: new Date(world.now - HOUR).toISOString(),
        received_at: new Date(world.now - HOUR).toISOString(),
      });
      const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('Link') ?? '')?.[1] ?? '';
      const second = await world.app.get(next.slice('https://errors.example.test'.length), world.member.token);
      assert.deepEqual(
        second.json().map((event: { event_id: string }) => event.event_id),
        [ids[0]],
      );
      assert.equal((await get(`/errors/${error.id}/events?cursor=zzz`)).status, 400);
      assert.equal((await get(`/errors/${error.id}/events?per_page=none`)).status, 400);
    });

    it('name the affected users: each once, the latest first; guests do not see them', async () => {
      const user = (id: string, email: string | null = null) => ({
        user: { id, username: null, email, name: null, ip_address: null, data: { plan: 'pro' } },
      });
      const ids = await seed(
        { at: world.now - 4 * HOUR, event: user('7', 'old@example.com') },
        { at: world.now - 3 * HOUR, event: user('8') },
        { at: world.now - 2 * HOUR, event: user('7', 'new@example.com') },
        { at: world.now - HOUR, event: { user: null } },
      );
      const error = await firstError();
      const nothing = { username: null, name: null, ip_address: null };
      assert.deepEqual((await get(`/errors/${error.id}/users`)).json(), [
        {
          ...nothing,
          id: '7',
          email: 'new@example.com',
          last_seen: new Date(world.now - 2 * HOUR).toISOString(),
          event_id: ids[2],
        },
        { ...nothing, id: '8', email: null, last_seen: new Date(world.now - 3 * HOUR).toISOString(), event_id: ids[1] },
      ]);
      assert.equal((await get('/errors/999999/users')).status, 404);
      const { token } = await givenMember(world.app.store, world.project, 'guest');
      assert.equal((await world.app.get(`${world.base}/errors/${error.id}/users`, token)).status, 403);
    });

    it('answer 404 with a reason after retention has removed them all; the error stays', async () => {
      await seed({ at: world.now - HOUR });
      const error = await firstError();
      await world.app.store.prune({
        receivedBefore: world.now,
        maxEventsPerError: null,
        keysReceivedBefore: 0,
        hoursBefore: 0,
        outcomesBefore: 0,
      });
      assert.deepEqual((await get(`/errors/${error.id}/events`)).json(), []);
      for (const path of ['events/latest', 'stack_trace']) {
        const answer = await get(`/errors/${error.id}/${path}`);
        assert.equal(answer.status, 404);
        assert.match(answer.json().message, /^404 .*removed by retention/);
      }
      const web = await world.app.get(
        `/${world.project.path}/-/error_tracking/${error.id}/stack_trace.json`,
        world.member.token,
      );
      assert.equal(web.status, 200);
      assert.deepEqual(web.json(), { error: { issue_id: error.id, date_received: null, stack_trace_entries: [] } });
      assert.equal((await get('/errors/999999/events/latest')).json().message, '404 Not found');
    });

    it('are read whole, the latest or by id in any spelling', async () => {
      const ids = await seed({ at: world.now - 2 * HOUR }, { at: world.now - HOUR });
      const { id } = await firstError();
      const latest = (await get(`/errors/${id}/events/latest`)).json();
      assert.equal(latest.event_id, ids[1]);
      assert.equal(latest.error_id, id);
      assert.equal(latest.previous_event_id, ids[0]);
      assert.equal(latest.next_event_id, null);
      assert.deepEqual(latest.exceptions, [exception()]);
      assert.deepEqual(latest.tags, [{ key: 'colour', value: 'red' }]);
      assert.equal(latest.user.id, '7');
      assert.equal(latest.received_at, new Date(world.now - HOUR).toISOString());
      const [older = ''] = ids;
      const dashed = older.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
      for (const spelling of [older, older.toUpperCase(), dashed]) {
        assert.equal((await get(`/errors/${id}/events/${spelling}`)).json().event_id, older);
      }
    });

    it('answer 404 for an unknown id', async () => {
      await seed({ at: world.now - HOUR });
      const { id } = await firstError();
      for (const unknown of ['f'.repeat(32), 'f'.repeat(31), 'g'.repeat(32), '%00', 'latest%00', '1', '%2e%2e%2f']) {
        const answer = await get(`/errors/${id}/events/${unknown}`);
        assert.equal(answer.status, 404, unknown);
      }
    });
  });
});
