import assert from 'node:assert/strict';
import { exception, frame, givenEvents, givenMember, type SeededEvent } from '../../support/factories.ts';
import { rankAll } from '../../support/rank-all.ts';
import { restWorld } from '../../support/rest-world.ts';
import { describeOnStores } from '../../support/test-stores.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describeOnStores('searches of errors over REST', (kind) => {
  const world = restWorld(kind, 'developer');

  const get = (path: string) => world.app.get(world.base + path, world.member.token);
  const seed = (...seeds: SeededEvent[]) => givenEvents(world.app.store, world.project, seeds);
  const titles = async (query: Record<string, string>): Promise<string> => {
    const answer = await get(`/errors?${new URLSearchParams({ per_page: '100', ...query }).toString()}`);
    assert.equal(answer.status, 200, answer.text);
    return (answer.json() as { title: string }[])
      .map(({ title }) => title)
      .sort()
      .join(' ');
  };
  const put = async (title: string, path: string, body: object) => {
    const all = (await get('/errors?status=all')).json() as { id: string; title: string }[];
    const { id } = all.find((error) => error.title === title)!;
    return world.app.ask('PUT', `${world.base}/errors/${id}${path}`, { token: world.member.token, body });
  };

  const seedShop = () =>
    seed(
      { at: world.now - 30 * DAY, group: 'old', title: 'old', event: { environment: 'staging', level: 'info' } },
      {
        ...{ at: world.now - HOUR, group: 'pay', title: 'pay' },
        event: {
          level: 'fatal',
          release: 'app@2.0',
          exceptions: [
            exception({
              type: 'PayError',
              frames: [frame({ filename: 'payments/stripe.py', function: 'Store.charge' })],
            }),
          ],
        },
      },
      { at: world.now - 2 * HOUR, group: 'cart', title: 'cart' },
    );

  it('finds errors by every key that one event decides', async () => {
    await seedShop();
    const rows: [search: string, found: string][] = [
      ['', 'cart old pay'],
      ['level:fatal', 'pay'],
      ['!level:fatal', 'cart old'],
      ['env:staging', 'old'],
      ['!environment:staging', 'cart pay'],
      ['!env:STAGING', 'cart pay'],
      ['release:app@2.0', 'pay'],
      ['release:2.0', 'pay'],
      ['!release:2.0', 'cart old'],
      ['release:0', ''],
      ['type:PayError', 'pay'],
      ['!type:payerror', 'cart old'],
      ['file:stripe.py', 'pay'],
      ['file:payments/stripe.py', 'pay'],
      ['file:ripe.py', ''],
      ['function:charge', 'pay'],
      ['!function:charge', 'cart old'],
      ['first-seen:-24h', 'cart pay'],
      ['age:+24h', 'old'],
      [`last-seen:>=${new Date(world.now - 90 * 60_000).toISOString()}`, 'pay'],
      ['!last-seen:-24h', 'old'],
      ['tag:level=fatal', 'pay'],
      ['has:level', 'cart old pay'],
      ['!has:level', ''],
      ['is:new', 'cart pay'],
      ['!is:new', 'old'],
      ['is:regressed', ''],
      ['level:fatal pay', 'pay'],
      ['level:fatal cart', ''],
      ['"ca" "rt"', 'cart'],
      ['"rt ca"', ''],
      ['is:resolved', ''],
      ['!is:resolved', 'cart old pay'],
    ];
    for (const [search, found] of rows) assert.equal(await titles({ status: 'all', search }), found, search);
  });

  it('finds errors by assignee, and lets the search decide about the status', async () => {
    await seedShop();
    const other = await givenMember(world.app.store, world.project, 'developer');
    await put('pay', '/assignee', { user_id: world.member.user.id });
    await put('cart', '/assignee', { user_id: other.user.id });
    await put('old', '', { status: 'resolved' });
    assert.equal(await titles({ search: 'assigned:me' }), 'pay');
    assert.equal(await titles({ search: `assigned:${other.user.username}` }), 'cart');
    assert.equal(await titles({ search: '!assigned:me' }), 'cart');
    assert.equal(await titles({ search: 'is:unassigned', status: 'all' }), 'old');
    assert.equal(await titles({ search: 'is:assigned' }), 'cart pay');
    assert.equal(await titles({ search: 'is:resolved' }), 'old');
    assert.equal(await titles({ search: '!is:unresolved' }), 'old');
    assert.equal(await titles({ search: 'is:resolved is:unresolved', status: 'all' }), '');
  });

  it('refuses unknown keys and values, and names those that there are', async () => {
    await seedShop();
    const refused = async (search: string) => {
      const answer = await get(`/errors?search=${encodeURIComponent(search)}`);
      assert.equal(answer.status, 400, search);
      const { message, code } = answer.json();
      assert.equal(code, 'invalid_search');
      return message as string;
    };
    assert.match(await refused('relaese:1'), /Did you mean release:\?/);
    assert.match(await refused('release:*2'), /^\* stands only at the end of a value: release:start\*/);
    assert.match(await refused('user:ada*'), /^user: takes a whole id/);
    assert.match(await refused('level:bad'), /^level: takes fatal/);
    assert.match(await refused('assigned:nobody-here'), /No member of this project/);
    assert.equal((await get(`/export.csv?search=relaese:1`)).json().code, 'invalid_search');
    assert.equal((await get(`/errors/counts?search=relaese:1`)).json().code, 'invalid_search');
    const web = await world.app.get(
      `/${world.project.path}/-/error_tracking.json?search_term=relaese:1`,
      world.member.token,
    );
    assert.deepEqual([web.status, web.json().code], [400, 'invalid_search']);
    // Names of tags that errors have are keys.
    await givenEvents(world.app.store, world.project, [{ at: world.now, group: 'tagged', title: 'tagged' }]);
    assert.equal(await titles({ status: 'all', search: 'tag:relaese=1' }), '');
  });

  it('finds products without their version, beginnings and lists', async () => {
    const on = (name: string, browser: string, os: string, release: string) => ({
      ...{ at: world.now - HOUR, group: name, title: name },
      tags: [
        ['browser', browser] as const,
        ['browser.name', browser.replace(/ \d+$/, '')] as const,
        ['os', os] as const,
      ],
      event: { release, ...(name === 'c' ? { level: 'fatal' as const } : {}) },
    });
    await seed(
      on('a', 'Firefox 140', 'Windows 11', 'shop@2.33.0'),
      on('b', 'Firefox Mobile 140', 'Android 14', 'web@2.33.0'),
      on('c', 'Chrome', 'Windows 10', 'shop@2.33.1'),
      on('d', 'Chrome 99', 'macOS 15', '3.0'),
    );
    const rows: [search: string, found: string][] = [
      ['browser:Firefox', 'a'],
      ['browser.name:Firefox', 'a'],
      ['browser:Firefox*', 'a b'],
      ['browser:firefox', 'a'],
      ['!browser:FIREFOX*', 'c d'],
      ['browser:[firefox,CHROME]', 'a c d'],
      ['os:WINDOWS release:SHOP@2.33.0', 'a'],
      ['!release:Shop@2.*', 'b d'],
      ['!browser:Firefox*', 'c d'],
      ['browser:"Firefox 140"', 'a'],
      ['browser:"Firefox 1*"', 'a'],
      ['tag:browser=Firefox', ''],
      ['browser:Chrome', 'c d'],
      ['browser:[Firefox,Chrome]', 'a c d'],
      ['os:Windows', 'a c'],
      ['os:Windows release:2.33.0', 'a'],
      // Each package that has the version.
      ['release:2.33.0', 'a b'],
      ['!release:2.33.0', 'c d'],
      ['release:2.33.*', 'a b c'],
      ['release:shop@*', 'a c'],
      ['release:[2.33.1,3.*]', 'c d'],
      ['release:2.3', ''],
      ['level:[fatal,info]', 'c'],
      ['!level:[fatal, info]', 'a b d'],
      ['is:[unresolved,ignored]', 'a b c d'],
      ['is:[resolved,ignored]', ''],
      ['!is:[resolved,ignored]', 'a b c d'],
    ];
    for (const [search, found] of rows) assert.equal(await titles({ search }), found, search);
    const counts = (await get('/errors/counts?search=is:[resolved,ignored]')).json();
    assert.deepEqual([counts.unresolved, counts.resolved], [4, 0], 'tabs do not follow the status of the search');
  });

  it('refuses a version of more packages than it can ask for', async () => {
    const releases = Array.from({ length: 51 }, (_, n) => `package${n}@1.0`);
    await seed(...releases.map((release) => ({ at: world.now, group: 'a', title: 'a', event: { release } })));
    const answer = await get('/errors?search=release:1.*');
    assert.deepEqual([answer.status, answer.json().code], [400, 'invalid_search']);
    assert.match(answer.json().message, /more than 50 packages .* release:name@1\./);
    assert.equal(await titles({ search: 'release:package50@1.*' }), 'a');
  });

  it('suggests types, files, functions and users', async () => {
    await seedShop();
    await seed({
      ...{ at: world.now, group: 'u', title: 'u' },
      event: { user: { id: '7', email: 'ada@shop.test', username: null, ip_address: null, name: null, data: {} } },
    });
    const values = async (query: string) => (await get(`/search_values?${query}`)).json().values as string[];
    assert.ok((await values('key=type')).includes('PayError'));
    assert.deepEqual(await values('key=type&prefix=pay'), ['PayError']);
    assert.ok((await values('key=file')).includes('payments/stripe.py'));
    assert.deepEqual(await values('key=file&prefix=STRI'), ['payments/stripe.py']);
    assert.deepEqual(await values('key=file&prefix=nothing'), []);
    assert.deepEqual(await values('key=function&prefix=charge'), ['Store.charge']);
    assert.deepEqual(await values('key=user&prefix=Ada'), ['ada@shop.test']);
  });

  it('takes a key without a value as text, and says so', async () => {
    await seed(
      { at: world.now, group: 'a', title: 'level: is missing' },
      { at: world.now, group: 'b', title: 'b', event: { level: 'fatal' } },
    );
    const answer = await get(`/errors?search=${encodeURIComponent('level: is missing')}`);
    assert.deepEqual([answer.status, (answer.json() as unknown[]).length], [200, 1], answer.text);
    assert.match(
      answer.headers.get('X-Errgate-Search-Hint') ?? '',
      /^level: was searched for as text.* write level:fatal$/,
    );
    assert.equal((await get('/errors?search=missing')).headers.get('X-Errgate-Search-Hint'), null);
  });

  it('takes the same search for the pages and for CSV', async () => {
    await seedShop();
    const web = await world.app.get(
      `/${world.project.path}/-/error_tracking.json?search_term=level:fatal`,
      world.member.token,
    );
    assert.deepEqual(
      web.json().errors.map(({ title }: { title: string }) => title),
      ['pay'],
    );
    const csv = (await get('/export.csv?status=all&search=!level:fatal')).text.trimEnd().split('\r\n');
    assert.deepEqual([csv.length, csv.some((record) => record.includes('pay'))], [3, false]);
  });

  it('lists, counts and draws what happened within a range', async () => {
    await seed(
      { at: world.now - 30 * DAY - 1, group: 'old', title: 'old' },
      ...[1, 2, 3].map((hours) => ({ at: world.now - hours * HOUR, group: 'pay', title: 'pay' })),
      { at: world.now - 3 * DAY, group: 'pay', title: 'pay' },
    );
    await rankAll(world.app.store, world.now);
    assert.equal(await titles({ range: '24h' }), 'pay');
    assert.equal(await titles({ range: '30d' }), 'pay');
    const one = async (path: string) => (await get(path)).json();
    const [listed] = await one('/errors?range=7d');
    assert.deepEqual([listed.range_count, listed.count, listed.frequency.length], [4, 4, 29]);
    const [plain] = await one('/errors');
    assert.deepEqual([plain.range_count, plain.frequency.length], [null, 24]);
    for (const [range, buckets] of Object.entries({ '1h': 25, '24h': 25, '7d': 29, '14d': 29, '30d': 31 })) {
      const error = await one(`/errors/${listed.id}?range=${range}`);
      assert.equal(error.frequency.length, buckets, range);
      const total = (error.frequency as [number, number][]).reduce((sum, [, count]) => sum + count, 0);
      assert.equal(total, range === '1h' || range === '24h' ? 3 : 4, range);
    }
    assert.equal((await one(`/errors/${listed.id}?range=24h`)).range_count, 3);
    assert.match((await get('/errors?range=2h')).json().error, /^range does not have a valid value/);
  });

  it('counts the tabs of a list', async () => {
    await seedShop();
    await put('old', '', { status: 'resolved' });
    const counts = async (query = '') => (await get(`/errors/counts${query}`)).json();
    assert.deepEqual(await counts(), {
      unresolved: 2,
      for_review: 2,
      resolved: 1,
      ignored: 0,
      matching: 2,
      capped_at: 10_000,
    });
    // Tabs do not follow the status of the search.
    assert.deepEqual(await counts('?search=is:resolved'), { ...(await counts()), matching: 1 });
    const matching = async (query: string) => (await counts(`?${query}`)).matching;
    assert.equal(await matching('status=all'), 3);
    assert.equal(await matching('status=resolved&for_review=true'), 0);
    assert.equal(await matching('for_review=true'), 2);
    assert.equal(await matching('status=resolved&search=is:for_review'), 0);
    assert.equal(await matching('search=!is:ignored'), 3);
    assert.equal(await matching('search=is:[resolved,ignored]'), 1);
    assert.deepEqual(await counts('?search=level:fatal'), {
      ...{ unresolved: 1, for_review: 1, resolved: 0, ignored: 0 },
      ...{ matching: 1, capped_at: 10_000 },
    });
  });

  it('lists what asks for a review until somebody looked at it', async () => {
    await seed(...['a', 'b', 'c', 'd', 'e'].map((title) => ({ at: world.now - HOUR, group: title, title })));
    const waiting = () => titles({ for_review: 'true' });
    assert.equal(await waiting(), 'a b c d e');
    assert.equal((await put('a', '/review', { reviewed: true })).status, 204);
    await put('b', '', { status: 'ignored' });
    await put('c', '/assignee', { user_id: world.member.user.id });
    const all = (await get('/errors')).json() as { id: string; title: string }[];
    const d = all.find(({ title }) => title === 'd')!.id;
    await world.app.ask('POST', `${world.base}/errors/${d}/notes`, {
      token: world.member.token,
      body: { text: 'seen' },
    });
    assert.equal(await waiting(), 'e');
    assert.equal(await titles({ search: 'is:for_review' }), 'e');
    assert.equal((await put('a', '/review', { reviewed: false })).status, 204);
    assert.equal(await waiting(), 'a e');
    assert.equal((await put('a', '/review', {})).status, 400);
    const unknown = { token: world.member.token, body: { reviewed: true } };
    assert.equal((await world.app.ask('PUT', `${world.base}/errors/99999/review`, unknown)).status, 404);
  });

  it('orders by what matters now', async () => {
    await seed(
      { at: world.now - 20 * DAY, group: 'quiet', title: 'quiet' },
      { at: world.now - HOUR, group: 'new', title: 'new', event: { level: 'fatal' } },
    );
    await rankAll(world.app.store, world.now);
    const order = (await get('/errors?sort=matters')).json() as { title: string }[];
    assert.deepEqual(
      order.map(({ title }) => title),
      ['new', 'quiet'],
    );
  });
});
