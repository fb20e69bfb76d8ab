import assert from 'node:assert/strict';
import type { NormalisedEvent } from '../../../src/domain/events/event.ts';
import type { Project } from '../../../src/domain/projects/project.ts';
import { startApp, type RunningApp } from '../../support/app.ts';
import { givenEvents, givenMember, givenTrackedProject, type Person } from '../../support/factories.ts';
import { describeOnEveryStore } from '../../support/test-stores.ts';

const HOUR = 3_600_000;

interface Row {
  readonly event_id: string;
  readonly columns?: Record<string, unknown>;
}

describeOnEveryStore('tables of events over REST', (kind) => {
  let app: RunningApp;
  let project: Project;
  let reporter: Person;
  let base: string;
  let ids: string[];

  const user = (id: string, email: string | null = null) => ({
    ...{ id, email, username: null, name: null, ip_address: null },
    data: {},
  });
  const seed = async (...events: Partial<NormalisedEvent>[]) => {
    const seeds = events.map((event, n) => ({ at: app.clock.at - HOUR + n, event }));
    ids = await givenEvents(app.store, project, seeds);
    const [error] = (await app.get(`${base}/errors`, reporter.token)).json();
    base = `${base}/errors/${error.id}`;
  };
  const get = (path: string) => app.get(`${base}${path}`, reporter.token);
  const found = async (query: string) => {
    const answer = await get(`/events?${query}`);
    assert.equal(answer.status, 200, answer.text);
    const rows: Row[] = answer.json();
    return { rows, numbers: rows.map(({ event_id }) => ids.indexOf(event_id)), answer };
  };
  const nextOf = (answer: { headers: Headers }) =>
    /<[^>]*\?([^>]*)>; rel="next"/.exec(answer.headers.get('Link') ?? '')?.[1] ?? null;

  before(async () => {
    app = await startApp(kind);
  });
  after(() => app.close());
  beforeEach(async () => {
    project = await givenTrackedProject(app.store);
    reporter = await givenMember(app.store, project, 'reporter');
    base = `/api/v4/projects/${project.id}/error_tracking`;
  });

  it('shows columns when asked for', async () => {
    await seed({
      message: 'it broke',
      user: user('7', 'ada@example.org'),
      request: {
        url: 'https://shop.example/pay',
        method: 'GET',
        query_string: [],
        headers: [],
        cookies: [],
        data: null,
        env: {},
      },
      contexts: { browser: { name: 'Firefox', version: '140' }, os: { name: 'Linux' }, device: { model: 'Pixel' } },
      server_name: 'web-1',
    });
    const { rows } = await found('columns=true');
    assert.deepEqual(rows[0]?.columns, {
      message: 'it broke',
      level: 'error',
      release: 'app@1.0',
      environment: 'production',
      user: { id: '7', username: null, email: 'ada@example.org', name: null, ip_address: null },
      transaction: '/show',
      url: 'https://shop.example/pay',
      browser: 'Firefox 140',
      os: 'Linux',
      runtime: null,
      device: 'Pixel',
      server_name: 'web-1',
    });
    assert.equal('columns' in ((await found('')).rows[0] ?? {}), false);
  });

  it('filters by environment, release, user and tag, and says how many it looked at', async () => {
    await seed(
      { environment: 'staging', user: user('1') },
      { release: 'app@2.0', user: user('2', 'Ada@Example.org') },
      { tags: [{ key: 'shop', value: 'a:b' }], user: null },
      { contexts: { browser: { name: 'Firefox', version: '140' } }, user: user('2') },
    );
    const looked = async (query: string) => {
      const { numbers, answer } = await found(query);
      assert.equal(answer.headers.get('X-Errgate-Searched'), '4', query);
      return numbers;
    };
    assert.deepEqual(await looked('environment=staging'), [0]);
    assert.deepEqual(await looked('release=app%402.0'), [1]);
    assert.deepEqual(await looked('user=ada@example.org'), [1]);
    assert.deepEqual(await looked('user=2'), [3, 1]);
    assert.deepEqual(await looked('user=2&tag=browser.name:Firefox'), [3]);
    assert.deepEqual(await looked('tag=shop:a:b'), [2]);
    assert.deepEqual(await looked('tag=shop:a'), []);
    assert.deepEqual(await looked('tag=shop'), [2]);
    assert.equal((await found('')).answer.headers.get('X-Errgate-Searched'), null);
    assert.equal((await get('/events?tag=:x')).status, 400);
  });

  it('follows a filtered list without gaps or repeats', async () => {
    await seed(...Array.from({ length: 130 }, (_, n) => ({ environment: n % 3 === 0 ? 'odd' : 'even' })));
    const expected = ids
      .map((_, n) => n)
      .filter((n) => n % 3 === 0)
      .reverse();
    const seen: number[] = [];
    let looked = 0;
    for (let query: string | null = 'environment=odd&per_page=7'; query !== null;) {
      const { numbers, answer } = await found(query);
      assert.ok(numbers.length <= 7);
      seen.push(...numbers);
      looked += Number(answer.headers.get('X-Errgate-Searched'));
      query = nextOf(answer);
    }
    assert.deepEqual([seen, looked], [expected, 130]);
  });

  it('looks at 1,000 events for a page, says so, and goes on behind them', async () => {
    await seed(...Array.from({ length: 1_030 }, (_, n) => ({ environment: n === 3 ? 'odd' : 'even' })));
    const first = await found('environment=odd');
    assert.deepEqual([first.numbers, first.answer.headers.get('X-Errgate-Searched')], [[], '1000']);
    const second = await found(nextOf(first.answer) ?? '');
    assert.deepEqual([second.numbers, second.answer.headers.get('X-Errgate-Searched')], [[3], '30']);
    assert.equal(nextOf(second.answer), null);
  });

  it('ends a page when its bodies are large, and goes on behind it', async () => {
    const extra = { text: 'x'.repeat(700_000) };
    await seed(...Array.from({ length: 5 }, () => ({ extra })));
    const first = await found('columns=true');
    assert.deepEqual(first.numbers, [4, 3, 2]);
    const second = await found(nextOf(first.answer) ?? '');
    assert.deepEqual(second.numbers, [1, 0]);
    assert.deepEqual((await found('')).numbers, [4, 3, 2, 1, 0]);
  });

  it('says which one of the stored events it is, and leads to the ends', async () => {
    await seed({}, {}, {});
    const places = [];
    for (const id of ids) {
      const { position, stored } = (await get(`/events/${id}`)).json();
      places.push([position, stored]);
    }
    assert.deepEqual(places, [
      [3, 3],
      [2, 3],
      [1, 3],
    ]);
    assert.equal((await get('/events/latest')).json().event_id, ids[2]);
    const oldest = (await get('/events/oldest')).json();
    assert.deepEqual([oldest.event_id, oldest.previous_event_id, oldest.next_event_id], [ids[0], null, ids[1]]);
  });

  it('writes events as CSV, with the same filters', async () => {
    await seed({ message: '=1+1', user: user('7') }, { message: 'a "b"', environment: 'staging' });
    const all = await get('/events.csv');
    assert.deepEqual([all.status, all.headers.get('Content-Type')], [200, 'text/csv; charset=utf-8']);
    const [head, newest, oldest, ...rest] = all.text.split('\r\n');
    assert.match(head ?? '', /^event_id,error_id,timestamp,received_at,message,level,/);
    assert.ok(newest?.startsWith(`${ids[1]},`) && newest.includes('"a ""b"""'), newest);
    assert.ok(oldest?.includes(",'=1+1,"), oldest);
    assert.deepEqual(rest, ['']);
    const filtered = (await get('/events.csv?environment=staging')).text;
    assert.deepEqual(
      filtered
        .trimEnd()
        .split('\r\n')
        .map((record) => record.split(',')[0]),
      ['event_id', ids[1]],
    );
    const headers = { 'PRIVATE-TOKEN': reporter.token };
    const marked = await (await fetch(`${app.url}${base}/events.csv?bom=true`, { headers })).arrayBuffer();
    assert.deepEqual([...new Uint8Array(marked).slice(0, 3)], [0xef, 0xbb, 0xbf]);
  });

  it('lists similar errors with what they have in common', async () => {
    const at = app.clock.at;
    await givenEvents(app.store, project, [
      { at: at - 3, group: 'a', title: 'first' },
      { at: at - 2, group: 'b', title: 'second' },
      { at: at - 1, group: 'c', title: 'third', event: { exceptions: [] } },
    ]);
    const errors = (await app.get(`${base}/errors`, reporter.token)).json() as { id: string; title: string }[];
    const first = errors.find(({ title }) => title === 'first')!;
    const answer = await app.get(`${base}/errors/${first.id}/similar`, reporter.token);
    assert.equal(answer.status, 200, answer.text);
    const rows = answer.json() as { title: string; level: string | null; reasons: string[] }[];
    assert.deepEqual([...new Set(rows.map(({ level }) => level))], ['error']);
    const reasons = new Map(rows.map((row) => [row.title, row.reasons]));
    assert.equal(rows[0]?.title, 'second');
    assert.ok(reasons.get('second')?.includes('type') && reasons.get('second')?.includes('culprit'));
    assert.ok(reasons.get('third')?.includes('culprit') && !reasons.get('third')?.includes('type'));
    assert.equal(reasons.has('first'), false);
    assert.equal((await app.get(`${base}/errors/99999/similar`, reporter.token)).status, 404);
  });

  it('offers keys, tags and values for searches', async () => {
    await givenEvents(app.store, project, [{ at: app.clock.at, event: { environment: 'staging' } }]);
    const ask = async (path: string) => (await app.get(`${base}/${path}`, reporter.token)).json();
    const { keys, tags, max_conditions } = await ask('search_keys');
    assert.deepEqual(
      keys.find(({ key }: { key: string }) => key === 'environment'),
      {
        key: 'environment',
        kind: 'text',
        description: 'Environment that any event had',
        values: null,
        aliases: ['env'],
      },
    );
    assert.deepEqual([tags, max_conditions], [['environment', 'level', 'release'], 10]);
    const values = async (query: string) => (await ask(`search_values?${query}`)).values;
    assert.deepEqual(await values('key=env&prefix=ST'), ['staging']);
    assert.deepEqual(await values('key=env&prefix=x'), []);
    assert.deepEqual(await values('key=tag&prefix=lev'), ['level']);
    assert.deepEqual(await values('key=tag&prefix=level='), ['level=error']);
    assert.deepEqual(await values('key=is&prefix=un'), ['unresolved', 'unhandled', 'unassigned']);
    assert.deepEqual(await values(`key=assigned&prefix=${reporter.user.username}`), [reporter.user.username]);
    assert.deepEqual(await values('key=unknown'), []);
    assert.equal((await app.get(`${base}/search_values`, reporter.token)).status, 400);
  });
});
