import assert from 'node:assert/strict';
import type { SearchCondition } from '../../src/domain/search/search-condition.ts';
import { ERROR_SORTS, MAX_TAB_COUNT, type ErrorQuery } from '../../src/domain/search/error-query.ts';
import { isAppErrorWith } from '../support/app-error-code.ts';
import { conditionWorld, raised, type Wanted } from '../support/condition-world.ts';
import { makeIssue, makeSource, putImported } from '../support/import-data.ts';
import { rankAll } from '../support/rank-all.ts';
import { DAY, EVERYTHING, HOUR, NOON } from '../support/store-data.ts';
import type { StoreHarness } from '../support/store-harness.ts';

/** Beginnings and lists in conditions of a search. */
export function matchesContract(harness: () => StoreHarness): void {
  const setUp = () => conditionWorld(harness().store);

  describe('conditions', () => {
    it('on beginnings of tags, releases and environments find what begins so, also of members', async () => {
      const { store, project, happen, finds, idOf } = await setUp();
      const seen = (group: string, ...tags: [string, string][]) => happen(group, NOON, { tags });
      await seen('a', ['browser', 'Firefox 140'], ['release', 'shop@2.33.1'], ['environment', 'live-eu']);
      await seen('a', ['browser', 'Firefox 141.0']);
      await seen('b', ['browser', 'Firefox Mobile 9'], ['release', 'shop@2.34.0'], ['environment', 'live']);
      await seen('c', ['browser', 'Firefox'], ['device', 'iPhone14,2'], ['release', 'web@2.33.0']);
      await seen('d', ['browser', 'firefox 140'], ['x.Firefox', 'é 1%_*'], ['environment', 'Live']);
      await happen('e', NOON + 5);
      await store.mergeErrors(project.id, [await idOf('c'), await idOf('e')]);
      const tag = (value: string, match: 'prefix' | 'name', expected: string, key = 'browser') =>
        finds({ field: 'tag', key, value, match }, expected, 'abde');
      await tag('Firefox', 'prefix', 'abde');
      await tag('Firefox ', 'prefix', 'abd');
      await tag('Firefox 14', 'prefix', 'ad');
      await tag('Firefox', 'name', 'ade');
      await tag('Firefox 140', 'name', 'ad');
      await tag('iPhone', 'name', 'e', 'device');
      await tag('é', 'prefix', 'd', 'x.Firefox');
      await tag('é 1%_*', 'prefix', 'd', 'x.Firefox');
      await tag('é 1%__', 'prefix', '', 'x.Firefox');
      await tag('é', 'prefix', '', 'x.Fire');
      await finds({ field: 'release', value: 'shop@2.3', match: 'prefix' }, 'ab', 'abde');
      await finds({ field: 'release', value: 'shop@2.33', match: 'prefix' }, 'a', 'abde');
      await finds({ field: 'release', value: '2', match: 'prefix' }, '', 'abde');
      await finds({ field: 'environment', value: 'live', match: 'prefix' }, 'abd', 'abde');
    });

    it('on values of tags, releases and environments find them in any case, however few errors have them', async () => {
      const { store, project, happen, finds, found, idOf } = await setUp();
      const seen = (group: string, at: number, ...tags: [string, string][]) => happen(group, at, { tags });
      await seen('a', NOON, ['browser', 'Firefox 140'], ['release', 'shop@1-RC'], ['environment', 'Live']);
      await seen('b', NOON - 1, ['browser', 'fireFox'], ['release', 'Shop@1-rc'], ['environment', 'live']);
      await seen('c', NOON - 2, ['browser', 'Firefox'], ['city', 'İzmir ÄÖ'], ['environment', 'LIVE']);
      await seen('d', NOON - 3, ['browser', 'Chrome'], ['city', 'KÖLN'], ['environment', 'Übung']);
      await seen('e', NOON - 4, ['os', 'iOS'], ['city', 'Köln 2'], ['environment', 'übUNG-2']);
      await store.mergeErrors(project.id, [await idOf('a'), await idOf('d')]);
      const tag = (key: string, value: string, expected: string, match?: 'prefix' | 'name') =>
        finds({ field: 'tag', key, value, ...(match === undefined ? {} : { match }) }, expected, 'abce');
      await tag('browser', 'firefox', 'bc');
      await tag('browser', 'FIREFOX', 'abc', 'name');
      await tag('browser', 'FIRE', 'abc', 'prefix');
      await tag('os', 'ios', 'e');
      await tag('os', 'IOS', 'e');
      await tag('os', 'i_s', '');
      await tag('OS', 'ios', '');
      await tag('city', 'köln', 'a');
      await tag('city', 'kÖLN', 'ae', 'name');
      await tag('city', 'Kö', 'ae', 'prefix');
      await tag('city', 'i̇ZMIR äö', 'c');
      await tag('city', 'kaln', '');
      const both = [{ field: 'tag', key: 'city', value: 'köln' }, { field: 'tag', key: 'city', value: 'Nice' }] as const; // prettier-ignore
      await finds({ field: 'any', of: [...both, { field: 'tag', key: 'city', value: 'KÖLN 2' }] }, 'ae', 'abce');
      await finds({ field: 'release', value: 'shop@1-rc' }, 'ab', 'abce');
      await finds({ field: 'release', value: 'SHOP', match: 'prefix' }, 'ab', 'abce');
      await finds({ field: 'environment', value: 'live' }, 'abc', 'abce');
      await finds({ field: 'environment', value: 'liv' }, '', 'abce');
      await finds({ field: 'environment', value: 'übung' }, 'a', 'abce');
      await finds({ field: 'environment', value: 'ÜB', match: 'prefix' }, 'ae', 'abce');
      // The filters of a list are compared as written.
      assert.equal(await found([], { environment: 'live' }), 'b');
      assert.equal(await found([], { environment: 'Live' }), 'a');
      assert.equal(await found([], { release: 'shop@1-rc' }), '');
      assert.equal(await found([], { release: 'Shop@1-rc' }), 'b');
    });

    it('of a search that was read hold on every page, whatever it leads to by then', async () => {
      const { store, project, happen } = await setUp();
      for (const [index, group] of ['a', 'b', 'c'].entries()) {
        await happen(group, NOON - index * HOUR, { tags: [['browser', 'Firefox'], ['release', `${group}@1`]] }); // prettier-ignore
      }
      const asked = { ...EVERYTHING, search: 'browser:firefox release:1 last-seen:-24h' };
      const page = (
        cursor: string | null,
        packages: readonly string[],
        later: number,
        patch: Partial<ErrorQuery> = {},
      ) =>
        store.listErrors(
          project.id,
          {
            ...{ ...EVERYTHING, limit: 1, cursor, lastSeenAfter: NOON - DAY + later, asked },
            conditions: [
              { not: false, field: 'tag', key: 'browser', value: 'firefox' },
              { not: false, field: 'any', of: packages.map((name) => ({ field: 'release', value: `${name}@1` })) },
            ],
            ...patch,
          },
          NOON + later,
        );
      for (const sort of ERROR_SORTS.filter((each) => each !== 'matters')) {
        const first = await page(null, ['a', 'b', 'c'], 0, { sort });
        assert.ok(first.next !== null, sort);
        const second = await page(first.next, ['a', 'b', 'c', 'd'], 1000, { sort });
        assert.ok(second.next !== null, sort);
        const third = await page(second.next, ['a', 'b', 'c', 'd', 'e'], 2000, { sort });
        const titles = [first, second, third].flatMap(({ items }) => items.map(({ message }) => message?.at(-1)));
        assert.equal(titles.sort().join(''), 'abc', sort);
        // What was asked beside the search counts.
        for (const other of [{ search: 'x' }, { level: 'error' }, { lastSeenAfter: 5 }, { range: '24h' }] as const) {
          const refused = page(first.next, ['a', 'b', 'c'], 0, { sort, asked: { ...asked, ...other } });
          await assert.rejects(refused, isAppErrorWith('bad_request'), JSON.stringify(other));
        }
      }
    });

    it('that many errors have and few lack are told apart in each order, with members of merged errors', async () => {
      const { store, project, happenInAll, found, idOf } = await setUp();
      // More than one look-up of an index reads.
      const many = Array.from({ length: 560 }, (_, index) => `m${index}`);
      const exceptions = [raised(null, { filename: 'shop/cart.py', function: 'add', in_app: true })];
      const spec = { tags: [['team', 'shop']], exceptions, user: 'id:7' } as const;
      await happenInAll(many, NOON - 2 * HOUR, spec);
      await happenInAll(['m0'], NOON - HOUR, spec);
      // As of each event that is taken.
      await happenInAll(['a', 'b', 'c'], NOON - HOUR, { tags: [['level', 'error']] });
      await putImported(store, project.id, makeIssue(await makeSource(store, project), 'x'), NOON);
      await store.mergeErrors(project.id, [await idOf('c'), await idOf('m0')]);
      await store.setErrorStatuses(project.id, [await idOf('b')], 'resolved', NOON);
      await rankAll(store, NOON);
      const conditions = [
        { field: 'tag', key: 'team', value: 'shop' },
        { field: 'tag', key: 'team', value: null },
        { field: 'tag', key: 'team', value: 'sh', match: 'prefix' },
        { field: 'file', value: 'cart.py' },
        { field: 'function', value: 'add' },
        { field: 'user', value: '7' },
      ] as const satisfies readonly Wanted[];
      const { sort: _sort, limit: _limit, cursor: _cursor, ...selection } = EVERYTHING;
      for (const wanted of conditions) {
        const [having, lacking] = [false, true].map((not) => [{ not, ...wanted }] as SearchCondition[]);
        assert.ok(having !== undefined && lacking !== undefined);
        const about = JSON.stringify(wanted);
        assert.equal(await found(lacking), 'abx', about);
        assert.equal(await found(lacking, { status: 'unresolved' }), 'ax', about);
        assert.equal(await found(lacking, { sort: 'first_seen', search: 'bad value' }), 'ab', about);
        const counts = await store.countTabs(project.id, { ...selection, conditions: lacking }, NOON);
        assert.deepEqual(counts, { unresolved: 2, forReview: 1, resolved: 1, ignored: 0 }, about);
        const shown = await store.countTabs(project.id, { ...selection, conditions: having }, NOON);
        assert.equal(shown.unresolved, many.length, about);
        const matching = await store.matchingErrors(project.id, { ...selection, conditions: having }, 0, 1000, NOON);
        assert.equal(matching.length, many.length, about);
      }
      const team: SearchCondition[] = [{ not: false, ...conditions[0] }];
      for (const sort of ERROR_SORTS) {
        const query = { ...EVERYTHING, sort, conditions: team, limit: 100 };
        const ids = new Set<string>();
        let pages = 0;
        for (let cursor: string | null = null; pages === 0 || cursor !== null; pages += 1) {
          const page = await store.listErrors(project.id, { ...query, cursor }, NOON);
          for (const { id } of page.items) ids.add(id);
          cursor = page.next;
        }
        assert.deepEqual([ids.size, pages], [many.length, 6], sort);
      }
    });

    it('that only some of very many errors have are counted in each tab', async function () {
      if (!harness().largeSizes) this.skip();
      const { store, project, happenInAll } = await setUp();
      const { sort: _sort, limit: _limit, cursor: _cursor, ...selection } = EVERYTHING;
      const groups = (name: string, length: number) => Array.from({ length }, (_, index) => `${name}${index}`);
      const common = ['level', 'error'] as const;
      await happenInAll(groups('having', 560), NOON - HOUR, { tags: [common, ['team', 'shop']] });
      const lacking = groups('lacking', MAX_TAB_COUNT - 500);
      while (lacking.length > 0) await happenInAll(lacking.splice(0, 1_000), NOON, { tags: [common] });
      const unresolved = async (key: string) => {
        const conditions = [{ not: false, field: 'tag', key, value: null }] as const;
        return (await store.countTabs(project.id, { ...selection, conditions }, NOON)).unresolved;
      };
      assert.equal(await unresolved('team'), 560);
      assert.equal(await unresolved('level'), MAX_TAB_COUNT);
    });

    it('on beginnings of types, files and functions find them from a separator on, in any case', async () => {
      const { store, project, happen, finds, idOf } = await setUp();
      const own = (filename: string, name: string) => ({ filename, function: name, in_app: true });
      const of = (group: string, type: string, filename: string, name: string) =>
        happen(group, NOON, { exceptions: [raised(null, own(filename, name))], more: { type } });
      await of('a', 'com.shop.PayError', 'shop/payments/stripe.py', 'Store.charge');
      await of('b', 'App\\Pay\\Error', 'C:\\app\\Payments.cs', 'App::Pay::chargeAll');
      await of('c', '*pay.error', '/srv/xpayments/a%b.go', 'main.(*Store).run');
      await of('d', 'std::PayError', 'stripe.py', 'restore');
      await happen('e', NOON + 5);
      await store.mergeErrors(project.id, [await idOf('d'), await idOf('e')]);
      const begins = (field: 'type' | 'file' | 'function', value: string, expected: string) =>
        finds({ field, value, match: 'prefix' }, expected, 'abce');
      await begins('type', 'pay', 'abce');
      await begins('type', 'payE', 'ae');
      await begins('type', 'value', 'e');
      await begins('type', 'pay.', 'bc');
      await begins('type', 'app\\PAY\\', 'b');
      await begins('type', 'com.shop', 'a');
      await begins('type', 'ay', '');
      await begins('file', 'pay', 'ab');
      await begins('file', 'payments/', 'a');
      await begins('file', 'PAYMENTS/str', 'a');
      await begins('file', 'stripe', 'ae');
      await begins('file', 'a%', 'c');
      await begins('file', 'a_', '');
      await begins('function', 'Charge', 'ab');
      await begins('function', 'Pay::', 'b');
      await begins('function', 'store', 'a');
      await begins('function', 'res', 'e');
      await begins('function', 'tore', '');
      await finds({ field: 'type', value: 'pay.error' }, 'c', 'abce');
    });

    it('in a list hold when one of them does', async () => {
      const { store, project, happen, finds, found, idOf } = await setUp();
      const user = await store.createUser({
        ...{ username: `any${project.id}`, name: 'A', admin: false, email: null, passwordHash: 'x' },
      });
      await store.setMember(project.id, user.id, 30);
      await happen('a', NOON, { tags: [['shard', '1']], more: { level: 'fatal', type: 'IOError' } });
      await happen('b', NOON - 3 * DAY, { tags: [['shard', '2']], user: 'id:7', more: { level: 'info' } });
      await happen('c', NOON - 3 * DAY, {
        ...{ user: 'id:8', more: { level: 'debug' } },
        exceptions: [raised(null, { filename: 'one.py', function: 'one', in_app: true })],
      });
      await happen('d', NOON - 5 * DAY, {
        ...{ tags: [['release', 'shop@1'] as const, ['shard', '10'] as const], more: { level: 'error' } },
        exceptions: [raised(null, { filename: 'two.py', function: 'two', in_app: true })],
      });
      await happen('e', NOON - 5 * DAY + 1);
      await store.mergeErrors(project.id, [await idOf('d'), await idOf('e')]);
      await store.setErrorStatus(project.id, await idOf('b'), 'resolved', NOON);
      await store.setErrorStatus(project.id, await idOf('c'), 'ignored', NOON);
      await store.setAssignee(project.id, await idOf('c'), user.id, user.id, NOON);
      type Single = Extract<Wanted, { field: 'any' }>['of'][number];
      const any = (expected: string, ...of: Single[]) => finds({ field: 'any', of }, expected, 'abce');
      await any('ab', { field: 'level', value: 'fatal' }, { field: 'level', value: 'info' });
      await any('bc', { field: 'status', value: 'resolved' }, { field: 'status', value: 'ignored' });
      await any('abce', { field: 'assignee', value: null }, { field: 'assignee', value: user.id });
      await any('ab', { field: 'tag', key: 'shard', value: '1' }, { field: 'tag', key: 'shard', value: '2' });
      await any(
        'be',
        { field: 'tag', key: 'shard', value: '2' },
        { field: 'tag', key: 'shard', value: '3' },
        { field: 'tag', key: 'shard', value: '10', match: 'prefix' },
      );
      await any('ae', { field: 'tag', key: 'release', value: null }, { field: 'tag', key: 'shard', value: '1' });
      await any('e', { field: 'release', value: 'shop@0' }, { field: 'release', value: 'shop@1' });
      await any('e', { field: 'release', value: 'x' }, { field: 'release', value: 'shop', match: 'prefix' });
      await any('bc', { field: 'user', value: '7' }, { field: 'user', value: '8' });
      await any('ce', { field: 'file', value: 'one.py' }, { field: 'file', value: 'tw', match: 'prefix' });
      await any('ce', { field: 'function', value: 'one' }, { field: 'function', value: 'two' });
      await any('a', { field: 'type', value: 'ioerror' }, { field: 'type', value: 'Other', match: 'prefix' });
      await any('a', { field: 'mark', value: 'new' }, { field: 'mark', value: 'regressed' });
      await any(
        'ae',
        { field: 'first_seen', after: NOON - 1, before: null },
        { field: 'first_seen', after: null, before: NOON - 4 * DAY },
      );
      const statuses: SearchCondition[] = [
        {
          not: false,
          field: 'any',
          of: [
            { field: 'status', value: 'resolved' },
            { field: 'status', value: 'ignored' },
          ],
        },
        { not: true, field: 'status', value: 'ignored' },
      ];
      assert.equal(await found(statuses), 'b');
    });
  });
}
