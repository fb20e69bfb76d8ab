import assert from 'node:assert/strict';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import type { Project } from '../../src/domain/projects/project.ts';
import { ERROR_SORTS } from '../../src/domain/search/error-query.ts';
import { rankAll } from '../support/rank-all.ts';
import type { StoreHarness } from '../support/store-harness.ts';
import { EVERYTHING, HOUR, listAll, makeEvent, NOON, type TestJournal } from '../support/store-data.ts';
import { idsOf, mergeFixture } from './merge-fixture.ts';

export function mergeContract(harness: () => StoreHarness): void {
  describe('merging: what reads show', () => {
    let store: Store;
    let project: Project;
    let journal: TestJournal;
    let a: string;
    let b: string;
    let c: string;

    beforeEach(async () => {
      ({ store } = harness());
      ({ project, journal, a, b, c } = await mergeFixture(store));
    });

    const detail = async (id: string) => {
      const error = await store.errorById(project.id, id, NOON);
      assert.ok(error !== null, id);
      return error;
    };
    const listed = async (query: Parameters<typeof listAll>[2] = {}) =>
      (await listAll(store, project, query)).map(({ id }) => id);

    it('shows the sums of all members under the least number', async () => {
      assert.equal(await store.mergeErrors(project.id, [b, a]), a);
      const error = await detail(a);
      assert.deepEqual(
        [
          error.id,
          error.count,
          error.userCount,
          error.firstSeen,
          error.lastSeen,
          error.firstRelease,
          error.lastRelease,
        ],
        [a, 5, 3, NOON - 9 * HOUR, NOON - HOUR, 'r0', 'r3'],
      );
      assert.equal(error.message, 'bad value in bravo');
      assert.deepEqual(error.merged, [{ id: b, title: 'ValueError: bad value in bravo', count: 3 }]);
      assert.equal(error.mergedInto, null);
      assert.deepEqual(error.tags, [
        {
          key: 'environment',
          total: 5,
          values: [
            { value: 'prod', count: 3 },
            { value: 'dev', count: 2 },
          ],
          other: 0,
        },
      ]);
      assert.deepEqual([...(error.environments ?? [])].sort(), ['dev', 'prod']);
      const hours = error.frequency?.flatMap(([, count]) => count) ?? [];
      assert.equal(
        hours.reduce((sum, count) => sum + count, 0),
        5,
      );
      assert.equal(
        error.frequency30d?.reduce((sum, [, count]) => sum + count, 0),
        5,
      );
      const [row] = (await listAll(store, project)).filter(({ id }) => id === a);
      assert.ok(row !== undefined);
      for (const [member, value] of Object.entries(row)) {
        assert.deepEqual(error[member as keyof typeof row], value, member);
      }
      assert.equal(await store.rollUpMerged(), 0, 'there is nothing left to bring up to date');
    });

    it('leads from the old number to the new one, for reads and changes', async () => {
      await store.mergeErrors(project.id, [a, b]);
      const error = await detail(b);
      assert.deepEqual([error.id, error.mergedInto], [a, a]);
      assert.equal((await store.latestEvent(project.id, b))?.errorId, a);
      assert.deepEqual(
        await store.listEvents(project.id, b, 10, null),
        await store.listEvents(project.id, a, 10, null),
      );
      assert.equal(await store.setErrorStatus(project.id, b, 'resolved', NOON), true);
      assert.equal((await detail(a)).status, 'resolved');
      assert.deepEqual(await listed({ status: 'resolved' }), [a]);
    });

    it('lists the merged error once, in its place in every sort, and finds it by the texts of any member', async () => {
      await store.mergeErrors(project.id, [a, b]);
      assert.deepEqual(await listed({ sort: 'last_seen' }), [a, c]);
      assert.deepEqual(await listed({ sort: 'first_seen' }), [c, a]);
      assert.deepEqual(await listed({ sort: 'frequency' }), [a, c]);
      assert.deepEqual(await listed({ sort: 'users', status: 'unresolved' }), [a, c]);
      assert.deepEqual(await listed({ environment: 'dev' }), [a]);
      assert.deepEqual(await listed({ search: 'value alpha' }), [a]);
      assert.deepEqual(await listed({ search: 'IN BRAVO' }), [a]);
      assert.deepEqual(await listed({ search: 'in nowhere' }), []);
      assert.deepEqual(await listed({ level: 'warning' }), []);
      assert.deepEqual(await listed({ level: 'error' }), [a, c]);
    });

    it('pages through merged errors with the others, in both directions and every sort', async () => {
      const groups = Array.from({ length: 12 }, (_, index) => `p${index}`);
      await journal.apply(
        groups.flatMap((group, index) =>
          Array.from({ length: 1 + (index % 4) }, (_, each) =>
            makeEvent(project, `${group} ${each}`, { group, at: NOON - index * 60_000 - each, user: `u${each}` }),
          ),
        ),
      );
      const ids = await idsOf(store, project, ...groups);
      await store.mergeErrors(project.id, [ids[0]!, ids[5]!, ids[7]!]);
      await store.mergeErrors(project.id, [ids[2]!, ids[11]!]);
      await rankAll(store, NOON);
      for (const sort of ERROR_SORTS) {
        for (const status of ['all', 'unresolved'] as const) {
          const whole = await listed({ sort, status });
          assert.equal(new Set(whole).size, 12);
          const seen: string[] = [];
          let cursor: string | null = null;
          let last: string | null;
          do {
            const page = await store.listErrors(project.id, { ...EVERYTHING, sort, status, limit: 3, cursor }, NOON);
            seen.push(...page.items.map(({ id }) => id));
            cursor = page.next;
            last = page.previous;
          } while (cursor !== null);
          assert.deepEqual(seen, whole, sort);
          const back = await store.listErrors(
            project.id,
            { ...EVERYTHING, sort, status, limit: 3, cursor: last },
            NOON,
          );
          assert.deepEqual(
            back.items.map(({ id }) => id),
            whole.slice(-6, -3),
            `back, ${sort}`,
          );
        }
      }
    });

    it('has the events of all members, newest first, with neighbours across them', async () => {
      await store.mergeErrors(project.id, [a, b]);
      const times = [1, 2, 3, 5, 9].map((hours) => NOON - hours * HOUR);
      const whole = await store.listEvents(project.id, a, 10, null);
      assert.deepEqual(
        whole?.items.map(({ at }) => at),
        times,
      );
      assert.ok(whole.items.every(({ errorId }) => errorId === a));
      const first = await store.listEvents(project.id, a, 2, null);
      const second = await store.listEvents(project.id, b, 2, first?.next ?? null);
      const third = await store.listEvents(project.id, a, 2, second?.next ?? null);
      assert.deepEqual(
        [first, second, third].map((page) => page?.items.map(({ at }) => at)),
        [times.slice(0, 2), times.slice(2, 4), times.slice(4)],
      );
      assert.deepEqual((await store.listEvents(project.id, a, 2, third?.previous ?? null))?.items, second?.items);
      const ids = whole.items.map(({ eventId }) => eventId);
      const middle = await store.event(project.id, a, ids[1]!);
      assert.deepEqual([middle?.errorId, middle?.previousEventId, middle?.nextEventId], [a, ids[2], ids[0]]);
      assert.equal((await store.latestEvent(project.id, a))?.event.event_id, ids[0]);
      const [alien] = (await store.listEvents(project.id, c, 1, null))?.items ?? [];
      assert.equal(await store.event(project.id, a, alien?.eventId ?? ''), null);
    });

    it('counts new events under their member, and shows them with the next roll-up', async () => {
      await store.mergeErrors(project.id, [a, b]);
      await journal.apply([
        makeEvent(project, 'b4', { group: 'bravo', user: 'fay', at: NOON, release: 'r9' }),
        makeEvent(project, 'b5', { group: 'bravo', user: 'ada', at: NOON - 20 * HOUR }),
        makeEvent(project, 'a3', { group: 'alpha', at: NOON - 6 * HOUR }),
      ]);
      assert.equal(await store.rollUpMerged(), 1);
      assert.equal(await store.rollUpMerged(), 0);
      const error = await detail(a);
      assert.deepEqual(
        [error.count, error.userCount, error.firstSeen, error.lastSeen, error.lastRelease],
        [8, 4, NOON - 20 * HOUR, NOON, 'r9'],
      );
      assert.deepEqual(
        error.merged?.map(({ count }) => count),
        [5],
      );
    });
  });
}
