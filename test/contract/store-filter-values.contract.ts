import assert from 'node:assert/strict';
import { MAX_FILTER_VALUES } from '../../src/domain/search/error-query.ts';
import type { StoreHarness } from '../support/store-harness.ts';
import { idsOf } from './merge-fixture.ts';
import { errorOf, makeEvent, makeProject, NOON, TestJournal, type EventSpec } from '../support/store-data.ts';

export function filterValuesContract(harness: () => StoreHarness): void {
  describe('values to filter errors by', () => {
    const tagged = (group: string, spec: EventSpec): EventSpec => {
      const { release = null, environment = null } = spec;
      const tags = Object.entries({ release, environment }).flatMap(([key, value]) =>
        value === null ? [] : [[key, value] as const],
      );
      return { ...spec, group, tags };
    };

    it('are all environments and releases of the project, also from events with only one of both', async () => {
      const { store } = harness();
      const [project, other] = [await makeProject(store), await makeProject(store)];
      const event = (name: string, spec: EventSpec) => makeEvent(project, name, tagged(name, spec));
      await new TestJournal(store).apply([
        event('a', { release: 'app@2', environment: 'staging', at: NOON - 9 }),
        event('b', { release: 'app@10', environment: 'production', at: NOON - 8 }),
        event('c', { release: 'app@2', environment: 'Production', at: NOON - 7 }),
        event('d', { environment: 'no release' }),
        event('e', { environment: 'settled' }),
        event('f', { environment: 'merged' }),
        event('g', { release: 'no environment', at: NOON - 10 }),
        event('h', {}),
        makeEvent(other, 'x', tagged('x', { release: 'theirs', environment: 'theirs' })),
      ]);
      await store.setErrorStatus(project.id, (await errorOf(store, project, 'e')).id, 'resolved', NOON);
      await store.mergeErrors(project.id, [
        (await errorOf(store, project, 'f')).id,
        (await errorOf(store, project, 'h')).id,
      ]);
      assert.deepEqual(await store.filterValues(project.id), {
        environments: ['Production', 'merged', 'no release', 'production', 'settled', 'staging'],
        releases: ['app@10', 'app@2', 'no environment'],
      });
    });

    it('are the releases of one environment, newest there first', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const event = (name: string, release: string, environment: string | null, at: number) =>
        makeEvent(project, name, tagged('group', { release, ...(environment === null ? {} : { environment }), at }));
      await new TestJournal(store).apply([
        event('a', 'app@1', 'staging', NOON - 9),
        event('b', 'app@2', 'staging', NOON - 8),
        event('c', 'app@2', 'production', NOON - 7),
        event('d', 'app@1', 'production', NOON - 6),
        event('e', 'app@3', null, NOON - 5),
      ]);
      const all = await store.filterValues(project.id);
      const inProduction = await store.filterValues(project.id, 'production');
      assert.deepEqual(all.releases, ['app@3', 'app@2', 'app@1']);
      assert.deepEqual(inProduction.releases, ['app@1', 'app@2']);
      assert.deepEqual(inProduction.environments, all.environments);
      assert.deepEqual((await store.filterValues(project.id, 'Production')).releases, []);
    });

    it('begin with names without version for products, and are single values for others', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const browsers = [
        'Firefox 140',
        'Firefox 9.1',
        'firefox 141',
        'Mac OS X 10.15',
        'iPhone14,2',
        'SM-G991B',
        'Edge',
      ];
      const chromes = Array.from({ length: MAX_FILTER_VALUES }, (_, index) => `Chrome ${index}`);
      await new TestJournal(store).apply(
        [...browsers, ...chromes].map((browser, index) =>
          makeEvent(project, `e${index}`, { group: `g${index % 40}`, tags: [['browser', browser]] }),
        ),
      );
      const values = (prefix: string, names: boolean) => store.tagValues(project.id, 'browser', prefix, names);
      const all = await values('', true);
      assert.deepEqual(all.slice(0, 5), ['Chrome', 'Firefox', 'Mac OS X', 'firefox', 'iPhone']);
      assert.deepEqual([all[5], all.length], ['Chrome 0', MAX_FILTER_VALUES]);
      assert.deepEqual(await values('FIRE', true), ['Firefox', 'firefox', 'Firefox 140', 'Firefox 9.1', 'firefox 141']);
      assert.deepEqual(await values('firefox 1', true), ['Firefox 140', 'firefox 141']);
      assert.deepEqual(await values('fire', false), ['Firefox 140', 'Firefox 9.1', 'firefox 141']);
      assert.deepEqual(await values('sm', true), ['SM-G991B']);
    });

    it('are the newest releases, and a bounded number of environments', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const names = Array.from({ length: MAX_FILTER_VALUES + 5 }, (_, index) => String(1000 + index));
      await new TestJournal(store).apply(
        names.flatMap((name, index) => [
          makeEvent(project, `r${name}`, tagged('r', { release: name, at: NOON + index })),
          makeEvent(project, `e${name}`, tagged('e', { release: '1000', environment: name, at: NOON })),
          makeEvent(project, `t${name}`, tagged(name, { environment: `t${name}` })),
        ]),
      );
      const { environments, releases } = await store.filterValues(project.id);
      assert.deepEqual(releases, names.slice(5).reverse());
      assert.equal(environments.length, MAX_FILTER_VALUES);
      assert.deepEqual(await store.releaseNames(project.id), names.toReversed());
    });

    it('start with the environments of recent errors, where there are more than the limit', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const names = Array.from({ length: MAX_FILTER_VALUES }, (_, index) => `preview ${1000 + index}`);
      await new TestJournal(store).apply([
        ...names.map((name, index) =>
          makeEvent(project, name, tagged(`p${index % 5}`, { release: 'app@1', environment: name, at: NOON - 9 })),
        ),
        ...names.map((name) => makeEvent(project, `n${name}`, tagged(name, { at: NOON - 5 }))),
        makeEvent(project, 'z', tagged('z', { environment: 'production', at: NOON })),
      ]);
      const { environments } = await store.filterValues(project.id);
      assert.equal(environments.length, MAX_FILTER_VALUES);
      assert.ok(environments.includes('production'));
    });

    it('include those of merged errors with many members', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const journal = new TestJournal(store);
      const members = (group: number) => Array.from({ length: 60 }, (_, index) => `${group} ${index}`);
      for (const group of [0, 1, 2]) {
        const environment = group === 0 ? 'of the oldest' : 'of the others';
        await journal.apply(
          members(group).map((name) => makeEvent(project, name, tagged(name, { environment, at: NOON + group }))),
        );
        await store.mergeErrors(project.id, await idsOf(store, project, ...members(group)));
      }
      assert.deepEqual((await store.filterValues(project.id)).environments, ['of the oldest', 'of the others']);
    });

    it('are empty in a project without events', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      assert.deepEqual(await store.filterValues(project.id), { environments: [], releases: [] });
    });
  });
}
