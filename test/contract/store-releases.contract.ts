import assert from 'node:assert/strict';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import type { Project } from '../../src/domain/projects/project.ts';
import type { ReleaseError } from '../../src/domain/releases/session.ts';
import { BatchJournal } from '../support/session-data.ts';
import type { StoreHarness } from '../support/store-harness.ts';
import { DAY, errorOf, HOUR, makeEvent, makeProject, NOON, TestJournal } from '../support/store-data.ts';

/** Events of a release: so many of each group. */
type Events = Readonly<Record<string, number>>;

async function given(
  store: Store,
  project: Project,
  release: string,
  at: number,
  events: Events,
  environment?: string,
) {
  const journal = new TestJournal(store);
  await journal.apply(
    Object.entries(events).flatMap(([group, count]) =>
      Array.from({ length: count }, (_, index) =>
        makeEvent(project, `${release} ${group} ${index} ${environment ?? ''}`, {
          group,
          release,
          at: at + index,
          environment: environment ?? null,
          tags: [['release', release], ...(environment === undefined ? [] : [['environment', environment] as const])],
        }),
      ),
    ),
  );
}

const byTitle = (errors: readonly ReleaseError[]) =>
  Object.fromEntries(errors.map(({ title, counts }) => [title.split(' ').at(-1), counts]));

