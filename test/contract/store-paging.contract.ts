import assert from 'node:assert/strict';
import { ERROR_SORTS, type ErrorQuery } from '../../src/domain/search/error-query.ts';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import type { Project } from '../../src/domain/projects/project.ts';
import type { StoreHarness } from '../support/store-harness.ts';
import { rankAll } from '../support/rank-all.ts';
import { idsOf } from './merge-fixture.ts';
import { EVERYTHING, makeEvent, makeProject, NOON, TestJournal } from '../support/store-data.ts';

const GROUPS = Array.from({ length: 23 }, (_, index) => `g${String(index).padStart(2, '0')}`);

export function pagingContract(harness: () => StoreHarness): void {
  describe('paging', () => {
    for (const sort of ERROR_SORTS) {
      for (const status of ['unresolved', 'all'] as const) {
        it(`walks ${status} errors by ${sort} to the end and back, through ties`, async () => {
          const { store } = harness();
          const project = await makeProject(store);
          await fill(store, project, (index) => Math.floor(index / 5));
          const query = { ...EVERYTHING, sort, status };
          const whole = (await store.listErrors(project.id, query, NOON)).items.map(({ id }) => id);
          assert.equal(whole.length, GROUPS.length);

          const forward = await walk(store, project, { ...query, limit: 7 }, 'next');
          assert.deepEqual(forward.ids, whole);
          assert.equal(forward.pages, 4);
          const back = await walk(store, project, { ...query, limit: 7, cursor: forward.lastCursor }, 'previous');
          assert.deepEqual(back.ids.sort(), [...whole].sort());
        });

        it(`neither repeats nor skips unchanged ${status} errors by ${sort} while others move`, async () => {
          const { store } = harness();
          const project = await makeProject(store);
          await fill(store, project, () => 0);
          const journal = new TestJournal(store, 'moving');
          let moved = 0;
          const move = async () => {
            // Three errors far down jump to the top in all orders but that of first occurrence.
            const groups = GROUPS.slice(moved, moved + 3);
            moved += 3;
            const at = NOON + 1000 + moved;
            await journal.apply(groups.map((group) => makeEvent(project, `move ${group}`, { group, at, user: group })));
          };
          const seen = await walk(store, project, { ...EVERYTHING, sort, status, limit: 5 }, 'next', move);
          assert.equal(new Set(seen.ids).size, seen.ids.length, 'no row twice');
          const resting = await idsOf(store, project, ...GROUPS.slice(moved));
          assert.ok(resting.length > 3);
          assert.deepEqual(
            resting.filter((id) => !seen.ids.includes(id)),
            [],
          );
        });
      }
    }

    it('keeps its place when all rows of the next page move away', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const journal = await fill(store, project, (index) => index);
      const query = { ...EVERYTHING, limit: 20 };
      const first = await store.listErrors(project.id, query, NOON);
      await journal.apply(
        GROUPS.slice(0, 3).map((group) => makeEvent(project, `up ${group}`, { group, at: NOON + 1000 })),
      );
      const empty = await store.listErrors(project.id, { ...query, cursor: first.next }, NOON);
      assert.deepEqual([empty.items, empty.next], [[], null]);
      const back = await store.listErrors(project.id, { ...query, cursor: empty.previous }, NOON);
      assert.deepEqual(
        back.items.map(({ id }) => id),
        first.items.map(({ id }) => id),
      );
    });

    it('answers a page again as it is by then, after any arrivals, moves and removals', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const journal = await fill(store, project, (index) => index % 7);
      const query = { ...EVERYTHING, status: 'unresolved', limit: 6 } as const;
      for (let round = 0; round < 6; round += 1) {
        for (const sort of ERROR_SORTS) {
          const whole = (await store.listErrors(project.id, { ...query, sort, limit: 100 }, NOON)).items;
          const first = await store.listErrors(project.id, { ...query, sort }, NOON);
          const second = await store.listErrors(project.id, { ...query, sort, cursor: first.next }, NOON);
          const back = await store.listErrors(project.id, { ...query, sort, cursor: second.previous }, NOON);
          assert.deepEqual(first.items, whole.slice(0, 6), `${sort}, round ${round}`);
          assert.deepEqual(second.items, whole.slice(6, 12), `${sort}, round ${round}`);
          assert.deepEqual(back.items, first.items, `${sort}, round ${round}`);
        }
        const [top, , next] = (await store.listErrors(project.id, query, NOON)).items;
        for (const error of [top, next]) await store.setErrorStatus(project.id, error?.id ?? '', 'ignored', NOON);
        const group = GROUPS[20 - round] ?? '';
        const at = NOON - 50 + round * 20;
        await journal.apply([
          makeEvent(project, `again ${round}`, { group, at, user: `again ${round}` }),
          makeEvent(project, `new ${round}`, { group: `new ${round}`, at: NOON + round }),
        ]);
      }
    });

    it('gives no cursors where everything fits on one page', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      await fill(store, project, () => 0);
      const page = await store.listErrors(project.id, { ...EVERYTHING, limit: GROUPS.length }, NOON);
      assert.deepEqual([page.items.length, page.previous, page.next], [GROUPS.length, null, null]);
    });

    it('refuses cursors of another query and texts that are no cursors', async () => {
      const { store } = harness();
      const [project, other] = [await makeProject(store), await makeProject(store)];
      await fill(store, project, () => 0);
      const query = { ...EVERYTHING, limit: 5 };
      const { next } = await store.listErrors(project.id, query, NOON);
      assert.ok(next !== null);
      const changes: Partial<ErrorQuery>[] = [
        { sort: 'users' },
        { status: 'unresolved' },
        { search: 'x' },
        { environment: 'x' },
        { release: 'x' },
        { level: 'error' },
      ];
      for (const change of changes) {
        const listing = store.listErrors(project.id, { ...query, ...change, cursor: next }, NOON);
        await assert.rejects(listing, { code: 'bad_request' }, JSON.stringify(change));
      }
      await assert.rejects(store.listErrors(other.id, { ...query, cursor: next }, NOON), { code: 'bad_request' });
      for (const cursor of ['', 'x', '%%%', 'bnVsbA', 'e30', 'W10', next.slice(0, -3), `${next}x${next}`]) {
        const listing = store.listErrors(project.id, { ...query, cursor }, NOON);
        await assert.rejects(listing, { code: 'bad_request' }, cursor);
      }
      assert.equal((await store.listErrors(project.id, { ...query, limit: 9, cursor: next }, NOON)).items.length, 9);
    });
  });
}

