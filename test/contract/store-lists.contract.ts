import assert from 'node:assert/strict';
import type { TrackedError } from '../../src/domain/errors/tracked-error.ts';
import { ERROR_SORTS, type ErrorQuery, type ErrorSort } from '../../src/domain/search/error-query.ts';
import type { Page } from '../../src/domain/page.ts';
import { rankAll } from '../support/rank-all.ts';
import type { StoreHarness } from '../support/store-harness.ts';
import {
  errorOf,
  EVERYTHING,
  HOUR,
  listAll,
  makeEvent,
  makeProject,
  NOON,
  TestJournal,
} from '../support/store-data.ts';

export function listContract(harness: () => StoreHarness): void {
  describe('lists', () => {
    it('sorts by each of the four orders, greatest first', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const event = (group: string, name: string, at: number, user: string) =>
        makeEvent(project, group + name, { group, at: NOON + at, user });
      await new TestJournal(store).apply([
        event('a', '1', 1, 'u1'),
        event('a', '2', 9, 'u1'),
        event('a', '3', 5, 'u1'),
        event('b', '1', 2, 'u1'),
        event('b', '2', 7, 'u2'),
        event('c', '1', 3, 'u1'),
      ]);
      const order = async (sort: ErrorSort) =>
        (await listAll(store, project, { sort })).map(({ message }) => message?.at(-1)).join('');
      assert.equal(await order('last_seen'), 'abc');
      assert.equal(await order('first_seen'), 'cba');
      assert.equal(await order('frequency'), 'abc');
      assert.equal(await order('users'), 'bca', 'ties: the greater number first');
    });

    it('filters by status, also for all', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const groups = ['u', 'r', 'i'];
      await new TestJournal(store).apply(groups.map((group) => makeEvent(project, group, { group })));
      await store.setErrorStatus(project.id, (await errorOf(store, project, 'r')).id, 'resolved', NOON);
      await store.setErrorStatus(project.id, (await errorOf(store, project, 'i')).id, 'ignored', NOON);
      for (const [status, expected] of [
        ['unresolved', 'u'],
        ['resolved', 'r'],
        ['ignored', 'i'],
        ['all', 'iru'],
      ] as const) {
        const found = (await listAll(store, project, { status })).map(({ message }) => message?.at(-1));
        assert.equal(found.sort().join(''), expected);
      }
    });

    it('shows errors of the asked project only', async () => {
      const { store } = harness();
      const [one, two] = [await makeProject(store), await makeProject(store)];
      await new TestJournal(store).apply([makeEvent(one, 'a'), makeEvent(two, 'b'), makeEvent(two, 'c')]);
      assert.deepEqual(
        (await listAll(store, two)).map(({ projectId, count }) => [projectId, count]),
        [[two.id, 2]],
      );
    });

    it('filters by environment, release and level, all together', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const tagged = (group: string, environment: string, release: string, level: 'error' | 'fatal') =>
        makeEvent(project, `${group} ${environment} ${release}`, {
          group,
          environment,
          release,
          level,
          tags: [
            ['environment', environment],
            ['release', release],
          ],
        });
      await new TestJournal(store).apply([
        tagged('a', 'production', '1.0', 'error'),
        tagged('a', 'staging', '1.1', 'error'),
        tagged('b', 'staging', '1.0', 'fatal'),
      ]);
      const groups = async (query: Partial<ErrorQuery>) =>
        (await listAll(store, project, query))
          .map(({ message }) => message?.at(-1))
          .sort()
          .join('');
      assert.equal(await groups({ environment: 'staging' }), 'ab');
      assert.equal(await groups({ environment: 'production' }), 'a');
      assert.equal(await groups({ environment: 'Production' }), '');
      assert.equal(await groups({ release: '1.0' }), 'ab');
      assert.equal(await groups({ level: 'fatal' }), 'b');
      assert.equal(await groups({ environment: 'staging', release: '1.0', level: 'fatal' }), 'b');
      assert.equal(await groups({ environment: 'production', level: 'fatal' }), '');
    });

    it('filters by the times of the first and the last event, on every page and merged errors too', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const event = (group: string, at: number) => makeEvent(project, `${group} ${at}`, { group, at: NOON + at });
      await new TestJournal(store).apply([
        ...[event('a', 1), event('a', 9)],
        ...[event('b', 2), event('b', 4)],
        ...[event('c', 3), event('c', 3)],
        ...[event('d', 5), event('d', 6), event('e', 2), event('e', 8)],
      ]);
      const idOf = async (group: string) => (await errorOf(store, project, group)).id;
      await store.mergeErrors(project.id, [await idOf('d'), await idOf('e')]);
      const groups = async (query: Partial<ErrorQuery>) => {
        const found: string[] = [];
        let cursor: string | null = null;
        do {
          const page: Page<TrackedError> = await store.listErrors(
            project.id,
            { ...EVERYTHING, ...query, limit: 1, cursor },
            NOON,
          );
          found.push(...page.items.map(({ message }) => message?.at(-1) ?? ''));
          cursor = page.next;
        } while (cursor !== null);
        return found.sort().join('');
      };
      await rankAll(store, NOON);
      // The merged error was seen from 2 to 8, and has the texts of its last event.
      for (const sort of ERROR_SORTS) {
        const listed = (bounds: Partial<ErrorQuery>) => groups({ ...bounds, sort });
        assert.equal(await listed({}), 'abce', sort);
        assert.equal(await listed({ firstSeenAfter: NOON + 2 }), 'bce', sort);
        assert.equal(await listed({ firstSeenBefore: NOON + 2 }), 'abe', sort);
        assert.equal(await listed({ firstSeenAfter: NOON + 2, firstSeenBefore: NOON + 2 }), 'be', sort);
        assert.equal(await listed({ lastSeenAfter: NOON + 8 }), 'ae', sort);
        assert.equal(await listed({ lastSeenBefore: NOON + 4 }), 'bc', sort);
        assert.equal(await listed({ lastSeenAfter: NOON + 4, firstSeenBefore: NOON + 1 }), 'a', sort);
        assert.equal(await listed({ firstSeenAfter: NOON + 9, firstSeenBefore: NOON + 1 }), '', sort);
      }
    });

    it('refuses the cursor of other times', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      await new TestJournal(store).apply(['a', 'b'].map((group) => makeEvent(project, group, { group })));
      const query = { ...EVERYTHING, limit: 1, firstSeenAfter: 0 };
      const { next } = await store.listErrors(project.id, query, NOON);
      assert.equal((await store.listErrors(project.id, { ...query, cursor: next }, NOON)).items.length, 1);
      for (const other of [{ firstSeenAfter: 1 }, { firstSeenBefore: NOON }, { lastSeenAfter: 0 }]) {
        await assert.rejects(store.listErrors(project.id, { ...query, ...other, cursor: next }, NOON), {
          code: 'bad_request',
        });
      }
    });

    it('searches every word in title, message, type and culprit without regard to case', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const named = (group: string, texts: object) => makeEvent(project, group, { group, ...texts });
      await new TestJournal(store).apply([
        named('1', { title: 'Division by ZERO', message: 'x / y', type: 'MathError', culprit: 'calc.div' }),
        named('2', { title: 'Straße ÜBERLAUF', message: null, type: null, culprit: null }),
        named('3', { title: '100% of a_b\\c', message: '"quoted" [x] *', type: 'T', culprit: 'c' }),
      ]);
      const hits = async (search: string) =>
        (await listAll(store, project, { search, sort: 'first_seen' })).map(({ title }) => title[0]).join('');
      assert.equal(await hits('zero'), 'D');
      assert.equal(await hits('  matherror \t CALC '), 'D');
      assert.equal(await hits('zero overflow'), '');
      assert.equal(await hits('überlauf'), 'S');
      assert.equal(await hits('%'), '1');
      assert.equal(await hits('_'), '1');
      assert.equal(await hits('a_b\\c'), '1');
      assert.equal(await hits('axb'), '');
      assert.equal(await hits('"quoted" [x] *'), '1');
      assert.equal(await hits("' OR 1=1 --"), '');
      assert.equal(await hits('zeromatherror'), '');
      assert.equal((await hits('')).length, 3);
      assert.equal(await hits('zero '.repeat(3000)), 'D');
    });

    it('finds the texts of the newest event', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const journal = new TestJournal(store);
      await journal.apply([makeEvent(project, 'a', { title: 'before' })]);
      await journal.apply([makeEvent(project, 'b', { title: 'after', at: NOON + 1 })]);
      await journal.apply([makeEvent(project, 'c', { title: 'stale', at: NOON - 1 })]);
      assert.equal((await listAll(store, project, { search: 'after' })).length, 1);
      assert.equal((await listAll(store, project, { search: 'before' })).length, 0);
      assert.equal((await listAll(store, project, { search: 'stale' })).length, 0);
    });

    it('shows 24 hourly buckets that end with the current hour', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const hour = Math.floor(NOON / HOUR) * HOUR;
      const times = [hour, hour + HOUR - 1, hour - 1, hour - 23 * HOUR, hour - 23 * HOUR - 1, hour + HOUR];
      await new TestJournal(store).apply(times.map((at, index) => makeEvent(project, String(index), { at })));
      for (const now of [hour, hour + HOUR - 1]) {
        const [error] = await listAll(store, project, {}, now);
        const frequency = error?.frequency ?? [];
        assert.equal(frequency.length, 24);
        assert.deepEqual(frequency[0], [(hour - 23 * HOUR) / 1000, 1]);
        assert.deepEqual(frequency[22], [(hour - HOUR) / 1000, 1]);
        assert.deepEqual(frequency[23], [hour / 1000, 2]);
        assert.equal(
          frequency.reduce((sum, [, count]) => sum + count, 0),
          4,
        );
      }
      const [later] = await listAll(store, project, {}, hour + HOUR);
      assert.deepEqual(later?.frequency?.slice(-2), [
        [hour / 1000, 2],
        [(hour + HOUR) / 1000, 1],
      ]);
    });

    it('answers an empty page for a project without errors', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      assert.deepEqual(await store.listErrors(project.id, EVERYTHING, NOON), {
        items: [],
        previous: null,
        next: null,
      });
    });
  });
}
