import assert from 'node:assert/strict';
import type { PruneLimits } from '../../src/domain/ports/stores/maintenance-store.ts';
import type { StoreHarness } from '../support/store-harness.ts';
import { KEEP, pruneAll } from '../support/prune-all.ts';
import { counted, importIssue, makeIssue, makeSource } from '../support/import-data.ts';
import { DAY, makeEvent, makeProject, NOON, TestJournal } from '../support/store-data.ts';

export function importRetentionContract(harness: () => StoreHarness): void {
  describe('retention of imported history', () => {
    async function setUp() {
      const { store } = harness();
      const project = await makeProject(store);
      const errorId = await importIssue(store, project, makeIssue(await makeSource(store, project), '1'), 10, ['a']);
      const live = (name: string, receivedAt: number) => makeEvent(project, name, { group: 'a', at: receivedAt });
      const body = (name: string, at: number) => {
        const { eventId, payload } = makeEvent(project, name, { at });
        return { eventId, at, payload: payload as Uint8Array };
      };
      const left = async () => {
        const page = await store.listEvents(project.id, errorId, 100, null);
        return page?.items.map(({ imported }) => (imported ? 'imported' : 'own'));
      };
      return { store, project, errorId, live, body, left };
    }

    it('removes bodies by the time of their import, and changes no count', async () => {
      const { store, project, errorId, live, body, left } = await setUp();
      await store.addImportedEvents(project.id, errorId, [body('old1', NOON - 400 * DAY)], NOON);
      await store.addImportedEvents(project.id, errorId, [body('old2', NOON - 400 * DAY)], NOON + DAY);
      await new TestJournal(store).apply([live('a1', NOON + DAY)]);
      const byAge = (receivedBefore: number): PruneLimits => ({ ...KEEP, receivedBefore });
      await pruneAll(store, byAge(NOON));
      assert.deepEqual(await left(), ['own', 'imported', 'imported']);
      await pruneAll(store, byAge(NOON + 1));
      assert.deepEqual(await left(), ['own', 'imported']);
      await pruneAll(store, byAge(NOON + 2 * DAY));
      assert.deepEqual(await left(), []);
      assert.equal((await store.errorById(project.id, errorId, NOON))?.count, 11);
    });

    it('says how many bodies and bytes it removed', async () => {
      const { store, project, errorId, body } = await setUp();
      const bodies = [body('old1', NOON - DAY), body('old2', NOON - DAY)];
      await store.addImportedEvents(project.id, errorId, bodies, NOON);
      const { events, bytes } = await store.prune({ ...KEEP, receivedBefore: NOON + 1, payloadsOnly: true });
      assert.equal(events, 2);
      assert.equal(
        bytes,
        bodies.reduce((sum, { payload }) => sum + payload.length, 0),
      );
    });

    it('keeps marks as long as the keys of their events', async () => {
      const { store, project, errorId, live } = await setUp();
      const journal = new TestJournal(store);
      await journal.apply([live('a1', NOON)]);
      const mark = (name: string) => store.markKnownThere(project.id, [live(name, NOON).eventId], NOON);
      await mark('a1');
      await mark('later');
      await pruneAll(store, { ...KEEP, keysReceivedBefore: NOON + 1 });
      await mark('a1');
      await journal.apply([live('later', NOON + DAY)]);
      // The event still had its payload, hence its key; the mark without an event was forgotten.
      assert.equal(await store.knownThere(project.id, errorId, NOON), 1);
      await pruneAll(store, { ...KEEP, receivedBefore: NOON + 1, keysReceivedBefore: NOON + 1 });
      assert.equal(await store.knownThere(project.id, errorId, NOON), 1);
    });

    it('removes everything with the project', async () => {
      const { store, project, errorId, body, live } = await setUp();
      await store.addImportedEvents(project.id, errorId, [body('old1', NOON)], NOON);
      await store.setBase(project.id, errorId, counted(12, { at: NOON + 1, hours: [[NOON / 1000, 1]] }));
      await store.putNotes(project.id, errorId, [{ externalId: '1', author: 'Ada', at: NOON, text: 'x' }]);
      await store.markKnownThere(project.id, [live('a1', NOON).eventId], NOON);
      await store.saveImportState(`${project.id}/run`, '{}');
      await store.saveImportState(`${project.id}:1/run`, '{}');
      await store.deleteProject(project.id);
      await pruneAll(store, KEEP);
      assert.deepEqual(await store.findByExternalId(null, 'SHOP-1'), []);
      assert.deepEqual(await store.listImportSources(null), []);
      assert.deepEqual(await store.listImportStates(''), [[`${project.id}:1/run`, '{}']]);
      await assert.rejects(store.knownThere(project.id, errorId, NOON), { code: 'not_found' });
      await assert.rejects(store.saveImportState(`${project.id}/run`, '{}'), { code: 'project_not_found' });
    });
  });
}