/** One error per group; `spread` decides which of them tie, in every order. */
async function fill(store: Store, project: Project, spread: (index: number) => number): Promise<TestJournal> {
  const journal = new TestJournal(store, 'filling');
  const events = GROUPS.flatMap((group, index) => {
    const step = spread(index);
    return Array.from({ length: step + 1 }, (_, n) =>
      makeEvent(project, `${group} ${n}`, { group, at: NOON + step, user: `user${n}` }),
    );
  });
  await journal.apply(events);
  await rankAll(store, NOON);
  return journal;
}

interface Walk {
  readonly ids: string[];
  readonly pages: number;
  /** With which the last page was asked for. */
  readonly lastCursor: string | null;
}

async function walk(
  store: Store,
  project: Project,
  query: ErrorQuery,
  direction: 'next' | 'previous',
  between: () => Promise<void> = async () => undefined,
): Promise<Walk> {
  const ids: string[] = [];
  let { cursor } = query;
  for (let pages = 1; pages < 50; pages += 1) {
    const page = await store.listErrors(project.id, { ...query, cursor }, NOON);
    assert.ok(page.items.length <= query.limit);
    ids.push(...page.items.map(({ id }) => id));
    if (page[direction] === null) {
      return { ids, pages, lastCursor: cursor };
    }
    cursor = page[direction];
    await between();
  }
  throw new Error('the walk does not end');
}
