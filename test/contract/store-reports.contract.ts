import assert from 'node:assert/strict';
import type { DigestedEvent } from '../../src/domain/ingest/digest.ts';
import { MAX_REPORTS_PER_EVENT } from '../../src/domain/events/user-report.ts';
import { BatchJournal, outcomeRows, KEEP, pruneAll, report } from '../support/session-data.ts';
import type { StoreHarness } from '../support/store-harness.ts';
import { DAY, errorOf, hexId, makeEvent, makeProject, NOON } from '../support/store-data.ts';

export function reportContract(harness: () => StoreHarness): void {
  describe('reports', () => {
    it('are read with their event, also when they arrived before it', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const journal = new BatchJournal(store);
      const event = makeEvent(project, 'a');
      await journal.give({ reports: [report(project, event.eventId, 'second', NOON + 1)] });
      await journal.give({ events: [event] });
      const late = report(project, event.eventId, 'first');
      await journal.give({ reports: [late, late, report(project, hexId('unknown'), 'elsewhere')] });
      const { id } = await errorOf(store, project);
      const read = await store.event(project.id, id, event.eventId);
      assert.deepEqual(read?.userReports?.[0], late.report);
      assert.deepEqual(
        read.userReports.map(({ comments }) => comments),
        ['first', 'second'],
      );
      assert.equal((await store.latestEvent(project.id, id))?.userReports?.length, 2);
      assert.deepEqual(await outcomeRows(store, project), [
        'default accepted/ 3',
        'default filtered/duplicate 1',
        'error accepted/ 1',
      ]);
    });

    it('are read for several events, newest first, and only those of the project', async () => {
      const { store } = harness();
      const [project, other] = [await makeProject(store), await makeProject(store)];
      const [a, b, foreign] = [makeEvent(project, 'a'), makeEvent(project, 'b'), makeEvent(other, 'a')];
      const reports = [
        report(project, a.eventId, 'first'),
        report(project, b.eventId, 'second', NOON + 1),
        report(project, a.eventId, 'third', NOON + 2),
        report(other, foreign.eventId, 'foreign', NOON + 3),
      ];
      await new BatchJournal(store).give({ events: [a, b, foreign], reports });
      const ids = [a.eventId, b.eventId, foreign.eventId, 'no id'];
      const read = async (limit: number) =>
        (await store.reportsOfEvents(project.id, ids, limit)).map(({ eventId, report: { comments } }) => [
          eventId,
          comments,
        ]);
      assert.deepEqual(await read(10), [
        [a.eventId, 'third'],
        [b.eventId, 'second'],
        [a.eventId, 'first'],
      ]);
      assert.deepEqual(await read(1), [[a.eventId, 'third']]);
      assert.deepEqual(await store.reportsOfEvents(project.id, [], 10), []);
    });

    it('are listed by event, at the place of the newest report, with the displayed error', async () => {
      const { store } = harness();
      const [project, other] = [await makeProject(store), await makeProject(store)];
      const [a, b, c] = ['a', 'b', 'c'].map((name) => makeEvent(project, name, { group: name })) as [
        DigestedEvent,
        DigestedEvent,
        DigestedEvent,
      ];
      const waiting = hexId('not there yet');
      await new BatchJournal(store).give({
        events: [a, b, c],
        reports: [
          report(project, a.eventId, 'of a, old'),
          report(project, b.eventId, 'of b', NOON + 1),
          report(project, c.eventId, 'of c', NOON + 2),
          report(project, waiting, 'waits', NOON + 3),
          report(project, a.eventId, 'of a, new', NOON + 4),
          report(other, waiting, 'foreign', NOON + 5),
        ],
      });
      const [errorA, errorB, errorC] = [
        await errorOf(store, project, 'a'),
        await errorOf(store, project, 'b'),
        await errorOf(store, project, 'c'),
      ];
      const root = await store.mergeErrors(project.id, [errorA.id, errorB.id]);
      await store.rollUpMerged();
      const shown = async (limit: number, cursor: string | null) => {
        const page = await store.listReports(project.id, limit, cursor);
        return {
          ...page,
          items: page.items.map(({ eventId, error, reports }) => [
            eventId,
            error?.id ?? null,
            reports.map(({ comments }) => comments).join(' | '),
          ]),
        };
      };
      const everything = [
        [a.eventId, root, 'of a, new | of a, old'],
        [waiting, null, 'waits'],
        [c.eventId, errorC.id, 'of c'],
        [b.eventId, root, 'of b'],
      ];
      const all = await shown(10, null);
      assert.deepEqual(all, { items: everything, previous: null, next: null });
      const [first] = (await store.listReports(project.id, 1, null)).items;
      assert.equal(first?.error?.title, (await store.errorById(project.id, String(root), NOON))?.title);
      const one = await shown(2, null);
      assert.deepEqual(one.items, everything.slice(0, 2));
      const two = await shown(2, one.next);
      assert.deepEqual([two.items, two.next], [everything.slice(2), null]);
      assert.deepEqual((await shown(2, two.previous)).items, everything.slice(0, 2));
      const foreign = await store.listReports(other.id, 1, null);
      assert.deepEqual([foreign.items.length, foreign.next], [1, null]);
      await assert.rejects(store.listReports(other.id, 1, one.next), { code: 'bad_request' });
    });

    it('are bounded per event', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const journal = new BatchJournal(store);
      const event = makeEvent(project, 'a');
      const many = Array.from({ length: MAX_REPORTS_PER_EVENT + 3 }, (_, index) =>
        report(project, event.eventId, `report ${index}`, NOON + index),
      );
      await journal.give({ events: [event], reports: many.slice(0, 5) });
      await journal.give({ reports: many.slice(5) });
      const { id } = await errorOf(store, project);
      const read = await store.event(project.id, id, event.eventId);
      assert.deepEqual(
        read?.userReports,
        many.slice(0, MAX_REPORTS_PER_EVENT).map((each) => each.report),
      );
      assert.ok((await outcomeRows(store, project)).includes('default filtered/too_many_reports 3'));
    });

    it('are removed with the payload of their event, or when that never arrives', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const journal = new BatchJournal(store);
      const [old, young] = [makeEvent(project, 'old', { receivedAt: NOON - DAY }), makeEvent(project, 'young')];
      const [early, late] = [makeEvent(project, 'early'), makeEvent(project, 'late')];
      await journal.give({
        events: [old, young],
        reports: [
          report(project, old.eventId, 'of the old'),
          report(project, young.eventId, 'of the young'),
          report(project, early.eventId, 'waits for long', NOON - DAY),
          report(project, late.eventId, 'waits'),
        ],
      });
      await pruneAll(store, { ...KEEP, receivedBefore: NOON, unmatchedReportsBefore: NOON });
      await journal.give({ events: [early, late] });
      const { id } = await errorOf(store, project);
      const commentsOf = async (eventId: string) =>
        (await store.event(project.id, id, eventId))?.userReports?.map(({ comments }) => comments);
      assert.deepEqual(await commentsOf(young.eventId), ['of the young']);
      assert.deepEqual(await commentsOf(late.eventId), ['waits']);
      assert.deepEqual(await commentsOf(early.eventId), []);
      // A report of an event that is gone can be given again: nothing was left of the first.
      await journal.give({ reports: [report(project, old.eventId, 'of the old')] });
      assert.ok((await outcomeRows(store, project)).includes('default accepted/ 4'));
    });
  });
}
