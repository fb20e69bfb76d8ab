import assert from 'node:assert/strict';
import type { Project } from '../../../src/domain/project.ts';
import { type Answer, type RunningApp, startApp } from '../../support/app.ts';
import { givenMember, givenTrackedProject } from '../../support/factories.ts';
import { makeForwardState } from '../../support/store-data.ts';
import { describeOnStores } from '../../support/test-stores.ts';

const DSN = 'https://secretkey:more@127.0.0.1:9000/sub/77';

describeOnStores('forwarding over REST', (kind) => {
  let app: RunningApp;
  let project: Project;
  let token: string;

  before(async () => {
    app = await startApp(kind);
  });
  after(() => app.close());
  beforeEach(async () => {
    project = await givenTrackedProject(app.store);
    ({ token } = await givenMember(app.store, project, 'maintainer'));
  });

  const path = () => `/api/v4/projects/${project.id}/error_tracking/forwarding`;
  const put = (body: unknown, as = token): Promise<Answer> => app.ask('PUT', path(), { token: as, body });

  it('is set, shown without its key, changed in part, and ended', async () => {
    assert.equal((await app.get(path(), token)).status, 404);
    const set = await put({ dsn: DSN });
    assert.equal(set.status, 200);
    const { target, until, active, pending } = set.json();
    assert.deepEqual([target, until, active, pending], ['https://127.0.0.1:9000/sub/77', null, true, false]);
    const sealed = (await app.store.forward(project.id))?.sealedDsn ?? '';
    const end = new Date(app.clock.at + 60_000).toISOString();
    assert.equal((await put({ until: end })).json().until, end);
    assert.equal((await app.store.forward(project.id))?.sealedDsn, sealed);
    assert.equal((await put({ until: 'never' })).json().until, null);
    for (const text of [set.text, sealed, JSON.stringify(app.log)]) assert.doesNotMatch(text, /secretkey|more@/);
    assert.equal((await app.ask('DELETE', path(), { token })).status, 204);
    assert.equal((await app.ask('DELETE', path(), { token })).status, 404);
    assert.equal(await app.store.forward(project.id), null);
  });

  it('is refused to this service itself', async () => {
    const { status, text } = await put({ dsn: 'https://key@errors.example.test/7' });
    assert.equal(status, 400);
    assert.match(text, /dsn names this errgate itself: name the other tracker by a host of its own/);
    assert.equal(await app.store.forward(project.id), null);
  });

  it('shows what waits and what failed, of all gateways', async () => {
    await put({ dsn: DSN });
    const now = app.clock.at;
    const one = { ...makeForwardState(project.id, 'a'.repeat(32)), pendingUntil: now + 1, bytes: 10, failedAt: 5 };
    const two = { ...makeForwardState(project.id, 'b'.repeat(32)), bytes: 20, failedAt: 9000, failure: 'the newest' };
    await app.store.saveForwardState(one);
    await app.store.saveForwardState({ ...two, stalled: false, oldestAt: null, succeededAt: 1000 });
    const shown = (await app.get(path(), token)).json();
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
      [{}, 'dsn is missing'],
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
    assert.equal(await app.store.forward(project.id), null);
  });

  it('is for maintainers only', async () => {
    const developer = await givenMember(app.store, project, 'developer');
    assert.equal((await put({ dsn: DSN }, developer.token)).status, 403);
    assert.equal((await app.get(path(), developer.token)).status, 403);
    assert.equal(await app.store.forward(project.id), null);
  });
});
