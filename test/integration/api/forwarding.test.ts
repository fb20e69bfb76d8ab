import assert from 'node:assert/strict';
import { type Answer } from '../../support/app.ts';
import { givenMember } from '../../support/factories.ts';
import { makeForwardState } from '../../support/store-data.ts';
import { restWorld } from '../../support/rest-world.ts';
import { describeOnStores } from '../../support/test-stores.ts';

const DSN = 'https://secretkey:more@127.0.0.1:9000/sub/77';

describeOnStores('forwarding over REST', (kind) => {
  const world = restWorld(kind, 'maintainer');

  const path = () => `/api/v4/projects/${world.project.id}/error_tracking/forwarding`;
  const put = (body: unknown, as = world.member.token): Promise<Answer> =>
    world.app.ask('PUT', path(), { token: as, body });

  it('is set, shown without its key, changed in part, and ended', async () => {
    assert.equal((await world.app.get(path(), world.member.token)).status, 404);
    const set = await put({ dsn: DSN });
    assert.equal(set.status, 200);
    const { target, until, active, pending } = set.json();
    assert.deepEqual([target, until, active, pending], ['https://127.0.0.1:9000/sub/77', null, true, false]);
    const sealed = (await world.app.store.forward(world.project.id))?.sealedDsn ?? '';
    const end = new Date(world.app.clock.at + 60_000).toISOString();
    assert.equal((await put({ until: end })).json().until, end);
    assert.equal((await world.app.store.forward(world.project.id))?.sealedDsn, sealed);
    assert.equal((await put({ until: 'never' })).json().until, null);
    for (const text of [set.text, sealed, JSON.stringify(world.app.log)]) assert.doesNotMatch(text, /secretkey|more@/);
    assert.equal((await world.app.ask('DELETE', path(), { token: world.member.token })).status, 204);
    assert.equal((await world.app.ask('DELETE', path(), { token: world.member.token })).status, 404);
    assert.equal(await world.app.store.forward(world.project.id), null);
  });

  it('is refused to this service itself', async () => {
    const { status, text } = await put({ dsn: 'https://key@errors.example.test/7' });
    assert.equal(status, 400);
    assert.match(text, /dsn names this errgate itself: name the other tracker by a host of its own/);
    assert.equal(await world.app.store.forward(world.project.id), null);
  });

  it('shows what waits and what failed, of all gateways', async () => {
    await put({ dsn: DSN });
    const now = world.app.clock.at;
    const one = {
      ...makeForwardState(world.project.id, 'a'.repeat(32)),
      pendingUntil: now + 1,
      bytes: 10,
      failedAt: 5,
    };
    const two = {
      ...makeForwardState(world.project.id, 'b'.repeat(32)),
      bytes: 20,
      failedAt: 9000,
      failure: 'the newest',
    };
    await world.app.store.saveForwardState(one);
    await world.app.store.saveForwardState({ ...two, stalled: false, oldestAt: null, succeededAt: 1000 });
    const shown = (await world.app.get(path(), world.member.token)).json();
    assert.deepEqual(
      [shown.pending, shown.waiting_bytes, shown.stalled, shown.dropped, shown.last_failure],
      [true, 30, true, 4, 'the newest'],
    );
    assert.deepEqual(
      [shown.oldest_waiting_at, shown.last_success_at, shown.last_failure_at].map((at) => Date.parse(at)),
      [700, 1000, 9000],
    );
  });

  it('says what is wrong with a value, and changes nothing', async () => {
    const form = 'dsn is invalid: use https://public_key@host/project_id';
    for (const [body, error] of [
      [{}, 'dsn is missing: the project does not forward yet, so say where to'],
      [{ dsn: 'https://host/1' }, form],
      [{ dsn: 'ftp://key@host/1' }, form],
      [{ dsn: 'https://key@host/' }, form],
      [{ dsn: 'https://key@host/1?x=1' }, form],
      [{ dsn: 'https://ke-y@host/1' }, form],
      [{ dsn: DSN, until: 'tomorrow' }, 'until is invalid: use a time such as 2027-01-31T00:00:00Z'],
      [{ dsn: DSN, until: '2000-01-01T00:00:00Z' }, 'until must be in the future'],
    ] as const) {
      const answer = await put(body);
      assert.deepEqual([answer.status, answer.json()], [400, { error }], JSON.stringify(body));
    }
    const local = await put({ dsn: 'https://key@10.0.0.1/1' });
    assert.equal(local.status, 400);
    assert.match(local.json().error, /^dsn is blocked/);
    assert.equal(await world.app.store.forward(world.project.id), null);
  });

  it('is for maintainers only', async () => {
    const developer = await givenMember(world.app.store, world.project, 'developer');
    assert.equal((await put({ dsn: DSN }, developer.token)).status, 403);
    assert.equal((await world.app.get(path(), developer.token)).status, 403);
    assert.equal(await world.app.store.forward(world.project.id), null);
  });
});
