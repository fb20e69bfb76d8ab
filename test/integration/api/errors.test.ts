import assert from 'node:assert/strict';
import { restWorld } from '../../support/rest-world.ts';
import { describeOnStores } from '../../support/test-stores.ts';
import { frame, givenEvents, givenTrackedProject, type SeededEvent } from '../../support/factories.ts';

const HOUR = 3600_000;

describeOnStores('errors over REST', (kind) => {
  const world = restWorld(kind, 'developer');

  const get = (path: string) => world.app.get(world.base + path, world.member.token);
  const seed = (...seeds: SeededEvent[]) => givenEvents(world.app.store, world.project, seeds);
  const firstError = async () => (await get('/errors')).json()[0];

  describe('the list', () => {
    it('shows an error with every documented member', async () => {
      await seed({ at: world.now - 2 * HOUR }, { at: world.now - HOUR, userHash: 'b'.repeat(24) });
      const answer = await get('/errors');
      assert.equal(answer.headers.get('Link'), null);
      const [error] = answer.json();
      const { id, frequency, ...rest } = error;
      assert.match(id, /^\d+$/);
      assert.equal(frequency.length, 24);
      assert.equal(
        frequency.reduce((sum: number, [, count]: [number, number]) => sum + count, 0),
        2,
      );
      assert.deepEqual(rest, {
        project_id: world.project.id,
        integrated: true,
        title: 'ValueError: it broke',
        type: 'ValueError',
        message: 'it broke',
        culprit: 'app.views in show',
        level: 'error',
        platform: 'python',
        status: 'unresolved',
        status_details: {},
        assignee: null,
        count: 2,
        user_count: 2,
        first_seen: new Date(world.now - 2 * HOUR).toISOString(),
        last_seen: new Date(world.now - HOUR).toISOString(),
        first_release: 'app@1.0',
        last_release: 'app@1.0',
        external_url: null,
        external_ids: [],
        range_count: null,
        marks: { new: true, regressed: null, escalating: null, unmuted: null, unhandled: null, for_review: true },
        web_url: `https://errors.example.test/${world.project.path}/-/error_tracking/${id}/details`,
      });
    });

    it('is paged by the Link header, forwards and back', async () => {
      await seed(...[1, 2, 3, 4, 5].map((n) => ({ at: world.now - n * HOUR, group: `g${n}`, title: `t${n}` })));
      const links = (header: string | null) =>
        Object.fromEntries([...(header ?? '').matchAll(/<([^>]+)>; rel="(\w+)"/g)].map(([, url, rel]) => [rel, url]));
      const follow = (url: string) => {
        assert.ok(url.startsWith(`https://errors.example.test${world.base}/errors?`), url);
        return world.app.get(url.slice('https://errors.example.test'.length), world.member.token);
      };
      const titles = (answer: { json(): { title: string }[] }) => answer.json().map(({ title }) => title);
      const first = await get('/errors?per_page=2&sort=last_seen');
      assert.deepEqual(titles(first), ['t1', 't2']);
      assert.deepEqual(Object.keys(links(first.headers.get('Link'))), ['next']);
      const second = await follow(links(first.headers.get('Link')).next ?? '');
      assert.deepEqual(titles(second), ['t3', 't4']);
      assert.deepEqual(Object.keys(links(second.headers.get('Link'))), ['prev', 'next']);
      const third = await follow(links(second.headers.get('Link')).next ?? '');
      assert.deepEqual(titles(third), ['t5']);
      const back = await follow(links(second.headers.get('Link')).prev ?? '');
      assert.deepEqual(titles(back), ['t1', 't2']);
    });

    it('filters, searches and sorts', async () => {
      await seed(
        { at: world.now - HOUR, group: 'a', title: 'Alpha', event: { environment: 'staging', level: 'fatal' } },
        { at: world.now - 2 * HOUR, group: 'b', title: 'Beta', event: { release: 'app@2.0' } },
        { at: world.now - 3 * HOUR, group: 'b', title: 'Beta', event: { release: 'app@2.0' } },
      );
      const titles = async (query: string) =>
        (await get(`/errors?${query}`)).json().map(({ title }: { title: string }) => title);
      assert.deepEqual(await titles(''), ['Alpha', 'Beta']);
      assert.deepEqual(await titles('sort=frequency'), ['Beta', 'Alpha']);
      assert.deepEqual(await titles('search=beta'), ['Beta']);
      assert.deepEqual(await titles('search=nothing'), []);
      assert.deepEqual(await titles('level=fatal'), ['Alpha']);
      assert.deepEqual(await titles('environment=staging'), ['Alpha']);
      assert.deepEqual(await titles('release=app%402.0'), ['Beta']);
      assert.deepEqual(await titles('status=resolved'), []);
      const at = (hours: number) => encodeURIComponent(new Date(world.now - hours * HOUR).toISOString());
      assert.deepEqual(await titles(`first_seen_after=${at(3)}`), ['Alpha', 'Beta']);
      assert.deepEqual(await titles(`first_seen_after=${at(2.5)}`), ['Alpha']);
      assert.deepEqual(await titles(`first_seen_before=${at(2.5)}`), ['Beta']);
      assert.deepEqual(await titles(`last_seen_after=${at(1)}`), ['Alpha']);
      assert.deepEqual(await titles(`last_seen_before=${at(2)}&first_seen_after=${at(3)}`), ['Beta']);
      assert.deepEqual(await titles('first_seen_after='), ['Alpha', 'Beta']);
      assert.deepEqual((await titles('status=all')).length, 2);
      assert.deepEqual((await titles('per_page=500')).length, 2);
    });

    describe('refuses', () => {
      const long = 'x'.repeat(501);
      const rows: [query: string, error: string][] = [
        ['status=open', 'status does not have a valid value: use one of unresolved | resolved | ignored | all'],
        [
          'sort=age',
          'sort does not have a valid value: use one of last_seen | first_seen | frequency | users | matters',
        ],
        ['level=bad', 'level does not have a valid value: use one of fatal | error | warning | info | debug'],
        ['per_page=abc', 'per_page is invalid'],
        ['per_page=0', 'per_page must be at least 1'],
        ['per_page=-1', 'per_page must be at least 1'],
        ['per_page=1.5', 'per_page is invalid'],
        ['per_page=99999999999999999999', 'per_page is invalid'],
        ['search=a%00b', 'search is invalid'],
        ['search[]=a', 'search is invalid'],
        ['first_seen_after=yesterday', 'first_seen_after is invalid'],
        ['last_seen_before=2026-13-01T00:00:00Z', 'last_seen_before is invalid'],
        [`search=${long}`, 'search is too long (maximum is 500 characters)'],
        [`cursor=${'x'.repeat(1025)}`, 'cursor is too long (maximum is 1024 characters)'],
        ['sort=age&status=open', ''],
      ];
      for (const [query, error] of rows) {
        it(query.slice(0, 40), async () => {
          const answer = await get(`/errors?${query}`);
          assert.equal(answer.status, 400);
          if (error === '') assert.match(answer.json().error, /^status does not .*, sort does not /);
          else assert.deepEqual(answer.json(), { error });
        });
      }

      it('cursors of another query, and texts that are no cursors', async () => {
        await seed({ at: world.now - HOUR, group: 'a' }, { at: world.now - HOUR, group: 'b' });
        for (const cursor of ['x', 'e30', '%FF%FE', 'bnVsbA', '../../etc', "'%3B--"]) {
          const answer = await get(`/errors?cursor=${cursor}`);
          assert.equal(answer.status, 400, cursor);
          assert.equal(typeof answer.json().message, 'string');
        }
        const link = (await get('/errors?per_page=1')).headers.get('Link') ?? '';
        const cursor = /cursor=([^&>]+)/.exec(link)?.[1] ?? '';
        assert.equal((await get(`/errors?per_page=1&cursor=${cursor}`)).status, 200);
        assert.equal((await get(`/errors?per_page=1&sort=users&cursor=${cursor}`)).status, 400);
      });
    });
  });

  describe('one error', () => {
    it('adds days, tags, environments and releases', async () => {
      await seed({ at: world.now - HOUR }, { at: world.now - 2 * HOUR, event: { release: 'app@0.9' } });
      const error = await firstError();
      const { frequency_30d: days, tags, environments, releases, ...rest } = (await get(`/errors/${error.id}`)).json();
      assert.deepEqual(rest, { ...error, merged: [], merged_into: null, imported: null });
      assert.equal(days.length, 30);
      assert.deepEqual(environments, ['production']);
      assert.deepEqual([...releases].sort(), ['app@0.9', 'app@1.0']);
      assert.deepEqual(
        tags.find(({ key }: { key: string }) => key === 'environment'),
        { key: 'environment', total: 2, values: [{ value: 'production', count: 2 }], other: 0 },
      );
    });

    it('is resolved, ignored and reopened', async () => {
      await seed({ at: world.now - HOUR });
      const { id } = await firstError();
      for (const status of ['resolved', 'ignored', 'unresolved']) {
        const answer = await world.app.ask('PUT', `${world.base}/errors/${id}`, {
          token: world.member.token,
          body: { status },
        });
        assert.equal(answer.status, 200);
        assert.equal(answer.json().status, status);
        assert.deepEqual((await get(`/errors/${id}`)).json(), answer.json());
      }
    });

    it('answers 400 for an unknown status', async () => {
      await seed({ at: world.now - HOUR });
      const { id } = await firstError();
      const put = (body: object) =>
        world.app.ask('PUT', `${world.base}/errors/${id}`, { token: world.member.token, body });
      assert.deepEqual((await put({})).json(), { error: 'status is missing, status is empty' });
      assert.deepEqual((await put({ status: '' })).json(), { error: 'status is empty' });
      assert.deepEqual((await put({ status: 'gone' })).json(), {
        error: 'status does not have a valid value: use one of unresolved | resolved | ignored',
      });
      assert.deepEqual((await put({ status: ['resolved'] })).json(), { error: 'status is invalid' });
    });

    it('says so when the backend refuses the change', async () => {
      await seed({ at: world.now - HOUR });
      const { id } = await firstError();
      const plain = world.app.deps.backendFor;
      world.app.deps.backendFor = (...args) => ({ ...plain(...args), setStatus: async () => false });
      const answer = await world.app.ask('PUT', `${world.base}/errors/${id}`, {
        token: world.member.token,
        body: { status: 'resolved' },
      });
      world.app.deps.backendFor = plain;
      assert.equal(answer.status, 409);
      assert.equal(typeof answer.json().message, 'string');
    });

    it('answers 404 for an unknown id of any form', async () => {
      await seed({ at: world.now - HOUR });
      const { id } = await firstError();
      const other = await givenTrackedProject(world.app.store);
      await givenEvents(world.app.store, other, [{ at: world.now - HOUR }]);
      const foreign = Number(id) + 1;
      const ids = [
        foreign,
        '0',
        '00',
        `0${id}`,
        '-1',
        'abc',
        '1.5',
        '1e3',
        '9'.repeat(16),
        '9'.repeat(19),
        '9'.repeat(400),
        '%00',
        '..',
        '%2E%2E%2F1',
        '%FF',
        '%E2%98%83',
        "1'%20OR%201=1",
        '__proto__',
      ];
      for (const unknown of ids.filter((entry) => entry !== '..')) {
        for (const rest of ['', '/stack_trace', '/events', '/events/latest', `/events/${'a'.repeat(32)}`]) {
          const answer = await get(`/errors/${unknown}${rest}`);
          assert.equal(answer.status, 404, `${unknown}${rest}`);
          assert.deepEqual(answer.json(), { message: '404 Not found' });
        }
        const put = await world.app.ask('PUT', `${world.base}/errors/${unknown}`, {
          token: world.member.token,
          body: { status: 'resolved' },
        });
        assert.equal(put.status, 404);
      }
    });
  });

  it('shows the stack trace of the latest event as plain text', async () => {
    const [, latest] = await seed({ at: world.now - 2 * HOUR }, { at: world.now - HOUR });
    const { id } = await firstError();
    const trace = (await get(`/errors/${id}/stack_trace`)).json();
    assert.deepEqual([trace.error_id, trace.event_id], [id, latest]);
    assert.equal(trace.stack_trace_entries.length, 2);
    assert.deepEqual(trace.stack_trace_entries[1].context, [
      [8, 'def show(request):'],
      [9, '    # why'],
      [10, '    raise ValueError("<b>")'],
      [11, ''],
      [12, 'def hide():'],
    ]);
    assert.equal(trace.stack_trace_entries[1].function, frame().function);
  });

  it('lists the capabilities of the backend', async () => {
    assert.deepEqual((await get('/capabilities')).json(), {
      sorts: ['last_seen', 'first_seen', 'frequency', 'users', 'matters'],
      filters: [
        ...['search', 'status', 'environment', 'release', 'level'],
        ...['first_seen_after', 'first_seen_before', 'last_seen_after', 'last_seen_before'],
        ...['range', 'for_review', 'conditions'],
      ],
      marks: ['new', 'regressed', 'escalating', 'unhandled', 'for_review'],
      conditions: [
        ...['is', 'level', 'environment', 'release', 'user', 'file', 'function', 'type', 'url.host', 'url.path'],
        ...['assigned', 'first-seen', 'last-seen', 'tag', 'has'],
      ],
      merge: true,
      releases: true,
      status_details: true,
      unstable_sorts: [],
    });
  });
});
