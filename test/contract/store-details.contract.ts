import assert from 'node:assert/strict';
import type { StoreHarness } from '../support/store-harness.ts';
import {
  DAY,
  errorOf,
  HOUR,
  hexId,
  makeEvent,
  makeProject,
  NOON,
  normalisedEvent,
  TestJournal,
} from '../support/store-data.ts';

const NO_IDS = ['999999', '0', '-1', '1.0', 'x', '', '0x1', '99999999999999999999'];

export function detailContract(harness: () => StoreHarness): void {
  describe('one error', () => {
    it('adds days, tags, environments and releases', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const tagged = (name: string, environment: string, release: string, at = NOON) =>
        makeEvent(project, name, {
          at,
          tags: [
            ['environment', environment],
            ['release', release],
            ...(name === 'a' ? ([['rare', 'once']] as const) : []),
          ],
        });
      const journal = new TestJournal(store);
      await journal.apply([tagged('a', 'production', '1.0'), tagged('b', 'production', '1.1', NOON - DAY)]);
      await journal.apply([tagged('c', 'staging', '1.0', NOON - 29 * DAY), tagged('d', 'production', '1.0')]);
      const { id } = await errorOf(store, project);
      const detail = await store.errorById(project.id, id, NOON);
      assert.ok(detail !== null);
      assert.deepEqual([detail.id, detail.count], [id, 4]);
      assert.deepEqual(detail.tags, [
        {
          key: 'environment',
          total: 4,
          values: [
            { value: 'production', count: 3 },
            { value: 'staging', count: 1 },
          ],
          other: 0,
        },
        {
          key: 'release',
          total: 4,
          values: [
            { value: '1.0', count: 3 },
            { value: '1.1', count: 1 },
          ],
          other: 0,
        },
        { key: 'rare', total: 1, values: [{ value: 'once', count: 1 }], other: 0 },
      ]);
      assert.deepEqual([...(detail.environments ?? [])].sort(), ['production', 'staging']);
      assert.deepEqual([...(detail.releases ?? [])].sort(), ['1.0', '1.1']);
      const today = Math.floor(NOON / DAY) * DAY;
      assert.equal(detail.frequency30d?.length, 30);
      assert.deepEqual(detail.frequency30d[0], [(today - 29 * DAY) / 1000, 1]);
      assert.deepEqual(detail.frequency30d.slice(-2), [
        [(today - DAY) / 1000, 1],
        [today / 1000, 2],
      ]);
      assert.equal(detail.frequency?.length, 24);
      assert.deepEqual(detail.frequency.at(-1), [Math.floor(NOON / HOUR) * 3600, 2]);
    });

    it('answers null for unknown errors and those of other projects', async () => {
      const { store } = harness();
      const [one, two] = [await makeProject(store), await makeProject(store)];
      await new TestJournal(store).apply([makeEvent(one, 'a')]);
      const { id } = await errorOf(store, one);
      for (const [project, error] of [[two, id], ...NO_IDS.map((no) => [one, no] as const)] as const) {
        assert.equal(await store.errorById(project.id, error, NOON), null, error);
        assert.equal(await store.listEvents(project.id, error, 10, null), null, error);
        assert.equal(await store.latestEvent(project.id, error), null, error);
        assert.equal(await store.event(project.id, error, makeEvent(one, 'a').eventId), null, error);
      }
    });

    it('bounds values per tag and keys per error, and counts the rest as other', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const journal = new TestJournal(store);
      const event = (index: number) =>
        makeEvent(project, String(index), {
          tags: [
            ['request', `r${index}`],
            ['release', `v${index}`],
            ['fixed', 'same'],
          ],
        });
      const all = Array.from({ length: 150 }, (_, index) => event(index));
      await journal.apply(all.slice(0, 15));
      await journal.apply(all.slice(15));
      await journal.apply([{ ...event(3), eventId: hexId('again') }]);
      const { id } = await errorOf(store, project);
      const detail = await store.errorById(project.id, id, NOON);
      const spread = (key: string) => detail?.tags?.find((tag) => tag.key === key);
      assert.deepEqual(
        ['request', 'release', 'fixed'].map((key) => [
          spread(key)?.total,
          spread(key)?.values.length,
          spread(key)?.other,
        ]),
        [
          [151, 20, 130],
          [151, 100, 50],
          [151, 1, 0],
        ],
      );
      assert.deepEqual(spread('request')?.values[0], { value: 'r3', count: 2 });

      const keys = Array.from({ length: 70 }, (_, index) => [`key${index}`, 'x'] as const);
      await journal.apply([makeEvent(project, 'many', { tags: keys })]);
      await journal.apply([
        makeEvent(project, 'more', {
          tags: [
            ['late', 'x'],
            ['fixed', 'same'],
          ],
        }),
      ]);
      const after = await store.errorById(project.id, id, NOON);
      assert.equal(after?.tags?.length, 60);
      assert.equal(after.tags.find((tag) => tag.key === 'fixed')?.total, 152);
    });
  });

  describe('events', () => {
    it('reads an event back unchanged, with its neighbours in time', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const journal = new TestJournal(store);
      const [late, early, middle] = [
        makeEvent(project, 'late', { at: NOON + 2, receivedAt: NOON + 7 }),
        makeEvent(project, 'early', { at: NOON - 2 }),
        makeEvent(project, 'middle', { at: NOON }),
      ] as const;
      await journal.apply([late, makeEvent(project, 'elsewhere', { group: 'other', at: NOON + 1 }), early]);
      await journal.apply([middle]);
      const { id } = await errorOf(store, project);
      assert.deepEqual(await store.event(project.id, id, middle.eventId), {
        errorId: id,
        receivedAt: NOON,
        event: normalisedEvent(middle.eventId, 'middle'),
        previousEventId: early.eventId,
        nextEventId: late.eventId,
        position: 2,
        stored: 3,
        userReports: [],
      });
      assert.equal((await store.event(project.id, id, early.eventId))?.previousEventId, null);
      const latest = await store.latestEvent(project.id, id);
      assert.deepEqual(
        [latest?.event.event_id, latest?.receivedAt, latest?.previousEventId, latest?.nextEventId],
        [late.eventId, NOON + 7, middle.eventId, null],
      );
      const oldest = await store.oldestEvent(project.id, id);
      assert.deepEqual([oldest?.event.event_id, oldest?.position, oldest?.stored], [early.eventId, 3, 3]);
      assert.equal(await store.oldestEvent(project.id, '99999'), null);
    });

    it('answers null for events that are unknown or of another error', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const other = makeEvent(project, 'b', { group: 'other' });
      await new TestJournal(store).apply([makeEvent(project, 'a'), other]);
      const { id } = await errorOf(store, project);
      for (const eventId of [other.eventId, hexId('never'), 'x', '', 'F'.repeat(32), `${other.eventId}00`]) {
        assert.equal(await store.event(project.id, id, eventId), null, eventId);
      }
    });

    it('pages through events, newest first, in both directions', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const journal = new TestJournal(store);
      const events = Array.from({ length: 11 }, (_, index) =>
        makeEvent(project, String(index), { at: NOON + Math.floor(index / 3), receivedAt: NOON + index }),
      );
      await journal.apply(events);
      const { id } = await errorOf(store, project);
      const page = async (cursor: string | null) => {
        const found = await store.listEvents(project.id, id, 4, cursor);
        assert.ok(found !== null);
        return found;
      };
      const first = await page(null);
      await journal.apply([makeEvent(project, 'newer', { at: NOON + 100 })]);
      const second = await page(first.next);
      const third = await page(second.next);
      const items = [...first.items, ...second.items, ...third.items];
      assert.deepEqual([first.previous, third.next], [null, null]);
      assert.deepEqual(items.map(({ eventId }) => eventId).sort(), events.map(({ eventId }) => eventId).sort());
      const times = items.map(({ at }) => at);
      assert.deepEqual(
        times,
        [...times].sort((a, b) => b - a),
      );
      const source = events.find(({ eventId }) => eventId === items[0]?.eventId);
      assert.deepEqual(items[0], {
        eventId: source?.eventId,
        errorId: id,
        at: source?.at,
        receivedAt: source?.receivedAt,
      });
      assert.deepEqual((await page(third.previous)).items, second.items);
      // With bodies in the same order, by the same cursors.
      const read = await store.readEvents(project.id, id, 4, first.next);
      assert.deepEqual(
        [read?.items.map(({ event: _event, ...summary }) => summary), read?.next, read?.previous],
        [second.items, second.next, second.previous],
      );
      for (const { eventId, event } of read?.items ?? []) assert.equal(event?.event_id, eventId);
      const back = await store.readEvents(project.id, id, 4, third.previous);
      assert.deepEqual(
        back?.items.map(({ eventId }) => eventId),
        second.items.map(({ eventId }) => eventId),
      );
      assert.equal(await store.readEvents(project.id, '99999', 4, null), null);
      await assert.rejects(store.listEvents(project.id, id, 4, 'junk'), { code: 'bad_request' });
    });
  });
}
