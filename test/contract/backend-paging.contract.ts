import assert from 'node:assert/strict';
import type { TrackedError } from '../../src/domain/errors/tracked-error.ts';
import { ERROR_SORTS, type ErrorQuery } from '../../src/domain/search/error-query.ts';
import type { Page } from '../../src/domain/page.ts';
import { ANY, errorNamed, is, MINUTE, namesOf, NOW, type BackendHarness, type SeedError } from './backend-harness.ts';

const NAMES = ['alpha', 'bravo', 'charlie', 'delta', 'echo', 'foxtrot', 'golf'];

/** Some share a time, a count and a number of users, so that only the cursor keeps them apart. */
const MANY: readonly SeedError[] = NAMES.map((name, index) => ({
  name,
  message: `${name} in common`,
  events: Array.from({ length: 1 + (index % 3) }, (_, event) => ({
    at: NOW - (event * 60 + Math.floor(index / 2)) * MINUTE,
    user: `u${event % 2}`,
  })),
}));

/** Garbage, and cursors as other trackers write them. */
const STRANGE_CURSORS = [
  'x',
  '0',
  '-1',
  '1:2:3:4',
  '0:0:0 OR 1=1',
  'cD03MDc=',
  '../../x',
  "'",
  '%00',
  '{"a":1}',
  'W10',
  'e30',
  'ü',
  'a\r\nb: c',
  'y'.repeat(5000),
];

export function backendPagingContract(harness: () => BackendHarness): void {
  describe('paging', () => {
    /** All pages from the first on, then back from the last. */
    async function walk(query: ErrorQuery): Promise<{ forth: string[]; back: string[] }> {
      const { backend, project } = harness();
      const pages = { forth: [] as string[], back: [] as string[] };
      let page: Page<TrackedError> = await backend.list(project, query);
      assert.equal(page.previous, null, 'nothing lies before the first page');
      pages.forth.push(namesOf(page.items));
      while (page.next !== null) {
        page = await backend.list(project, { ...query, cursor: page.next });
        pages.forth.push(namesOf(page.items));
        assert.ok(pages.forth.length < 20, 'paging ends');
      }
      pages.back.push(namesOf(page.items));
      while (page.previous !== null) {
        page = await backend.list(project, { ...query, cursor: page.previous });
        pages.back.unshift(namesOf(page.items));
        assert.ok(pages.back.length < 20, 'paging ends');
      }
      return pages;
    }

    for (const sort of ERROR_SORTS) {
      it(`walks all pages by ${sort} forth and back, with and without a search`, async () => {
        const { backend, project, seed } = harness();
        // An empty list would not show that a tracker passes over its sort.
        await seed(project, MANY);
        if (!(await backend.capabilities(project)).sorts.includes(sort)) {
          await assert.rejects(backend.list(project, { ...ANY, sort, limit: 2 }), is('unsupported_by_tracker'));
          return;
        }
        const whole = namesOf((await backend.list(project, { ...ANY, sort, limit: 100 })).items);
        assert.deepEqual(whole.split(' ').sort(), NAMES);
        for (const limit of [1, 2, 3, 7]) {
          for (const search of [null, 'common']) {
            const { forth, back } = await walk({ ...ANY, status: 'unresolved', sort, limit, search });
            assert.deepEqual(forth.join(' '), whole, `limit ${limit}`);
            assert.deepEqual(back, forth, `limit ${limit}, backwards`);
            assert.ok(forth.every((page) => page.split(' ').length <= limit));
          }
        }
      });
    }

    it('continues after the page that made the cursor, whatever happened to its errors', async () => {
      const { backend, project, seed } = harness();
      await seed(project, MANY);
      const query: ErrorQuery = { ...ANY, status: 'unresolved', limit: 3 };
      const first = await backend.list(project, query);
      await backend.setStatus(project, first.items[0]!.id, 'resolved');
      const second = await backend.list(project, { ...query, cursor: first.next });
      const both = `${namesOf(first.items)} ${namesOf(second.items)}`.split(' ');
      assert.equal(new Set(both).size, both.length, 'nothing twice');
    });

    it('refuses cursors that it never made', async () => {
      const { backend, project, seed } = harness();
      await seed(project, MANY);
      const { id } = await errorNamed(harness(), 'alpha');
      for (const cursor of STRANGE_CURSORS) {
        await assert.rejects(backend.list(project, { ...ANY, limit: 2, cursor }), is('bad_request'), cursor);
        await assert.rejects(backend.listEvents(project, id, 2, cursor), is('bad_request'), cursor);
      }
    });

    it('never shows another query or project for a cursor of a different one', async () => {
      const { backend, project, foreign, seed } = harness();
      await seed(project, MANY);
      await seed(foreign, [
        { name: 'other', events: [{ at: NOW }] },
        { name: 'another', events: [{ at: NOW - MINUTE }] },
      ]);
      const elsewhere = (await backend.list(foreign, { ...ANY, limit: 1 })).next;
      assert.ok(elsewhere !== null);
      const page = await backend.list(project, { ...ANY, limit: 2, cursor: elsewhere }).catch((error: unknown) => {
        is('bad_request')(error);
        return { items: [] };
      });
      assert.ok(page.items.every((error) => NAMES.includes(namesOf([error]))));
      const { sorts } = await backend.capabilities(project);
      const { next } = await backend.list(project, { ...ANY, limit: 2 });
      for (const changed of [{ status: 'resolved' }, { search: 'common' }, { sort: sorts.at(-1)! }] as const) {
        if ('sort' in changed && changed.sort === 'last_seen') continue;
        await assert.rejects(
          backend.list(project, { ...ANY, limit: 2, cursor: next, ...changed }),
          is('bad_request'),
          JSON.stringify(changed),
        );
      }
    });
  });
}
