import assert from 'node:assert/strict';
import { ERROR_SORTS, type ErrorQuery } from '../../src/domain/search/error-query.ts';
import { BUCKET_HOURS, RANGE_HOURS, TIME_RANGES } from '../../src/domain/search/time-range.ts';
import { rankAll } from '../support/rank-all.ts';
import type { StoreHarness } from '../support/store-harness.ts';
import {
  DAY,
  errorOf,
  EVERYTHING,
  HOUR,
  listAll,
  makeEvent,
  makeProject,
  NOON,
  TestJournal,
} from '../support/store-data.ts';

/** Time ranges, and the order of what matters. */
export function ranksContract(harness: () => StoreHarness): void {
  async function setUp() {
    const { store } = harness();
    const project = await makeProject(store);
    const journal = new TestJournal(store);
    let serial = 0;
    const happen = (group: string, at: number, times = 1, more: Parameters<typeof makeEvent>[2] = {}) => {
      serial += 1;
      return journal.apply(
        Array.from({ length: times }, (_, n) => makeEvent(project, `${serial} ${n}`, { group, at, ...more })),
      );
    };
    /** Stores one event of each of some users, a millisecond apart, all in one batch. */
    const happenToAll = (group: string, at: number, users: number, more: Parameters<typeof makeEvent>[2]) => {
      serial += 1;
      const eventOf = (_: unknown, n: number) =>
        makeEvent(project, `${serial} ${n}`, { group, at: at - n, user: `u${n}`, ...more });
      return journal.apply(Array.from({ length: users }, eventOf));
    };
    const listed = async (query: Partial<ErrorQuery>, now = NOON) =>
      (await listAll(store, project, query, now)).map(({ message }) => message?.at(-1)).join('');
    const idOf = async (group: string) => (await errorOf(store, project, group)).id;
    return { store, project, happen, happenToAll, listed, idOf };
  }

  describe('time ranges', () => {
    it('count and chart what happened within them, and list what was last seen there', async () => {
      const { store, project, happen, listed } = await setUp();
      await happen('a', NOON, 2);
      await happen('a', NOON - HOUR, 3);
      await happen('a', NOON - 20 * HOUR, 5);
      await happen('a', NOON - 6 * DAY, 7);
      await happen('a', NOON - 13 * DAY, 11);
      await happen('a', NOON - 29 * DAY, 13);
      await happen('a', NOON - 31 * DAY, 17);
      await happen('b', NOON - 3 * DAY, 1);
      await happen('c', NOON - 40 * DAY, 1);
      const expected = { '1h': 5, '24h': 10, '7d': 17, '14d': 28, '30d': 41 };
      for (const range of TIME_RANGES) {
        const found = await listAll(store, project, { range });
        const [a] = found.filter(({ message }) => message?.at(-1) === 'a');
        assert.equal(a?.rangeCount, expected[range], range);
        assert.equal(a.count, 58);
        const points = a.frequency ?? [];
        assert.equal(points.length, { '1h': 25, '24h': 25, '7d': 29, '14d': 29, '30d': 31 }[range]);
        const end = (Math.floor(NOON / HOUR) + 1) * 3600;
        assert.equal((points.at(-1)?.[0] ?? 0) + BUCKET_HOURS[range] * 3600, end, 'the last one contains now');
        const charted = points.reduce((sum, [, count]) => sum + count, 0);
        assert.equal(charted, range === '1h' ? expected['24h'] : expected[range]);
        assert.equal(await listed({ range }), range === '1h' || range === '24h' ? 'a' : 'ab');
      }
      const [all] = await listAll(store, project);
      assert.deepEqual([all?.rangeCount, all?.frequency?.length], [null, 24]);
    });

    it('choose errors by the time itself, and count the hour in which they begin', async () => {
      const { store, project, happen, idOf } = await setUp();
      const now = NOON + 24 * 60_000;
      for (const range of TIME_RANGES) {
        const start = now - RANGE_HOURS[range] * HOUR;
        await happen(`${range} late`, start - 1);
        await happen(`${range} in`, start);
        await happen(`${range} x`, start);
        await happen(`${range} y`, start - 1);
        await store.mergeErrors(project.id, [await idOf(`${range} x`), await idOf(`${range} y`)]);
      }
      await rankAll(store, now);
      for (const [index, range] of TIME_RANGES.entries()) {
        // Three errors of each narrower range, and of this one a single and a merged one.
        const number = index * 3 + 2;
        for (const sort of ERROR_SORTS) {
          const found = await listAll(store, project, { range, sort }, now);
          assert.equal(found.length, number, `${range} ${sort}`);
          for (const { rangeCount, frequency } of found) {
            assert.ok((rangeCount ?? 0) > 0, `${range} ${sort}`);
            const charted = (frequency ?? []).reduce((sum, [, count]) => sum + count, 0);
            assert.ok(charted >= (rangeCount ?? 0), `${range} ${sort}`);
          }
        }
        const counts = await store.countTabs(project.id, { ...EVERYTHING, range }, now);
        assert.equal(counts.unresolved, number, range);
        const detail = await store.errorById(project.id, await idOf(`${range} x`), now, range);
        assert.equal(detail?.rangeCount, 2, range);
      }
    });

    it('keep errors that are merged, or separated again, before the job runs', async () => {
      const { store, project, happen, listed, idOf } = await setUp();
      for (const [group, times] of Object.entries({ a: 3, b: 2, c: 1 })) await happen(group, NOON, times);
      await rankAll(store, NOON);
      const ids = [await idOf('a'), await idOf('b')];
      const root = await store.mergeErrors(project.id, ids);
      assert.equal((await listed({ sort: 'matters' })).length, 2);
      assert.equal((await listed({ sort: 'frequency', range: '24h' })).length, 2);
      await store.unmergeErrors(project.id, root ?? '', null);
      assert.equal((await listed({ sort: 'matters' })).length, 3);
    });

    it('sort by what happened within them, also merged errors, as of the last run of the job', async () => {
      const { store, project, happen, listed, idOf } = await setUp();
      await happen('a', NOON - 5 * DAY, 50);
      await happen('a', NOON, 1);
      await happen('b', NOON, 2);
      await happen('c', NOON - 2 * DAY, 9);
      await happen('d', NOON, 1);
      await happen('e', NOON - 3 * DAY, 8);
      await store.mergeErrors(project.id, [await idOf('d'), await idOf('e')]);
      await rankAll(store, NOON);
      assert.equal(await listed({ sort: 'frequency', range: '24h' }), 'bda');
      assert.equal(await listed({ sort: 'frequency', range: '7d' }), 'adcb', 'ties: the greater number first');
      await happen('d', NOON + 1, 3);
      await store.rollUpMerged();
      await rankAll(store, NOON);
      assert.equal(await listed({ sort: 'frequency', range: '24h' }), 'dba');
      const pages = [];
      let cursor: string | null = null;
      do {
        const query = { sort: 'frequency', range: '7d', limit: 1, cursor } as const;
        const page: Awaited<ReturnType<typeof store.listErrors>> = await store.listErrors(
          project.id,
          { ...{ status: 'all', search: null, environment: null, release: null, level: null }, ...query },
          NOON,
        );
        pages.push(page.items[0]?.message?.at(-1));
        cursor = page.next;
      } while (cursor !== null);
      assert.equal(pages.join(''), 'adcb');
    });

    it('are brought up to date when hours leave them, once', async () => {
      const { store, happen, listed } = await setUp();
      await happen('a', NOON - 20 * HOUR, 9);
      await happen('a', NOON, 1);
      await happen('b', NOON - 10 * HOUR, 5);
      await happen('b', NOON - HOUR, 1);
      await rankAll(store, NOON);
      assert.equal(await listed({ sort: 'frequency', range: '24h' }), 'ab');
      const later = NOON + 5 * HOUR;
      await rankAll(store, later);
      assert.equal(await listed({ sort: 'frequency', range: '24h' }, later), 'ba');
      assert.equal(await store.rankErrors(later), 0, 'nothing is left to do');
    });
  });

  describe('the order of what matters', () => {
    it('puts what came back before what gets worse, what is new, and what many meet', async () => {
      const { store, project, happen, listed, idOf } = await setUp();
      const old = NOON - 20 * DAY;
      for (const group of ['a', 'b', 'c', 'd', 'f']) await happen(group, old);
      await store.setErrorStatus(project.id, await idOf('a'), 'resolved', NOON - 3 * DAY);
      await happen('a', NOON - HOUR);
      const { id } = await errorOf(store, project, 'b');
      await store.addFacts([
        {
          ...{ id: `spike:${project.id}:b`, kind: 'escalated', cause: { users: 100 }, projectId: project.id },
          ...{ errorId: id, at: NOON - HOUR, type: null, title: 't', message: null, culprit: null, level: null },
          ...{ release: null, environment: null },
        },
      ]);
      await happen('b', NOON - HOUR);
      for (const group of ['c', 'd', 'f']) await happen(group, NOON - HOUR);
      await happen('e', NOON - HOUR);
      for (let user = 0; user < 7; user += 1) await happen('f', NOON - HOUR, 1, { user: `u${user}` });
      await happen('c', NOON - HOUR + 1, 1, { level: 'fatal' });
      await rankAll(store, NOON);
      assert.equal(await listed({ sort: 'matters' }), 'abecfd');
      await store.setErrorStatus(project.id, await idOf('a'), 'ignored', NOON);
      await rankAll(store, NOON);
      assert.equal(await listed({ sort: 'matters' }), 'becfda');
    });

    it('puts new fatal errors and one that came back above an unchanged warning with many users', async () => {
      const { store, project, happen, happenToAll, listed, idOf } = await setUp();
      for (const at of [NOON - 9 * DAY, NOON - 11 * HOUR]) await happenToAll('w', at, 80, { level: 'warning' });
      await happen('r', NOON - 20 * DAY);
      await store.setErrorStatus(project.id, await idOf('r'), 'resolved', NOON - 3 * DAY);
      await happen('r', NOON - HOUR);
      await happen('f', NOON - 20 * HOUR, 1, { level: 'fatal', user: 'u1' });
      await happen('g', NOON - HOUR / 4, 1, { level: 'fatal', user: 'u2' });
      await happen('o', NOON - 20 * DAY);
      await happen('o', NOON - HOUR);
      await rankAll(store, NOON);
      assert.equal(await listed({ sort: 'matters' }), 'gfrwo');
    });

    it('falls with age, and when an error is no longer new', async () => {
      const { store, happen, listed } = await setUp();
      await happen('a', NOON - 20 * DAY);
      await happen('a', NOON - HOUR, 40);
      await happen('b', NOON - HOUR, 2);
      await happen('c', NOON - 12 * DAY);
      await rankAll(store, NOON);
      assert.equal(await listed({ sort: 'matters' }), 'bac');
      await rankAll(store, NOON + DAY);
      // No longer new, and without events in 24 hours: equal, the later born first.
      assert.equal(await listed({ sort: 'matters' }, NOON + DAY), 'bac');
      await happen('a', NOON + DAY);
      await rankAll(store, NOON + DAY);
      assert.equal(await listed({ sort: 'matters' }, NOON + DAY), 'abc');
    });
  });
}
