import assert from 'node:assert/strict';
import { type Answer } from '../../support/app.ts';
import { givenEvents, type SeededEvent } from '../../support/factories.ts';
import { restWorld } from '../../support/rest-world.ts';
import { describeOnStores } from '../../support/test-stores.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describeOnStores('words of a search over REST', (kind) => {
  const world = restWorld(kind, 'developer');

  const seed = (...seeds: SeededEvent[]) => givenEvents(world.app.store, world.project, seeds);
  const seedReleases = (...names: string[]) =>
    seed(
      ...names.map((title, index) => {
        const tags = [['browser', index % 2 === 0 ? 'Firefox' : 'FIREFOX']] as const;
        return { at: world.now - (index + 1) * HOUR, group: title, title, tags, event: { release: `${title}@2.33.0` } };
      }),
    );
  const nextOf = (answer: Answer): string | null => {
    const link = /<([^>]+)>; rel="next"/.exec(answer.headers.get('Link') ?? '')?.[1];
    if (link === undefined) return null;
    const { pathname, search } = new URL(link);
    return pathname + search;
  };
  const titlesIn = (answer: Answer): string[] => {
    assert.equal(answer.status, 200, answer.text);
    return (answer.json() as { title: string }[]).map(({ title }) => title);
  };
  const first = (query: Record<string, string>) => {
    const parameters = new URLSearchParams({ per_page: '1', ...query });
    return world.app.get(`${world.base}/errors?${parameters.toString()}`, world.member.token);
  };

  it('holds on the next pages, while time passes and releases come', async () => {
    await seedReleases('a', 'b', 'c');
    for (const [search, sort] of [
      ['last-seen:-24h', 'last_seen'],
      ['first-seen:-1d', 'first_seen'],
      ['age:-24h !is:resolved', 'frequency'],
      ['!last-seen:+7d', 'users'],
      ['release:2.33.0', 'last_seen'],
      ['release:2.* browser:firefox', 'last_seen'],
    ] as const) {
      const found: string[] = [];
      let answer = await first({ search, sort });
      for (let page = 1; ; page += 1) {
        found.push(...titlesIn(answer));
        const next = nextOf(answer);
        if (next === null) break;
        world.app.clock.at += MINUTE;
        // A package that is new with each page; its error is older than the pages.
        await seed({
          at: world.now - 90 * 24 * HOUR,
          group: 'z',
          title: 'z',
          event: { release: `p${world.app.clock.at}@2.33.0` },
        });
        answer = await world.app.get(next, world.member.token);
        assert.ok(page < 5, search);
      }
      assert.deepEqual(found.filter((title) => title !== 'z').sort(), ['a', 'b', 'c'], search);
    }
  });

  it('holds on the next page of the JSON of the pages', async () => {
    await seedReleases(...Array.from({ length: 21 }, (_, index) => `e${index}`));
    const path = `/${world.project.path}/-/error_tracking.json?search_term=last-seen:-24h`;
    const start = await world.app.get(path, world.member.token);
    world.app.clock.at += MINUTE;
    const { cursor } = start.json().pagination.next;
    const answer = await world.app.get(`${path}&cursor=${encodeURIComponent(cursor)}`, world.member.token);
    assert.deepEqual([answer.status, answer.json().errors?.length], [200, 1], answer.text);
  });

  it('does not take the cursor of another search or other parameters', async () => {
    await seedReleases('a', 'b');
    const cursor = new URL(nextOf(await first({ search: 'last-seen:-24h' })) ?? '', world.app.url).searchParams.get(
      'cursor',
    );
    assert.ok(cursor !== null);
    const after = { last_seen_after: new Date(world.now - 24 * HOUR).toISOString() };
    for (const query of [{ search: 'last-seen:-23h' }, { search: 'last-seen:-24h', ...after }, {}, after] as const) {
      assert.equal((await first({ ...query, cursor })).status, 400, JSON.stringify(query));
    }
    assert.equal((await first({ search: 'last-seen:-24h', cursor })).status, 200);
  });

  it('finds values in any case that only an error of long ago has', async () => {
    const newer = Array.from({ length: 101 }, (_, n) => ({ at: world.now - HOUR, group: `new ${n}`, title: 'new' }));
    const tags = [['os', 'iOS'], ['city', 'MÜNchen']] as const; // prettier-ignore
    await seed({ at: world.now - 30 * 24 * HOUR, group: 'old', title: 'old', tags }, ...newer);
    for (const search of ['tag:os=ios', 'tag:os=IO*', 'tag:city=münchen', 'tag:city=[Rome,müNCHEN]']) {
      assert.deepEqual(titlesIn(await first({ search })), ['old'], search);
    }
    const counts = await world.app.get(`${world.base}/errors/counts?search=!tag:os=IOS`, world.member.token);
    assert.equal(counts.json().unresolved, newer.length);
  });

  it('refuses has: of a field that no tag is called after', async () => {
    await seed({ at: world.now, group: 'a', title: 'a', event: { release: 'a@1', environment: 'live' } });
    const refused = await first({ search: 'has:user' });
    assert.deepEqual([refused.status, refused.json().code], [400, 'invalid_search']);
    assert.match(refused.json().message, /^has: .* user is a field: .* Write user:ada@example\.com, or tag:user /);
    assert.equal((await first({ search: '!has:[level,file]' })).json().code, 'invalid_search');
    for (const name of ['level', 'release', 'environment']) {
      assert.deepEqual(titlesIn(await first({ search: `has:${name}` })), ['a'], name);
    }
    await seed({ at: world.now, group: 'b', title: 'b', tags: [['user', 'ada']] });
    assert.deepEqual(titlesIn(await first({ search: 'has:user' })), ['b']);
    const values = await world.app.get(`${world.base}/search_values?key=has&prefix=u`, world.member.token);
    assert.deepEqual(values.json().values, ['user']);
  });
});
