import assert from 'node:assert/strict';
import type { OutcomeCount } from '../../src/domain/ingest/digest.ts';
import type { Project } from '../../src/domain/projects/project.ts';
import { RetentionJob } from '../../src/integrated/retention/retention-job.ts';
import { KEEP, pruneAll } from '../support/prune-all.ts';
import type { StoreHarness } from '../support/store-harness.ts';
import { DAY, errorOf, HOUR, makeEvent, makeProject, NOON, TestJournal } from '../support/store-data.ts';

/** The spread of forty events under a bound of ten. */
const SPREAD = [31, 21, 13, 11];

/** Outcomes that a removal by age needs several slices for. */
const OLD_OUTCOMES = 6000;
const MINUTE = 60_000;

/** Makes outcomes of as many hours before `end`. */
function oldOutcomes({ id: projectId }: Project, end: number): OutcomeCount[] {
  const kind = { projectId, keyId: 1, category: 'error', outcome: 'filtered', reason: 'x', quantity: 1 } as const;
  return Array.from({ length: OLD_OUTCOMES }, (_, hour) => ({ ...kind, at: end - hour * HOUR }));
}

export function maintenanceContract(harness: () => StoreHarness): void {
  describe('pruning', () => {
    it('removes payloads by age of receipt and changes no count', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const old = makeEvent(project, 'old', { receivedAt: NOON - 2, at: NOON + 5, user: 'ada', release: 'r' });
      const young = makeEvent(project, 'young', { receivedAt: NOON, at: NOON - 5 });
      const journal = new TestJournal(store);
      await journal.apply([young, old]);
      const { frequency, ...before } = await errorOf(store, project);

      const removed = await pruneAll(store, { ...KEEP, receivedBefore: NOON });

      assert.deepEqual(removed, { events: 1, keys: 0 });
      const { frequency: after, ...error } = await errorOf(store, project);
      assert.deepEqual(error, before);
      assert.deepEqual(after, frequency);
      assert.equal(await store.event(project.id, before.id, old.eventId), null);
      assert.equal((await store.latestEvent(project.id, before.id))?.event.event_id, young.eventId);
      assert.equal((await store.listEvents(project.id, before.id, 10, null))?.items.length, 1);
      assert.equal((await store.stats()).events, 1);
      const again = await journal.apply([old]);
      assert.deepEqual(again, { kind: 'applied', stored: 0, duplicates: 1, newErrors: 0 });
    });

    it('caps payloads per error and keeps the oldest, the newest half and a spread over the rest', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const events = Array.from({ length: 40 }, (_, index) => makeEvent(project, String(index), { at: NOON + index }));
      const few = Array.from({ length: 5 }, (_, index) => makeEvent(project, `few ${index}`, { group: 'few' }));
      await new TestJournal(store).apply([...events, ...few]);
      assert.deepEqual(await pruneAll(store, { ...KEEP, maxEventsPerError: 10 }), { events: 30, keys: 0 });
      const { id, count } = await errorOf(store, project);
      assert.equal(count, 40);
      const left = (await store.listEvents(project.id, id, 100, null))?.items ?? [];
      assert.equal(left.length, 10);
      const times = left.map(({ at }) => at - NOON);
      assert.deepEqual([...times.slice(0, 5), times.at(-1)], [39, 38, 37, 36, 35, 0]);
      // Both stores choose the same: what they rank by is the event's id.
      assert.deepEqual(times.slice(5, -1), SPREAD);
      assert.deepEqual(await pruneAll(store, { ...KEEP, maxEventsPerError: 10 }), { events: 0, keys: 0 });
      assert.deepEqual(await pruneAll(store, { ...KEEP, maxEventsPerError: 1 }), { events: 11, keys: 0 });
      assert.equal((await store.listEvents(project.id, id, 100, null))?.items.length, 2);
    });

    it('caps an error that spans several windows, keeps earlier choices, and changes no count', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const journal = new TestJournal(store);
      const cap = 160;
      const limits = { ...KEEP, maxEventsPerError: cap, keysReceivedBefore: NOON + 1000 };
      const chosen: string[][] = [];
      for (const round of [0, 1, 2]) {
        const events = Array.from({ length: 2500 }, (_, index) => {
          const at = NOON + round * 2500 + index;
          return makeEvent(project, `${round} ${index}`, { at, user: `u${index % 7}` });
        });
        await journal.apply(events);
        const { keys } = await pruneAll(store, limits);
        // Those whose window is over go with their payload: 1,000 of the first round, less what stays of them.
        assert.ok(round > 0 ? keys < 100 : keys > 800 && keys < 1000, String(keys));
        const error = await errorOf(store, project);
        assert.deepEqual([error.count, error.userCount], [(round + 1) * 2500, 7]);
        const left = (await store.listEvents(project.id, error.id, 1000, null))?.items ?? [];
        assert.equal(left.length, cap - cap / 16);
        assert.equal(left.at(-1)?.at, NOON);
        assert.ok(left.slice(0, 75).every(({ at }, index) => at === NOON + (round + 1) * 2500 - 1 - index));
        const parts = [0, 1, 2].map((part) => left.slice(75).filter(({ at }) => at < NOON + (part + 1) * 2500).length);
        if (round === 2) assert.ok((parts[0] ?? 0) > 10 && (parts[1] ?? 0) > (parts[0] ?? 0) + 10, parts.join());
        const early = left.slice(75).filter(({ at }) => at < NOON + 2500 - 75);
        chosen.push(early.map(({ eventId }) => eventId));
      }
      const [first, , last] = chosen;
      assert.ok(
        last?.every((id) => first?.includes(id)),
        'what stayed in the end had always stayed',
      );
    });

    it('removes only payloads when asked for payloads alone', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const old = makeEvent(project, 'old', { receivedAt: NOON - 1 });
      await new TestJournal(store).apply([old, makeEvent(project, 'young')]);
      const all = { ...KEEP, keysReceivedBefore: NOON, outcomesBefore: NOON + DAY, payloadsOnly: true };
      await pruneAll(store, { ...KEEP, receivedBefore: NOON });
      assert.deepEqual(await pruneAll(store, all), { events: 0, keys: 0 });
      assert.equal((await store.listOutcomes(project.id, 0, NOON + DAY)).length, 1);
      assert.deepEqual(await pruneAll(store, { ...all, payloadsOnly: false }), { events: 0, keys: 1 });
    });

    it('reports its size, and how much was removed', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const events = ['a', 'b', 'c'].map((name) => makeEvent(project, name));
      await new TestJournal(store).apply(events);
      const size = await store.size();
      assert.ok(size !== null && size.used > 0);
      const { bytes } = await store.prune({ ...KEEP, receivedBefore: NOON + 1 });
      assert.equal(
        bytes,
        events.reduce((sum, { payload }) => sum + (payload as Uint8Array).length, 0),
      );
    });

    it('removes event keys by age, after which a repeat counts again', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const journal = new TestJournal(store);
      const [old, young] = [
        makeEvent(project, 'old', { receivedAt: NOON - 1 }),
        makeEvent(project, 'young', { receivedAt: NOON }),
      ];
      await journal.apply([old, young]);
      const limits = { ...KEEP, receivedBefore: NOON, keysReceivedBefore: NOON };
      assert.deepEqual(await pruneAll(store, limits), { events: 1, keys: 1 });
      assert.deepEqual(await journal.apply([old, young]), {
        kind: 'applied',
        stored: 1,
        duplicates: 1,
        newErrors: 0,
      });
      assert.equal((await errorOf(store, project)).count, 3);
    });

    it('never makes a stored event unreadable by removing its key', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const event = makeEvent(project, 'a');
      await new TestJournal(store).apply([event]);
      await pruneAll(store, { ...KEEP, keysReceivedBefore: NOON + DAY });
      const { id } = await errorOf(store, project);
      assert.ok(await store.event(project.id, id, event.eventId));
      assert.equal((await store.listEvents(project.id, id, 10, null))?.items.length, 1);
    });

    it('removes hours and outcomes by age', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const hour = Math.floor(NOON / HOUR) * HOUR;
      const today = Math.floor(NOON / DAY) * DAY;
      await new TestJournal(store).apply([
        makeEvent(project, 'a', { at: hour }),
        makeEvent(project, 'b', { at: today - DAY, receivedAt: hour - HOUR }),
        makeEvent(project, 'c', { at: today - DAY - 1, receivedAt: hour - HOUR }),
      ]);
      await pruneAll(store, { ...KEEP, hoursBefore: today - DAY, outcomesBefore: hour });
      const error = await errorOf(store, project);
      const detail = await store.errorById(project.id, error.id, NOON);
      assert.deepEqual(
        detail?.frequency30d?.slice(-3).map(([, count]) => count),
        [0, 1, 1],
      );
      assert.equal(error.count, 3);
      assert.deepEqual(
        (await store.listOutcomes(project.id, 0, NOON + DAY)).map(({ at }) => at),
        [hour],
      );
    });

    for (const bound of ['the bound per error', 'the size bound'] as const) {
      it(`applies ${bound} every minute while a long removal by age is under way`, async () => {
        const { store } = harness();
        const project = await makeProject(store);
        const journal = new TestJournal(store);
        const begin = Date.now();
        await journal.apply([], oldOutcomes(project, begin - 100 * DAY));
        let now = begin;
        let used = 0;
        let cameAt = 0;
        const left: { readonly seconds: number; readonly events: number; readonly outcomes: number }[] = [];
        const job = new RetentionJob({
          store: { ...store, size: () => Promise.resolve({ used, falls: 'later' }) },
          ...{
            lease: { hold: () => Promise.resolve('held') },
            settings: { retentionDays: 90, auditDays: 365, maxEventsPerError: 10, maxBytes: 100 },
          },
          ...{ clock: { now: () => now }, logger: { info: () => undefined, warn: () => undefined } },
          // A second passes with every slice, and a minute once events are there that exceed the bound.
          async pause() {
            now += 1000;
            const outcomes = (await store.listOutcomes(project.id, 0, begin - 90 * DAY)).length;
            if (cameAt === 0 && outcomes < OLD_OUTCOMES) {
              cameAt = now;
              const names = Array.from({ length: bound === 'the bound per error' ? 20 : 10 }, (_, index) => `${index}`);
              await journal.apply(names.map((name) => makeEvent(project, name, { at: begin })));
              used = bound === 'the bound per error' ? 0 : 1_000_000;
              now += MINUTE;
            }
            const { events } = await store.stats();
            if (cameAt > 0) left.push({ seconds: (now - cameAt) / 1000, events, outcomes });
          },
        });
        now += HOUR;
        await job.run(new AbortController().signal);
        const kept = bound === 'the bound per error' ? 10 : 0;
        const applied = left.find(({ events }) => events <= kept);
        assert.ok(applied !== undefined && applied.outcomes > 0, JSON.stringify(left));
        assert.ok(applied.seconds < 70, JSON.stringify(left));
        assert.equal(left.at(-1)?.outcomes, 0, 'the removal by age came to its end');
      });
    }

    it('finishes at once where there is nothing to remove', async () => {
      const { store } = harness();
      assert.deepEqual(await store.prune(KEEP), { events: 0, bytes: 0, keys: 0, done: true });
    });
  });

  describe('shared values and state', () => {
    it('sets a shared value once, or replaces it', async () => {
      const { store, other } = harness();
      assert.equal(await store.getMeta('salt'), null);
      assert.equal(await store.initMeta('salt', 'one'), 'one');
      const elsewhere = await other();
      assert.equal(await elsewhere.initMeta('salt', 'two'), 'one');
      await elsewhere.setMeta('salt', 'three');
      assert.equal(await store.getMeta('salt'), 'three');
    });

    it('counts what it stores', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      await store.createUser({ username: 'u', name: 'U', admin: false, passwordHash: 'x' });
      await new TestJournal(store).apply(['a', 'b', 'c'].map((name) => makeEvent(project, name)));
      const { schemaVersion, knownSchemaVersion, bytes, ...counts } = await store.stats();
      assert.deepEqual(counts, { errors: 1, events: 3, projects: 1, users: 1 });
      assert.ok(schemaVersion >= 1);
      assert.equal(knownSchemaVersion, schemaVersion);
      assert.ok(bytes === null || bytes > 0);
    });

    it('answers while open and is unavailable once closed', async () => {
      const { store } = harness();
      await store.ping();
      await store.close();
      await store.close();
      await assert.rejects(store.ping(), { code: 'store_unavailable' });
      await assert.rejects(store.listProjects(), { code: 'store_unavailable' });
      await assert.rejects(store.setMeta('a', 'b'), { code: 'store_unavailable' });
    });
  });
}
