import assert from 'node:assert/strict';
import type { PruneLimits } from '../../src/domain/ports/stores/maintenance-store.ts';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import type { Project } from '../../src/domain/projects/project.ts';
import { pruneLimits } from '../../src/integrated/retention/prune-limits.ts';
import type { StoreHarness } from '../support/store-harness.ts';
import { KEEP, pruneAll } from '../support/session-data.ts';
import { DAY, HOUR, listAll, makeEvent, NOON, type TestJournal } from '../support/store-data.ts';
import { mergeFixture } from './merge-fixture.ts';

export function mergePruningContract(harness: () => StoreHarness): void {
  describe('merging: effects of retention', () => {
    let store: Store;
    let project: Project;
    let journal: TestJournal;
    let a: string;
    let b: string;

    beforeEach(async () => {
      ({ store } = harness());
      ({ project, journal, a, b } = await mergeFixture(store));
    });

    const detail = async (id: string, now = NOON) => {
      const error = await store.errorById(project.id, id, now);
      assert.ok(error !== null, id);
      return error;
    };
    /** Retention as it would run `days` days later. */
    const pruneAfter = (days: number) => {
      const limits = pruneLimits({ retentionDays: 5, auditDays: 365, maxEventsPerError: 0 }, NOON + days * DAY);
      return pruneAll(store, limits);
    };
    const shown = async (now = NOON) => ({ ...(await detail(a, now)), frequency: null, frequency30d: null });

    it('keeps all counts, users, tags and members when all payloads are gone', async () => {
      await store.mergeErrors(project.id, [a, b]);
      const [before, list] = [await detail(a), await listAll(store, project)];
      await pruneAll(store, { ...KEEP, receivedBefore: NOON + 1, keysReceivedBefore: NOON + 1 });
      assert.deepEqual(await detail(a), before);
      assert.deepEqual(await listAll(store, project), list);
      assert.equal(await store.rollUpMerged(), 0, 'and nothing is to be brought up to date');
      assert.equal(await store.latestEvent(project.id, a), null);
      assert.deepEqual((await store.listEvents(project.id, b, 10, null))?.items, []);
      assert.equal((await detail(b)).mergedInto, a);
    });

    it('keeps a group and continues its counts after all hourly counts are gone', async () => {
      await store.mergeErrors(project.id, [a, b]);
      const before = await shown();
      await pruneAfter(200);
      assert.deepEqual(await shown(), before);
      const at = NOON + 200 * DAY;
      const spec = { group: 'bravo', at, release: 'r9' };
      await journal.apply([
        makeEvent(project, 'eve again', { ...spec, user: 'eve' }),
        makeEvent(project, 'somebody new', { ...spec, user: 'fay' }),
      ]);
      assert.equal(await store.rollUpMerged(), 1);
      const { count, userCount, firstSeen, lastSeen, firstRelease, lastRelease } = await shown(at);
      assert.deepEqual([count, userCount, firstSeen, lastSeen], [7, 4, NOON - 9 * HOUR, at]);
      assert.deepEqual([firstRelease, lastRelease], ['r0', 'r9']);
    });

    it('separates the members with their former values, also after their payloads and hours are gone', async () => {
      const before = await listAll(store, project, {}, NOON + 200 * DAY);
      await store.mergeErrors(project.id, [a, b]);
      await pruneAfter(200);
      const separated = (await store.unmergeErrors(project.id, a, null))?.separated;
      assert.deepEqual(separated, [{ id: b, title: 'ValueError: bad value in bravo', count: 3 }]);
      assert.deepEqual(await listAll(store, project, {}, NOON + 200 * DAY), before);
    });

    it('shows the remaining events of each merged error', async () => {
      await store.mergeErrors(project.id, [a, b]);
      await pruneAll(store, { ...KEEP, receivedBefore: NOON - 2 * HOUR });
      const times = (await store.listEvents(project.id, b, 10, null))?.items.map(({ at }) => at);
      assert.deepEqual(times, [NOON - HOUR, NOON - 2 * HOUR]);
      const latest = await store.latestEvent(project.id, a);
      assert.deepEqual([latest?.errorId, latest?.nextEventId], [a, null]);
      const previous = await store.event(project.id, a, latest?.previousEventId ?? '');
      assert.equal(previous?.previousEventId, null, 'neighbours end where payloads do');
    });

    it('limits the payloads of each member as of a single error', async () => {
      await store.mergeErrors(project.id, [a, b]);
      const many = Array.from({ length: 30 }, (_, index) =>
        makeEvent(project, `many ${index}`, { group: 'bravo', at: NOON + index, user: `u${index}` }),
      );
      await journal.apply(many);
      await store.rollUpMerged();
      const before = await shown(NOON + HOUR);
      const limits: PruneLimits = { ...KEEP, maxEventsPerError: 10 };
      await pruneAll(store, limits);
      assert.deepEqual(await shown(NOON + HOUR), before);
      assert.equal(before.count, 35);
      const left = (await store.listEvents(project.id, a, 100, null))?.items ?? [];
      assert.equal(left.length, 10 + 2, 'ten of bravo, both of alpha');
      await store.unmergeErrors(project.id, a, null);
      assert.equal((await store.listEvents(project.id, b, 100, null))?.items.length, 10);
    });
  });
}
