import assert from 'node:assert/strict';
import { MAX_PROJECTS_AT_ONCE } from '../../src/domain/ports/stores/overview-store.ts';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import type { Project } from '../../src/domain/projects/project.ts';
import type { ProjectNews } from '../../src/domain/projects/project-news.ts';
import type { SearchCondition } from '../../src/domain/search/search-condition.ts';
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

const UNKNOWN = 999_999;
/** The hour in which NOON is. */
const THIS_HOUR = Math.floor(NOON / HOUR) * HOUR;
const NOTHING: ProjectNews = { unresolved: 0, newErrors: 0, regressed: 0, lastSeen: null, accepted: new Map() };

/** Applies one event of each group. */
async function given(store: Store, project: Project, release: string, at: number, groups: readonly string[]) {
  const tags = [['release', release]] as const;
  await new TestJournal(store).apply(
    groups.map((group) => makeEvent(project, `${release} ${group}`, { group, release, at, tags })),
  );
}

/** The part about many projects at once, which needs marks and ranks. */
export function overviewContract(harness: () => StoreHarness): void {
  describe('many projects at once', () => {
    const newsOf = async ({ id }: Project) => (await harness().store.projectNews([id], NOON)).get(id) ?? NOTHING;
    /** Leaves out the events, which have a test of their own. */
    const countsOf = async (project: Project) => ({ ...(await newsOf(project)), accepted: new Map() });
    const idOf = async (project: Project, group: string) => (await errorOf(harness().store, project, group)).id;

    it('have counts of unresolved errors, new ones, those that came back, and the newest event', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      assert.deepEqual(await countsOf(project), NOTHING);
      await given(store, project, 'app@1.0', NOON - 2 * DAY, ['old', 'back']);
      await given(store, project, 'app@1.0', NOON - HOUR, ['fresh', 'other', 'settled']);
      await store.setErrorStatus(project.id, await idOf(project, 'back'), 'resolved', NOON - DAY);
      await store.setErrorStatus(project.id, await idOf(project, 'settled'), 'ignored', NOON);
      const before = { ...NOTHING, unresolved: 3, newErrors: 2, lastSeen: NOON - HOUR };
      assert.deepEqual(await countsOf(project), before);
      await given(store, project, 'app@1.1', NOON - 1, ['back']);
      const back = { ...before, unresolved: 4, regressed: 1, lastSeen: NOON - 1 };
      assert.deepEqual(await countsOf(project), back);
      const [fresh, other] = [await idOf(project, 'fresh'), await idOf(project, 'other')];
      await store.mergeErrors(project.id, [fresh, other]);
      const merged = { ...back, unresolved: 3, newErrors: 1 };
      assert.deepEqual(await countsOf(project), merged, 'merged errors are one');
      await store.setErrorStatus(project.id, await idOf(project, 'back'), 'resolved', NOON);
      assert.deepEqual(await countsOf(project), { ...merged, unresolved: 2, regressed: 0 });
    });

    it('count as many regressions as a search for them finds', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      await given(store, project, 'app@1.0', NOON - 9 * DAY, ['week', 'longer']);
      for (const group of ['week', 'longer'])
        await store.setErrorStatus(project.id, await idOf(project, group), 'resolved', NOON - 9 * DAY);
      await given(store, project, 'app@1.1', NOON - 8 * DAY, ['longer']);
      await given(store, project, 'app@1.1', NOON - 6 * DAY, ['week']);
      const regressed: SearchCondition = { field: 'mark', value: 'regressed', not: false };
      const found = await listAll(store, project, { conditions: [regressed] });
      assert.deepEqual(
        found.map(({ message }) => message),
        ['bad value in week'],
      );
      assert.equal((await countsOf(project)).regressed, found.length);
    });

    it('are told apart, and those without errors are empty', async () => {
      const { store } = harness();
      const [one, two, empty] = [await makeProject(store), await makeProject(store), await makeProject(store)];
      await given(store, one, '1', NOON - 5, ['a', 'b']);
      await given(store, two, '1', NOON - 3 * DAY, ['c']);
      const read = async () => store.projectNews([one.id, two.id, empty.id, UNKNOWN], NOON);
      const expected = new Map<number, ProjectNews>([
        [one.id, { ...NOTHING, unresolved: 2, newErrors: 2, lastSeen: NOON - 5, accepted: new Map([[THIS_HOUR, 2]]) }],
        [two.id, { ...NOTHING, unresolved: 1, lastSeen: NOON - 3 * DAY }],
        [empty.id, NOTHING],
        [UNKNOWN, NOTHING],
      ]);
      assert.deepEqual(await read(), expected);
      assert.deepEqual(await read(), expected, 'read again');
      assert.deepEqual(await store.projectNews([], NOON), new Map());
    });

    it('tell the newest event that there is, also once the first one came, or the last error is gone', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const lastSeen = async () => (await newsOf(project)).lastSeen;
      assert.equal(await lastSeen(), null);
      await given(store, project, '1', NOON - 9, ['a']);
      assert.equal(await lastSeen(), NOON - 9);
      await given(store, project, '1', NOON - 3, ['b']);
      assert.equal(await lastSeen(), NOON - 3);
      await store.deleteErrors(project.id, [await idOf(project, 'b')], false, null, NOON);
      assert.equal(await lastSeen(), NOON - 9);
      await store.deleteErrors(project.id, [await idOf(project, 'a')], false, null, NOON);
      assert.equal(await lastSeen(), null);
    });

    it('have the accepted events of the last 24 hours by hour', async () => {
      const { store } = harness();
      const [project, other] = [await makeProject(store), await makeProject(store)];
      const outcome = { projectId: project.id, keyId: 1, category: 'error', outcome: 'accepted', reason: '' } as const;
      await new TestJournal(store).apply(
        [makeEvent(project, 'a'), makeEvent(other, 'b')],
        [
          { ...outcome, at: NOON, quantity: 2 },
          { ...outcome, at: NOON, keyId: 2, quantity: 3 },
          { ...outcome, at: NOON - 23 * HOUR, quantity: 7 },
          { ...outcome, at: NOON - 24 * HOUR, quantity: 11 },
          { ...outcome, at: NOON + HOUR, quantity: 13 },
          { ...outcome, at: NOON, category: 'session', quantity: 17 },
          { ...outcome, at: NOON, outcome: 'filtered', reason: 'release', quantity: 19 },
          { ...outcome, projectId: other.id, at: NOON, quantity: 23 },
        ],
      );
      const expected = new Map([
        [THIS_HOUR, 1 + 2 + 3],
        [THIS_HOUR - 23 * HOUR, 7],
      ]);
      assert.deepEqual((await newsOf(project)).accepted, expected);
      assert.deepEqual((await newsOf(other)).accepted, new Map([[THIS_HOUR, 1 + 23]]));
    });

    it('have their settings and the role of a user', async () => {
      const { store } = harness();
      const [one, two] = [await makeProject(store), await makeProject(store)];
      const username = `over-${one.id}`;
      const user = await store.createUser({ username, name: 'O', admin: false, passwordHash: 'x' });
      const saved = await store.saveSettings(one.id, { active: true, integrated: true });
      await store.setMember(two.id, user.id, 30);
      assert.deepEqual(
        await store.projectAccess([one.id, two.id, UNKNOWN], user.id),
        new Map([
          [one.id, { settings: saved, level: null }],
          [two.id, { settings: null, level: 30 }],
          [UNKNOWN, { settings: null, level: null }],
        ]),
      );
    });

    describe('have a stream of what matters', () => {
      /** Errors of these projects in order, by letter; each letter is a group of one project. */
      const stream = async (projects: readonly Project[], limit: number, perProject: number) => {
        const limits = { limit, perProject };
        const found = await harness().store.errorsThatMatter(
          ...([projects.map(({ id }) => id), limits, NOON] as const),
        );
        return found.map(({ message }) => message?.at(-1)).join('');
      };
      /** Errors of a project, each with so many users: the more, the more it matters. */
      const happen = async (project: Project, users: Readonly<Record<string, number>>) => {
        await new TestJournal(harness().store).apply(
          Object.entries(users).flatMap(([group, count]) =>
            Array.from({ length: count }, (_, n) => makeEvent(project, `${group} ${n}`, { group, user: `u${n}` })),
          ),
        );
        await rankAll(harness().store, NOON);
      };
      const twoProjects = async () => {
        const [one, two] = [await makeProject(harness().store), await makeProject(harness().store)];
        await happen(one, { a: 9, c: 7, e: 5, g: 3 });
        await happen(two, { b: 8, d: 6, f: 4, h: 2 });
        return [one, two] as const;
      };

      it('merged by rank, with a limit for each', async () => {
        const both = await twoProjects();
        const [one, two] = both;
        for (const _ of ['first', 'again', 'and again']) {
          assert.equal(await stream(both, 20, 10), 'abcdefgh');
          assert.equal(await stream(both, 3, 3), 'abc');
          assert.equal(await stream(both, 3, 2), 'abc');
          assert.equal(await stream(both, 4, 2), 'abcd');
          assert.equal(await stream(both, 5, 2), 'abcd', 'the shares of both');
          assert.equal(await stream([one], 5, 3), 'ace');
          assert.equal(await stream([two], 2, 3), 'bd');
          assert.equal(await stream([], 2, 3), '');
        }
      });

      it('that follows what happens', async () => {
        const both = await twoProjects();
        const [one, two] = both;
        assert.equal(await stream(both, 4, 2), 'abcd');
        await happen(two, { i: 12, j: 11, k: 10 });
        assert.equal(await stream(both, 4, 2), 'ijac', 'one project has more than its share');
        assert.equal(await stream(both, 4, 2), 'ijac');
        assert.equal(await stream(both, 4, 3), 'ijka');
        await happen(one, { l: 14 });
        assert.equal(await stream(both, 4, 2), 'lija');
        await harness().store.setErrorStatuses(two.id, [await idOf(two, 'i'), await idOf(two, 'j')], 'resolved', NOON);
        assert.equal(await stream(both, 4, 2), 'lkab');
        assert.equal(await stream(both, 4, 2), 'lkab');
        await harness().store.deleteErrors(one.id, [await idOf(one, 'a'), await idOf(one, 'l')], false, null, NOON);
        assert.equal(await stream(both, 4, 2), 'kbce');
      });

      it('that grows from nothing', async () => {
        const { store } = harness();
        const [one, two] = [await makeProject(store), await makeProject(store)];
        const both = [one, two];
        assert.equal(await stream(both, 3, 2), '');
        await happen(one, { a: 1 });
        assert.equal(await stream(both, 3, 2), 'a');
        await happen(one, { b: 2, c: 3 });
        assert.equal(await stream(both, 3, 2), 'cb');
        await happen(two, { d: 4, e: 5, f: 6 });
        assert.equal(await stream(both, 3, 2), 'fec');
        assert.equal(await stream(both, 3, 2), 'fec');
      });

      it('in which merged errors are one, with their events by the hour, and assignees are members', async () => {
        const { store } = harness();
        const both = await twoProjects();
        const [one, two] = both;
        const user = await store.createUser({ username: `m-${one.id}`, name: 'M', admin: false, passwordHash: 'x' });
        await store.setMember(one.id, user.id, 30);
        await store.setMember(two.id, user.id, 30);
        await store.setAssignee(one.id, await idOf(one, 'g'), user.id, null, NOON);
        await store.setAssignee(two.id, await idOf(two, 'b'), user.id, null, NOON);
        await store.removeMember(two.id, user.id);
        await store.mergeErrors(one.id, [await idOf(one, 'c'), await idOf(one, 'a')]);
        await rankAll(store, NOON);
        for (const _ of ['first', 'again']) {
          const found = await store.errorsThatMatter([one.id, two.id], { limit: 20, perProject: 10 }, NOON);
          assert.equal(found.length, 7);
          const merged = found.filter(({ count }) => count === 9 + 7);
          assert.deepEqual(
            merged.map(({ projectId, count, frequency }) => [projectId, count, frequency?.at(-1)?.[1]]),
            [[one.id, 16, 16]],
          );
          assert.deepEqual(
            found.filter(({ assignee }) => assignee !== null).map(({ message }) => message?.at(-1)),
            ['g'],
          );
          const listed = await store.listErrors(two.id, { ...EVERYTHING, sort: 'matters' }, NOON);
          assert.deepEqual(
            found.filter(({ projectId }) => projectId === two.id),
            listed.items,
            'as lists have them',
          );
        }
      });
    });

    it('are refused where one call names too many', async () => {
      const { store } = harness();
      const ids = Array.from({ length: MAX_PROJECTS_AT_ONCE + 1 }, (_, index) => index + 1);
      await assert.rejects(store.projectAccess(ids, 1), { code: 'bad_request' });
      await assert.rejects(store.projectNews(ids, NOON), { code: 'bad_request' });
      await assert.rejects(store.errorsThatMatter(ids, { limit: 1, perProject: 1 }, NOON), { code: 'bad_request' });
      const most = ids.slice(1);
      assert.equal((await store.projectNews(most, NOON)).size, MAX_PROJECTS_AT_ONCE);
    });
  });
}
