import assert from 'node:assert/strict';
import type { ErrorBackend } from '../../../src/domain/ports/error-backend.ts';
import { givenEvents } from '../../support/factories.ts';
import { EVERYTHING } from '../../support/store-data.ts';
import { restWorld } from '../../support/rest-world.ts';
import { describeOnStores } from '../../support/test-stores.ts';

const HOUR = 3600_000;
const HEAD =
  'id,short_id,title,type,culprit,level,status,events_all_time,users_all_time,first_seen,last_seen,first_release,last_release,assignee,url,external_id,status_details,range_count,marks';

describeOnStores('errors as CSV over REST', (kind) => {
  const world = restWorld(kind, 'reporter');

  const get = (query = '') => world.app.get(`${world.base}/export.csv${query}`, world.member.token);
  const lines = (text: string) => text.split('\r\n').slice(0, -1);

  it('has a record per error, in the order of the first occurrence', async () => {
    await givenEvents(world.app.store, world.project, [
      { at: world.now - 2 * HOUR, userHash: 'a'.repeat(24) },
      { at: world.now - HOUR, userHash: 'b'.repeat(24) },
      { at: world.now - 3 * HOUR, group: 'other', title: '=HYPERLINK("https://x.example","a")' },
    ]);
    const answer = await get();
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('Content-Type'), 'text/csv; charset=utf-8');
    const name = `${world.project.path.replaceAll('/', '-')}-errors.csv`;
    assert.equal(answer.headers.get('Content-Disposition'), `attachment; filename="${name}"`);
    const [head, first, second, ...rest] = lines(answer.text);
    assert.deepEqual([head, rest], [HEAD, []]);
    const url = (record: string | undefined) =>
      `https://errors.example.test/${world.project.path}/-/error_tracking/${record?.split(',')[0] ?? ''}/details`;
    const iso = (at: number) => new Date(at).toISOString();
    assert.equal(
      first?.replace(/^\d+/, 'ID'),
      `ID,,ValueError: it broke,ValueError,app.views in show,error,unresolved,2,2,${iso(world.now - 2 * HOUR)},${iso(world.now - HOUR)},app@1.0,app@1.0,,${url(first)},,,,new for_review`,
    );
    assert.match(second ?? '', /^\d+,,"'=HYPERLINK\(""https:\/\/x\.example"",""a""\)",/);
  });

  it('has what the list shows: status details, events of the range, and marks', async () => {
    await givenEvents(world.app.store, world.project, [
      { at: world.now - 2 * HOUR },
      { at: world.now - 3 * 24 * HOUR, group: 'other', title: 'waits' },
      { at: world.now - HOUR, group: 'other', title: 'waits' },
    ]);
    const { items } = await world.app.store.listErrors(world.project.id, { ...EVERYTHING, search: 'waits' }, world.now);
    const details = { ignoreCount: 5 };
    await world.app.store.setErrorStatus(world.project.id, items[0]?.id ?? '', 'ignored', world.now, { details });
    await world.app.store.rankErrors(world.now);
    const [, ...records] = lines((await get('?status=all&range=24h&sort=frequency')).text);
    const ends = records.map((record) => record.slice(record.indexOf('/details,') + 9)).sort();
    assert.deepEqual(ends, [',"{""ignoreCount"":5}",1,', ',,1,new for_review']);
  });

  it('has all pages of the list, with its filters', async () => {
    await givenEvents(
      world.app.store,
      world.project,
      Array.from({ length: 230 }, (_, index) => ({
        at: world.now - index * 1000,
        group: `g${index}`,
        title: `t${index} ${index % 2 === 0 ? 'even' : 'odd'}`,
      })),
    );
    const titles = (text: string) => lines(text).slice(1).map((record) => record.split(',')[2]?.split(' ')[0]); // prettier-ignore
    const all = Array.from({ length: 230 }, (_, index) => `t${index}`);
    assert.deepEqual(titles((await get()).text), all);
    assert.deepEqual(titles((await get('?sort=last_seen')).text), all);
    assert.equal(titles((await get('?search=even')).text).length, 115);
    assert.deepEqual(titles((await get('?search=t229&level=error')).text), ['t229']);
    const since = encodeURIComponent(new Date(world.now - 9000).toISOString());
    assert.equal(titles((await get(`?first_seen_after=${since}`)).text).length, 10);
    assert.equal((await get('?status=resolved')).text, `${HEAD}\r\n`);
    assert.ok((await get('?bom=true')).text.startsWith(HEAD), 'fetch removes the mark');
    const bytes = await fetch(`${world.app.url}${world.base}/export.csv?bom=true`, {
      headers: { authorization: `Bearer ${world.member.token}` },
    });
    assert.deepEqual(new Uint8Array(await bytes.arrayBuffer()).subarray(0, 3), new Uint8Array([0xef, 0xbb, 0xbf]));
  });

  it('refuses wrong parameters and types as JSON', async () => {
    for (const query of ['?status=open', '?sort=random', '?bom=perhaps']) {
      const answer = await get(query);
      assert.deepEqual([answer.status, typeof answer.json().error], [400, 'string'], query);
    }
    const ask = (accept: string) =>
      world.app.ask('GET', `${world.base}/export.csv`, { token: world.member.token, headers: { accept } });
    assert.equal((await ask('application/json')).status, 406);
    assert.equal((await ask('text/csv')).status, 200);
    assert.equal((await world.app.get(`${world.base}/export.csv`)).status, 401);
    const head = await world.app.ask('HEAD', `${world.base}/export.csv`, { token: world.member.token });
    assert.deepEqual([head.status, head.text], [200, '']);
  });

  it('ends the connection when a later page fails, so that the file does not look complete', async () => {
    await givenEvents(
      world.app.store,
      world.project,
      Array.from({ length: 101 }, (_, index) => ({ at: world.now - index, group: `g${index}` })),
    );
    const { backendFor } = world.app.deps;
    world.app.deps.backendFor = (...args) => {
      const real = backendFor(...args);
      const list: ErrorBackend['list'] = async (of, query, signal) => {
        if (query.cursor !== null) throw new Error('the store went away');
        return real.list(of, query, signal);
      };
      return Object.assign(Object.create(real) as ErrorBackend, { list, capabilities: real.capabilities.bind(real) });
    };
    try {
      await assert.rejects(get());
    } finally {
      world.app.deps.backendFor = backendFor;
    }
    assert.equal((await get()).status, 200);
  });
});