export function releasesContract(harness: () => StoreHarness): void {
  describe('releases', () => {
    it('are listed by version, paged, with each package together', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const names = ['app@1.9.0', 'app@1.10.0-rc.1', 'lib@3.0', 'app@1.10.0', 'nightly', 'app@1.2.0'];
      for (const [index, release] of names.entries()) {
        await given(store, project, release, NOON - 10 * HOUR + index * HOUR, { default: 1 });
      }
      const list = (cursor: string | null, limit = 4) =>
        store.listReleases(project.id, { environment: null, sort: 'version', limit, cursor }, NOON);
      const first = await list(null);
      const second = await list(first.next);
      assert.deepEqual(
        [...first.items, ...second.items].map(({ release }) => release),
        ['app@1.10.0', 'app@1.10.0-rc.1', 'app@1.9.0', 'app@1.2.0', 'nightly', 'lib@3.0'],
      );
      assert.equal(first.previous, null);
      assert.equal(second.next, null);
      assert.deepEqual((await list(second.previous)).items, first.items);
      const newest = await store.listReleases(project.id, { environment: null, limit: 9, cursor: null }, NOON);
      assert.deepEqual(
        newest.items.map(({ release }) => release),
        [...names].reverse(),
      );
      await assert.rejects(store.listReleases(project.id, { environment: null, limit: 4, cursor: first.next }, NOON), {
        code: 'bad_request',
      });
    });

    it('are read by name, with their hours and neighbours', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      for (const [index, release] of ['app@1.0', 'app@1.2', 'app@1.1', 'other@9.0'].entries()) {
        await given(store, project, release, NOON - 5 * HOUR + index, { default: 1 });
      }
      const sum = { exited: 5, errored: 0, crashed: 0, abnormal: 0, unhandled: 0, userHash: null };
      const item = { kind: 'sums', projectId: project.id, keyId: 1, receivedAt: NOON, release: 'app@1.1' } as const;
      await new BatchJournal(store).sessions({
        ...{ ...item, environment: 'prod' },
        sums: [
          { ...sum, startedAt: NOON - 31 * DAY },
          { ...sum, startedAt: NOON - 2 * HOUR, crashed: 1 },
          { ...sum, startedAt: NOON },
        ],
      });
      const detail = await store.releaseByName(project.id, 'app@1.1', null, NOON);
      assert.deepEqual([detail?.previous, detail?.next, detail?.sessions], ['app@1.0', 'app@1.2', 16]);
      const hour = Math.floor(NOON / HOUR);
      assert.deepEqual(
        detail?.history.map(({ hour: at, sessions, crashed }) => [at, sessions, crashed]),
        [
          [hour - 2, 6, 1],
          [hour, 5, 0],
        ],
      );
      assert.equal((await store.releaseByName(project.id, 'app@1.1', 'prod', NOON))?.history.length, 2);
      assert.equal(await store.releaseByName(project.id, 'app@1.1', 'test', NOON), null);
      assert.equal(await store.releaseByName(project.id, 'app@7', null, NOON), null);
      assert.equal(await store.releaseByName(project.id, '', null, NOON), null);
      const other = await makeProject(store);
      assert.equal(await store.releaseByName(other.id, 'app@1.1', null, NOON), null);
    });

    it('have the events of each error, merged ones together, and none of other projects', async () => {
      const { store } = harness();
      const [project, other] = [await makeProject(store), await makeProject(store)];
      await given(store, project, 'app@1', NOON, { both: 2, gone: 3, one: 1 });
      await given(store, project, 'app@2', NOON + 1000, { both: 5, fresh: 4, two: 1 }, 'prod');
      await given(store, other, 'app@2', NOON, { elsewhere: 7 });
      const read = async (releases: readonly string[], environment: string | null = null) =>
        store.releaseErrors(project.id, releases, environment);
      const { errors, complete } = await read(['app@1', 'app@2']);
      assert.equal(complete, true);
      assert.deepEqual(byTitle(errors), {
        ...{ both: [2, 5], gone: [3, 0], one: [1, 0], fresh: [0, 4], two: [0, 1] },
      });
      const both = errors.find(({ title }) => title.endsWith('both'));
      assert.deepEqual(
        [both?.firstRelease, both?.lastRelease, both?.status, both?.firstSeen, both?.lastSeen, both?.regressedIn],
        ['app@1', 'app@2', 'unresolved', NOON, NOON + 1004, null],
      );
      assert.deepEqual(byTitle((await read(['app@1', 'app@2'], 'prod')).errors), {
        ...{ both: [2, 5], fresh: [0, 4], two: [0, 1] },
      });
      assert.deepEqual(await read(['app@9']), { errors: [], complete: true });

      const [one, two] = [await errorOf(store, project, 'one'), await errorOf(store, project, 'two')];
      await store.mergeErrors(project.id, [one.id, two.id]);
      const merged = (await read(['app@1', 'app@2'])).errors.filter(({ id }) => id === one.id || id === two.id);
      assert.deepEqual(
        merged.map(({ id, counts, lastRelease }) => [id, counts, lastRelease]),
        [[one.id, [1, 1], 'app@2']],
      );
      // Only a member has events in it.
      assert.deepEqual(
        (await read(['app@2'])).errors.filter(({ id }) => id === one.id).map(({ counts }) => counts),
        [[1]],
      );
    });

    it('know what is resolved in them, by name and as the next one', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      await given(store, project, 'app@1.0', NOON, { named: 1, next: 1, plain: 1, merged: 1, member: 1 });
      const id = async (group: string) => (await errorOf(store, project, group)).id;
      const resolve = async (group: string, details?: object) =>
        store.setErrorStatus(
          project.id,
          await id(group),
          'resolved',
          NOON + 1,
          details === undefined ? {} : { details },
        );
      await store.mergeErrors(project.id, [await id('merged'), await id('member')]);
      await resolve('named', { inRelease: 'app@2.0' });
      await resolve('next', { inNextRelease: true });
      await resolve('plain');
      const shown = (await errorOf(store, project, 'merged').catch(() => errorOf(store, project, 'member'))).id;
      await store.setErrorStatus(project.id, shown, 'resolved', NOON + 1, { details: { inRelease: 'app@2.0' } });
      const titles = async (release: string, previous: string | null, limit = 10) => {
        const { errors, complete } = await store.resolvedInRelease(project.id, release, previous, limit);
        return [...errors.map(({ title }) => title.split(' ').at(-1)).sort(), complete];
      };
      const named = await titles('app@2.0', null);
      assert.deepEqual(
        [named.length, named.at(-2), named.at(-1)],
        [3, 'named', true],
        'the merged one, and the named one',
      );
      assert.deepEqual(await titles('app@2.0', 'app@1.0'), [...named.slice(0, 2), 'next', true]);
      assert.deepEqual(await titles('app@20.0', null), [true]);
      assert.equal((await titles('app@2.0', 'app@1.0', 1)).at(-1), false);
    });
  });
}

/** The part that needs marks. */
export function regressedReleasesContract(harness: () => StoreHarness): void {
  it('releases know what came back in them, also when it is resolved again', async () => {
    const { store } = harness();
    const project = await makeProject(store);
    await given(store, project, 'app@1.0', NOON, { back: 1 });
    const { id } = await errorOf(store, project, 'back');
    await store.setErrorStatus(project.id, id, 'resolved', NOON + 1, { details: { inRelease: 'app@2.0' } });
    await given(store, project, 'app@3.0', NOON + HOUR, { back: 2 });
    const read = async () => (await store.releaseErrors(project.id, ['app@3.0'], null)).errors;
    assert.deepEqual(
      (await read()).map(({ status, regressedIn, counts }) => [status, regressedIn, counts]),
      [['unresolved', 'app@3.0', [2]]],
    );
    assert.deepEqual((await store.resolvedInRelease(project.id, 'app@2.0', null, 10)).errors, []);
    await store.setErrorStatus(project.id, id, 'resolved', NOON + 2 * HOUR);
    assert.deepEqual(
      (await read()).map(({ status, regressedIn }) => [status, regressedIn]),
      [['resolved', 'app@3.0']],
    );
  });
}
