import assert from 'node:assert/strict';
import type { DigestedEvent } from '../../src/domain/ingest/digest.ts';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import { encodePayload } from '../support/encode-payload.ts';
import { KEEP, pruneAll } from '../support/prune-all.ts';
import type { StoreHarness } from '../support/store-harness.ts';
import {
  errorOf,
  makeEvent,
  makeProject,
  NOON,
  normalisedEvent,
  TestJournal,
  type EventSpec,
} from '../support/store-data.ts';

/** Event bodies that are stored together: found by event id, whatever happened to the others of their block. */
export function blocksContract(harness: () => StoreHarness): void {
  type Project = Awaited<ReturnType<typeof makeProject>>;

  const eventsOf = (project: Project, count: number, spec: EventSpec = {}, from = 0) =>
    Array.from({ length: count }, (_, index) =>
      makeEvent(project, `event ${from + index}`, { at: NOON + from + index, ...spec }),
    );

  /** Reads the bodies of events, ten at a time as pages do; null for those without one. */
  async function read(store: Store, project: Project, ids: readonly string[], group = 'default') {
    const { id } = await errorOf(store, project, group);
    const bodies = [];
    for (let from = 0; from < ids.length; from += 10) {
      const some = ids.slice(from, from + 10).map((eventId) => store.event(project.id, id, eventId));
      bodies.push(...(await Promise.all(some)).map((found) => found?.event ?? null));
    }
    return bodies;
  }

  /** Reads the messages in the bodies of events. */
  async function messages(store: Store, project: Project, events: readonly DigestedEvent[]) {
    const ids = events.map(({ eventId }) => eventId);
    return (await read(store, project, ids)).map((body) => body?.message);
  }

  describe('bodies of events that are stored together', () => {
    it('are each read by their own event id, with several projects in a batch', async () => {
      const { store } = harness();
      const [one, two] = [await makeProject(store), await makeProject(store)];
      const mixed = eventsOf(one, 100).flatMap((event, index) => [event, ...eventsOf(two, 1, {}, index)]);
      assert.equal((await new TestJournal(store).apply(mixed)).kind, 'applied');
      for (const project of [one, two]) {
        const own = mixed.filter(({ projectId }) => projectId === project.id);
        const ids = own.map(({ eventId }) => eventId);
        const bodies = await read(store, project, ids);
        assert.deepEqual(
          bodies.map((body) => [body?.event_id, body?.message]),
          ids.map((eventId, index) => [eventId, `event ${index}`]),
        );
      }
    });

    it('may be of any size and hold any text', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const texts = [
        '',
        '\n',
        '\u2028"\\',
        'ü'.repeat(40_000),
        'x'.repeat(200_000),
        '🚀'.repeat(20_000),
        'a',
        'b',
        'c',
      ];
      const events = [...texts, ...texts].map((text, index) => {
        const { eventId } = makeEvent(project, String(index));
        return makeEvent(project, String(index), { payload: encodePayload(normalisedEvent(eventId, text)) });
      });
      await new TestJournal(store).apply(events);
      assert.deepEqual(await messages(store, project, events), [...texts, ...texts]);
    });

    it('of repeats are those of the first event, and a batch of repeats alone changes nothing', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const journal = new TestJournal(store);
      const events = eventsOf(project, 20);
      await journal.apply([...events, ...events.slice(0, 10).map((event) => ({ ...event, title: 'again' }))]);
      const repeats = events.map((event) => ({
        ...event,
        payload: encodePayload(normalisedEvent(event.eventId, 'another')),
      }));
      assert.deepEqual(await journal.apply(repeats), { kind: 'applied', stored: 0, duplicates: 20, newErrors: 0 });
      assert.deepEqual(
        await messages(store, project, events),
        events.map((_, index) => `event ${index}`),
      );
    });

    it('give the users of the newest events', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const events = eventsOf(project, 12).map((event, index) => ({
        ...event,
        payload: encodePayload({
          ...normalisedEvent(event.eventId),
          user: { id: String(index), username: null, email: null, name: null, ip_address: null, data: {} },
        }),
      }));
      await new TestJournal(store).apply(events);
      const { id } = await errorOf(store, project);
      const users = await store.newestUsers(project.id, id);
      assert.deepEqual(
        users?.map(({ user }) => user.id),
        Array.from({ length: 12 }, (_, index) => String(11 - index)),
      );
    });

    it('stay readable while others of their block are removed, one by one', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const events = eventsOf(project, 40);
      const ids = events.map(({ eventId }) => eventId);
      await new TestJournal(store).apply(events);
      for (const cap of [30, 20, 10, 4, 2]) {
        await pruneAll(store, { ...KEEP, maxEventsPerError: cap });
        const { id } = await errorOf(store, project);
        const left = (await store.listEvents(project.id, id, 100, null))?.items.map(({ eventId }) => eventId) ?? [];
        assert.ok(left.length <= cap && left.length > 1, String(left.length));
        const bodies = await read(store, project, left);
        assert.deepEqual(
          bodies.map((body) => body?.message),
          left.map((eventId) => `event ${ids.indexOf(eventId)}`),
        );
      }
    });

    it('are gone when all of a block are removed by age, and a repeat stays a repeat', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const journal = new TestJournal(store);
      const events = eventsOf(project, 70);
      await journal.apply(events);
      const { bytes } = await store.prune({ ...KEEP, receivedBefore: NOON + 69 });
      assert.ok(bytes > 100, String(bytes));
      const ids = events.map(({ eventId }) => eventId);
      const bodies = await read(store, project, ids);
      assert.deepEqual(
        bodies.map((body) => body?.message ?? null),
        [...Array<null>(69).fill(null), 'event 69'],
      );
      assert.deepEqual(await journal.apply(events), { kind: 'applied', stored: 0, duplicates: 70, newErrors: 0 });
    });

    it('that came one by one are packed later, and stay readable', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const other = await makeProject(store);
      const journal = new TestJournal(store);
      const events = eventsOf(project, 30);
      for (const event of events) await journal.apply([event]);
      await journal.apply([makeEvent(other, 'lonely')]);
      const ids = events.map(({ eventId }) => eventId);
      const before = await read(store, project, ids);
      assert.deepEqual(await pruneAll(store, { ...KEEP, packReceivedBefore: NOON + 20 }), { events: 0, keys: 0 });
      assert.deepEqual(await read(store, project, ids), before);
      // The rest follows, with those that had too few others then.
      assert.deepEqual(await pruneAll(store, { ...KEEP, packReceivedBefore: NOON + 100 }), { events: 0, keys: 0 });
      assert.deepEqual(await read(store, project, ids), before);
      assert.equal((await read(store, other, [makeEvent(other, 'lonely').eventId]))[0]?.message, 'lonely');
      assert.deepEqual(await pruneAll(store, { ...KEEP, receivedBefore: NOON + 25 }), { events: 26, keys: 0 });
      assert.deepEqual(await read(store, project, ids), [...Array<null>(25).fill(null), ...before.slice(25)]);
    });

    it('are removed with their project', async () => {
      const { store } = harness();
      const [project, other] = [await makeProject(store), await makeProject(store)];
      const events = [...eventsOf(project, 40), ...eventsOf(other, 40)];
      await new TestJournal(store).apply(events);
      await store.deleteProject(project.id);
      await pruneAll(store, KEEP);
      const ids = events.filter(({ projectId }) => projectId === other.id).map(({ eventId }) => eventId);
      assert.ok((await read(store, other, ids)).every((body) => body !== null));
    });
  });
}
