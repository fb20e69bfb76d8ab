import assert from 'node:assert/strict';
import type { SearchCondition } from '../../src/domain/search/search-condition.ts';
import { ERROR_SORTS } from '../../src/domain/search/error-query.ts';
import { conditionWorld, raised } from '../support/condition-world.ts';
import { rankAll } from '../support/rank-all.ts';
import { DAY, EVERYTHING, HOUR, NOON } from '../support/store-data.ts';
import type { StoreHarness } from '../support/store-harness.ts';

/** Conditions of a search by `key:value`. */
export function conditionsContract(harness: () => StoreHarness): void {
  const setUp = () => conditionWorld(harness().store);

  describe('conditions', () => {
    it('on status, level, type, assignee and times choose errors that have them, or have them not', async () => {
      const { store, project, happen, finds, idOf } = await setUp();
      const user = await store.createUser({
        ...{ username: `cond${project.id}`, name: 'C', admin: false, email: null, passwordHash: 'x' },
      });
      await store.setMember(project.id, user.id, 30);
      await happen('a', NOON, { more: { level: 'fatal', type: 'IOError' } });
      await happen('b', NOON - 2 * HOUR, { more: { type: null } });
      await happen('c', NOON - 3 * HOUR);
      await happen('d', NOON - 4 * HOUR);
      await store.setErrorStatus(project.id, await idOf('b'), 'resolved', NOON);
      await store.setAssignee(project.id, await idOf('c'), user.id, user.id, NOON);
      await store.mergeErrors(project.id, [await idOf('c'), await idOf('d')]);
      await finds({ field: 'status', value: 'resolved' }, 'b', 'abc');
      await finds({ field: 'status', value: 'unresolved' }, 'ac', 'abc');
      await finds({ field: 'level', value: 'fatal' }, 'a', 'abc');
      await finds({ field: 'type', value: 'ioERROR' }, 'a', 'abc');
      await finds({ field: 'type', value: 'IOErr' }, '', 'abc');
      await finds({ field: 'assignee', value: user.id }, 'c', 'abc');
      await finds({ field: 'assignee', value: null }, 'ab', 'abc');
      await finds({ field: 'first_seen', after: NOON - 4 * HOUR, before: NOON - 2 * HOUR }, 'bc', 'abc');
      await finds({ field: 'first_seen', after: NOON - 4 * HOUR + 1, before: null }, 'ab', 'abc');
      await finds({ field: 'last_seen', after: null, before: NOON - 3 * HOUR }, 'c', 'abc');
    });

    it('on addresses find hosts with the domains they are in, and paths with their last parts', async () => {
      const { store, project, happen, finds, found, idOf } = await setUp();
      const at = (url: string, host?: string) => ({
        tags: [['url', url], ...(host === undefined ? [] : [['url.host', host] as const])] as const,
      });
      await happen('a', NOON, at('https://shop.Site-B.example:8443/Shop/Checkout/Pay', 'shop.site-b.example'));
      // As versions without the tag `url.host` stored it.
      await happen('b', NOON - 1, at('http://site-b.example'));
      await happen('c', NOON - 2, at('/shop/checkout/pay'));
      await happen('d', NOON - 4);
      await happen('d', NOON - 3, at('https://site-c.example/%7euser_x/a.b', 'site-c.example'));
      await happen('e', NOON - 5, at('https://notsite-b.example/shopping', 'notsite-b.example'));
      await happen('f', NOON - 6, { tags: [['page', 'https://site-b.example/shop/checkout/pay']] });
      const host = (value: string, expected: string, match?: 'prefix') =>
        finds({ field: 'url.host', value, ...(match === undefined ? {} : { match }) }, expected, 'abcdef');
      const path = (value: string, expected: string, match?: 'prefix') =>
        finds({ field: 'url.path', value, ...(match === undefined ? {} : { match }) }, expected, 'abcdef');
      await host('site-b.example', 'ab');
      await host('SHOP.site-b.example', 'a');
      await host('site-b.example:8443', 'ab');
      await host('https://site-c.example/other', 'd');
      await host('example', 'abde');
      await host('site', '');
      await host('site', 'abd', 'prefix');
      await host('shop.', 'a', 'prefix');
      await host('-b.example', '');
      await path('/shop/checkout/pay', 'ac');
      await path('/SHOP/checkout/pay?x=1', 'ac');
      await path('/checkout/pay', '');
      await path('checkout/pay', 'ac');
      await path('pay', 'ac');
      await path('checkout', 'ac');
      await path('Shop/checkout', 'ac');
      await path('check', '');
      await path('/checkout', '');
      await path('/shop', 'ace', 'prefix');
      await path('/shop/', 'ac', 'prefix');
      await path('check', 'ac', 'prefix');
      await path('/', 'b');
      await path('/%7euser_x/a.b', 'd');
      await path('/%7euser%x/a.b', '');
      assert.equal(await found([], { search: 'shop.site-b.EXAMPLE' }), 'a');
      assert.equal(await found([], { search: 'site-c.example' }), 'd');
      await store.mergeErrors(project.id, [await idOf('c'), await idOf('d')]);
      await finds({ field: 'url.host', value: 'site-c.example' }, 'c', 'abcef');
      await finds({ field: 'url.path', value: 'pay' }, 'ac', 'abcef');
      assert.equal(await found([], { search: 'site-c.example' }), 'c');
    });

    it('on types match them whole or from a separator on, as text', async () => {
      const { store, project, happen, finds, idOf } = await setUp();
      const types = ['com.fasterxml.Un$ecognized', 'std::Un$ecognized', 'App\\Un$ecognized', 'a/Un$ecognized'];
      for (const [index, type] of [...types, 'Un$ecognized', 'xUn$ecognized', 'y:Un$ecognized'].entries()) {
        await happen('abcdefg'[index] ?? '', NOON - index, { more: { type } });
      }
      await happen('h', NOON - 9, { more: { type: null } });
      await happen('i', NOON - 10, { more: { type: 'é.Ünit' } });
      await store.mergeErrors(project.id, [await idOf('a'), await idOf('h')]);
      const type = (value: string, expected: string) => finds({ field: 'type', value }, expected, 'abcdefgi');
      await type('UN$ecognized', 'abcde');
      await type('fasterxml.un$ecognized', 'a');
      await type('com.fasterxml.Un$ecognized', 'a');
      await type('Un.ecognized', '');
      await type('un$ecogni.*', '');
      await type('ecognized', '');
      await type('Ünit', 'i');
      await type('y:Un$ecognized', 'g');
    });

    it('on types find a merged error by the type of any member, also of one that joins it', async () => {
      const { store, project, happen, finds, found, idOf } = await setUp();
      for (const [index, group] of ['a', 'b', 'c', 'd'].entries()) {
        await happen(group, NOON - index, { more: { type: `app.${group.toUpperCase()}Error` } });
      }
      await store.mergeErrors(project.id, [await idOf('a'), await idOf('b')]);
      await store.mergeErrors(project.id, [await idOf('a'), await idOf('c')]);
      for (const value of ['AError', 'BError', 'app.cerror']) await finds({ field: 'type', value }, 'a', 'ad');
      await finds({ field: 'type', value: 'BErr', match: 'prefix' }, 'a', 'ad');
      await finds({ field: 'type', value: 'DError' }, 'd', 'ad');
      await finds({ field: 'type', value: 'EError' }, '', 'ad');
      const conditions: SearchCondition[] = [{ not: true, field: 'type', value: 'CError' }];
      assert.equal((await store.countTabs(project.id, { ...EVERYTHING, conditions }, NOON)).unresolved, 1);
      assert.equal(await found(conditions), 'd');
    });

    it('on marks follow them', async () => {
      const { store, project, happen, finds, idOf } = await setUp();
      await happen('a', NOON - HOUR, { exceptions: [raised(false)] });
      await happen('b', NOON - 3 * DAY, { exceptions: [raised(true)] });
      await store.setErrorStatus(project.id, await idOf('b'), 'resolved', NOON - 2 * DAY);
      await happen('b', NOON - HOUR);
      await happen('c', NOON - 9 * DAY, { exceptions: [raised(null)] });
      await store.addFacts([
        {
          ...{ id: `spike:${project.id}:c`, kind: 'escalated', cause: { users: 100 }, projectId: project.id },
          ...{ errorId: await idOf('c'), at: NOON - HOUR, type: null, title: 't', message: null, culprit: null },
          ...{ level: null, release: null, environment: null },
        },
      ]);
      await happen('d', NOON - 10 * DAY, { exceptions: [raised(null), raised(false)] });
      await happen('e', NOON - 10 * DAY + HOUR);
      await store.mergeErrors(project.id, [await idOf('d'), await idOf('e')]);
      await finds({ field: 'mark', value: 'new' }, 'a', 'abce');
      await finds({ field: 'mark', value: 'regressed' }, 'b', 'abce');
      await finds({ field: 'mark', value: 'escalating' }, 'c', 'abce');
      await finds({ field: 'mark', value: 'unhandled' }, 'ae', 'abce');
      await finds({ field: 'mark', value: 'for_review' }, 'abc', 'abce');
      await store.reviewErrors(project.id, [await idOf('b')], true, NOON);
      await finds({ field: 'mark', value: 'for_review' }, 'ac', 'abce');
    });

    it('on tags, releases and environments hold for any event, also of members', async () => {
      const { store, project, happen, finds, idOf } = await setUp();
      await happen('a', NOON, {
        tags: [
          ['environment', 'live'],
          ['shard', '1'],
        ],
      });
      await happen('a', NOON + 1, {
        tags: [
          ['environment', 'test'],
          ['release', 'shop@1'],
        ],
      });
      await happen('b', NOON, { tags: [['shard', '2']] });
      await happen('c', NOON, { tags: [['environment', 'live']] });
      await happen('d', NOON + 5);
      await store.mergeErrors(project.id, [await idOf('b'), await idOf('d')]);
      await finds({ field: 'environment', value: 'live' }, 'ac', 'acd');
      await finds({ field: 'release', value: 'shop@1' }, 'a', 'acd');
      await finds({ field: 'tag', key: 'shard', value: '2' }, 'd', 'acd');
      await finds({ field: 'tag', key: 'shard', value: null }, 'ad', 'acd');
      await finds({ field: 'tag', key: 'Shard', value: null }, '', 'acd');
    });

    it('on files find paths of the application by their last parts, in any case', async () => {
      const { store, project, happen, finds, idOf } = await setUp();
      const own = (filename: string, name: string) => ({ filename, function: name, in_app: true });
      await happen('a', NOON, {
        exceptions: [
          raised(
            null,
            { filename: 'lib/http.py', function: 'send', in_app: false },
            own('shop/Payments/stripe.py', 'charge'),
          ),
        ],
      });
      await happen('b', NOON, { exceptions: [raised(null, own('C:\\app\\shop\\stripe.py', 'Store.charge'))] });
      await happen('c', NOON, {
        exceptions: [
          raised(null, { filename: '/usr/lib/http.py', function: 'ns::Http::send(int, char*)', in_app: false }),
        ],
      });
      await happen('d', NOON, { exceptions: [raised(null, own('https://cdn.test/js/main.js?v=3', 'a.b.c.d.e.run'))] });
      await happen('e', NOON + 1);
      await store.mergeErrors(project.id, [await idOf('d'), await idOf('e')]);
      const file = (value: string, expected: string) => finds({ field: 'file', value }, expected, 'abce');
      await file('stripe.py', 'ab');
      await file('payments/stripe.py', 'a');
      await file('shop/payments/STRIPE.py', 'a');
      await file('shop/stripe.py', 'b');
      await file('SHOP\\stripe.py', 'b');
      await file('ripe.py', '');
      await file('http.py', 'c');
      await file('/usr/lib/http.py', 'c');
      await file('main.js', 'e');
      const fn = (value: string, expected: string) => finds({ field: 'function', value }, expected, 'abce');
      await fn('charge', 'ab');
      await fn('store.CHARGE', 'b');
      await fn('Store#charge', 'b');
      await fn('harge', '');
      await fn('send', 'ac');
      await fn('Http::send', 'c');
      await fn('run', 'e');
      await fn('d.e.run', 'e');
    });

    it('on files and functions are about the first event', async () => {
      const { happen, finds } = await setUp();
      await happen('a', NOON, { exceptions: [raised(false, { filename: 'one.py', function: 'one', in_app: true })] });
      await happen('a', NOON + 1, {
        exceptions: [raised(true, { filename: 'two.py', function: 'two', in_app: true })],
      });
      await finds({ field: 'file', value: 'one.py' }, 'a', 'a');
      await finds({ field: 'file', value: 'two.py' }, '', 'a');
      await finds({ field: 'function', value: 'two' }, '', 'a');
      await finds({ field: 'mark', value: 'unhandled' }, 'a', 'a');
    });

    it('on users find them by id and by every other name', async () => {
      const { store, project, happen, finds, idOf } = await setUp();
      await happen('a', NOON, { user: 'id:7', names: ['ada', 'Ada@Shop.test', '10.0.0.1'] });
      await happen('b', NOON, { user: 'email:bob@shop.test', names: ['10.0.0.1'] });
      await happen('c', NOON, { user: 'ip:10.0.0.9' });
      await happen('d', NOON, { user: 'username:Dan' });
      await happen('e', NOON + 1);
      await store.mergeErrors(project.id, [await idOf('d'), await idOf('e')]);
      const user = (value: string, expected: string) => finds({ field: 'user', value }, expected, 'abce');
      await user('7', 'a');
      await user('ada', 'a');
      await user('ada@shop.TEST', 'a');
      await user('bob@shop.test', 'b');
      await user('10.0.0.1', 'ab');
      await user('10.0.0.9', 'c');
      await user('Dan', 'e');
      await user('nobody', '');
    });

    it('hold together, with words, a status, a range and every order, from page to page', async () => {
      const { store, project, happen, found } = await setUp();
      const groups = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
      for (const [index, group] of groups.entries()) {
        const at = NOON - index * HOUR;
        await happen(group, at, { tags: [['half', index % 2 === 0 ? 'even' : 'odd']], more: { level: 'fatal' } });
      }
      await rankAll(store, NOON);
      const conditions: SearchCondition[] = [
        { not: false, field: 'tag', key: 'half', value: 'even' },
        { not: false, field: 'level', value: 'fatal' },
        { not: true, field: 'first_seen', after: null, before: NOON - 5 * HOUR },
      ];
      assert.equal(await found(conditions), 'ace');
      assert.equal(await found(conditions, { range: '1h' }), 'a');
      assert.equal(await found(conditions, { search: 'value in', status: 'unresolved' }), 'ace');
      assert.equal(await found(conditions, { status: 'resolved' }), '');
      assert.equal(await found([...conditions, { not: true, field: 'status', value: 'unresolved' }]), '');
      const { sort: _sort, limit: _limit, cursor: _cursor, ...selection } = EVERYTHING;
      assert.equal((await store.countTabs(project.id, { ...selection, conditions }, NOON)).unresolved, 3);
      assert.equal((await store.matchingErrors(project.id, { ...selection, conditions }, 0, 10, NOON)).length, 3);
      for (const sort of ERROR_SORTS) {
        const query = { ...EVERYTHING, sort, conditions, limit: 1 };
        const first = await store.listErrors(project.id, query, NOON);
        const second = await store.listErrors(project.id, { ...query, cursor: first.next }, NOON);
        const third = await store.listErrors(project.id, { ...query, cursor: second.next }, NOON);
        const pages = [first, second, third].map(({ items }) => items[0]?.message?.at(-1));
        assert.equal(pages.sort().join(''), 'ace', sort);
        assert.equal(third.next, null);
        const back = await store.listErrors(project.id, { ...query, cursor: second.previous }, NOON);
        assert.deepEqual(back.items[0]?.id, first.items[0]?.id);
        await assert.rejects(store.listErrors(project.id, { ...query, conditions: [], cursor: first.next }, NOON));
      }
    });
  });
}
