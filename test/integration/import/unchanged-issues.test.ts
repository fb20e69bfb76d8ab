import assert from 'node:assert/strict';
import type { Store } from '../../../src/domain/ports/stores/store.ts';
import type { ImportOptions, ImportSummary } from '../../../src/import/import-run.ts';
import { type FakeSource, startFakeSource } from '../../support/fake-source/fake-source.ts';
import type { SourceIssue, SourceProject } from '../../support/fake-source/source-records.ts';
import { IMPORTED_TRACKERS, type SourceTracker } from '../../support/fake-source/source-world.ts';
import { bodyOf, eventIdFor } from '../../support/import-shop.ts';
import { IMPORT_TOKEN, importInto, liveEvent, pictureOf } from '../../support/import-world.ts';
import { describeOnStores, type OpenedStore } from '../../support/test-stores.ts';

const ISSUES = 12;
const MINUTE = 60_000;
/** Requests of a run that are not about one issue: pages of lists, and what tells the kind of the tracker. */
const MAX_OF_LISTS = 22;
/** Requests about an unchanged issue: where lists do not tell its comments and reports, it is asked for them. */
const OF_UNCHANGED: Readonly<Record<SourceTracker, number>> = { sentry: 0, urgentry: 0, glitchtip: 1, bugsink: 2 };

/** True for a request about one issue or one of its events. */
function isAbout(request: string, { id, events }: SourceIssue): boolean {
  const [, eventId = ''] = /\/events\/([^/?]+)\//.exec(request) ?? [];
  return (
    request.includes(`/issues/${id}/`) ||
    request.includes(`issue=${id}`) ||
    request.includes(`?groups=${id}&statsPeriod`) ||
    events.some((event) => event.id === eventId)
  );
}

const nameOf = (index: number): string => String.fromCharCode(97 + index).repeat(3);

describeOnStores('runs without changes', (kind, suite) => {
  suite.timeout(120_000);
  for (const tracker of IMPORTED_TRACKERS) {
    describe(`at ${tracker}`, () => {
      let source: FakeSource;
      let shop: SourceProject;
      let issues: SourceIssue[];
      let opened: OpenedStore;
      let store: Store;

      beforeEach(async () => {
        source = await startFakeSource(tracker);
        source.world.addToken(IMPORT_TOKEN);
        shop = source.world.addProject('shop', { id: tracker === 'urgentry' ? 'shop-id' : '7' });
        issues = Array.from({ length: ISSUES }, (_, index) => addIssue(index, 10 * MINUTE + index * 1000));
        opened = await kind.open();
        store = opened.store;
      });
      afterEach(async () => {
        source.assertClean();
        await opened.dispose();
        await source.close();
      });

      function addIssue(index: number, ageMs: number): SourceIssue {
        const seen = Date.now() - ageMs;
        const bodies = [0, 1, 2].map((one) => ({
          body: bodyOf(nameOf(index), { event_id: eventIdFor(`${nameOf(index)}-${one}`) }),
          at: seen - (2 - one) * 1000,
        }));
        return source.world.addIssue(shop, { bodies, count: 5, firstSeen: seen - 5000, lastSeen: seen });
      }

      interface Run {
        readonly summary: ImportSummary;
        /** Requests that are about one issue, by its id. */
        readonly ofIssues: ReadonlyMap<string, number>;
        readonly ofLists: number;
      }

      async function run(options: Partial<ImportOptions> = {}): Promise<Run> {
        source.requests.length = 0;
        const summary = await importInto(store, source, { options });
        const ofIssues = new Map<string, number>();
        let ofLists = 0;
        for (const request of source.requests) {
          // Whole events of Bugsink have ids of their own; their list names the issue.
          if (/\/canonical\/0\/events\/[^?]/.test(request)) continue;
          const about = [...shop.issues.values()].find((issue) => isAbout(request, issue));
          if (about === undefined) ofLists += 1;
          else ofIssues.set(about.id, (ofIssues.get(about.id) ?? 0) + 1);
        }
        return { summary, ofIssues, ofLists };
      }

      async function assertDone(options?: Partial<ImportOptions>): Promise<Run> {
        const found = await run(options);
        assert.equal(found.summary.state, 'done', found.summary.message);
        return found;
      }

      const picture = async () => {
        const found = await store.projectByPath('acme/shop');
        assert.ok(found);
        return await pictureOf(store, found.project);
      };

      const notesOf = async ({ id }: SourceIssue): Promise<string[]> => {
        const error = (await picture()).find(({ issue }) => issue === id);
        return (error?.['origin'] as { notes: { text: string }[] }).notes.map(({ text }) => text);
      };

      const eventsOf = async ({ id }: SourceIssue): Promise<string[]> => {
        const found = await store.projectByPath('acme/shop');
        const [error] = await store.findByExternalId(found!.project.id, id);
        return ((await store.listEvents(found!.project.id, error!.errorId, 100, null))?.items ?? []).map(
          ({ eventId }) => eventId,
        );
      };

      /** Asserts that only these issues were read, and of the others only what their list does not tell. */
      function assertRead({ ofIssues, ofLists }: Run, ...read: SourceIssue[]): void {
        assert.ok(ofLists <= MAX_OF_LISTS, `${ofLists} requests for lists:\n${source.requests.join('\n')}`);
        for (const { id, reports } of shop.issues.values()) {
          const count = ofIssues.get(id) ?? 0;
          // Urgentry lists reports without their issue.
          const known = OF_UNCHANGED[tracker] + (tracker === 'urgentry' ? reports.length : 0);
          if (read.some((one) => one.id === id)) assert.ok(count > known, `${id} was not read`);
          else assert.ok(count <= known, `${count} requests for ${id}`);
        }
      }

      it('ask nothing more of the issues, and change nothing', async () => {
        const first = await assertDone();
        assert.equal(first.ofIssues.size, ISSUES);
        const before = await picture();
        for (let count = 0; count < 2; count += 1) {
          assertRead(await assertDone());
          assert.deepEqual(await picture(), before);
        }
      });

      it('read only the issue that has changed', async () => {
        await assertDone();
        source.world.receive(shop, bodyOf(nameOf(3), { event_id: eventIdFor('new one') }));
        assertRead(await assertDone(), issues[3]!);
        assert.ok((await eventsOf(issues[3]!)).includes(eventIdFor('new one')));
        // Its last event is so new that others may not be shown yet.
        assertRead(await assertDone(), issues[3]!);
      });

      it('read an issue that got a late event of an earlier time', async () => {
        await assertDone();
        const issue = issues[4]!;
        const at = issue.lastSeen - 500;
        const body = bodyOf(nameOf(4), { event_id: eventIdFor('late') });
        issue.events.splice(-1, 0, { id: eventIdFor('late'), at, receivedAt: at, hash: issue.events[0]!.hash, body });
        shop.known.set(eventIdFor('late'), issue);
        issue.count += 1;
        shop.revision += 1;
        assertRead(await assertDone(), issue);
        assert.ok((await eventsOf(issue)).includes(eventIdFor('late')));
        assertRead(await assertDone());
      });

      it('read comments and user reports without a new event', async () => {
        await assertDone();
        const [one, other] = [issues[0]!, issues[5]!];
        one.notes.push({ id: '1', author: 'ada', text: 'looked at', at: Date.now() - 1000 });
        const reported = { id: '1', eventId: other.events[0]!.id, name: 'Bo', email: 'bo@x.example' };
        if (tracker !== 'bugsink') other.reports.push({ ...reported, comments: 'it broke', at: Date.now() - 1000 });
        other.status = 'resolved';
        assertRead(await assertDone(), one, other);
        assert.deepEqual(await notesOf(one), ['looked at']);
        assert.deepEqual(await notesOf(other), tracker === 'bugsink' ? [] : ['it broke']);
        assertRead(await assertDone());
        other.status = 'unresolved';
        if (tracker === 'bugsink') return;
        other.reports.push({ ...reported, id: '2', comments: 'again', at: Date.now() - 500 });
        assertRead(await assertDone(), other);
        assert.deepEqual((await notesOf(other)).sort(), ['again', 'it broke']);
      });

      it('read the time of a status that has changed without a new event, and merged and deleted issues', async () => {
        await assertDone();
        const [resolved, into, from, gone] = [issues[1]!, issues[6]!, issues[7]!, issues[8]!];
        resolved.status = 'resolved';
        resolved.activity.push({ type: 'set_resolved', at: Date.now() - 2000 });
        source.world.merge(from, into);
        source.world.remove(gone);
        shop.revision += 1;
        const { summary, ...asked } = await assertDone();
        assertRead({ summary, ...asked, ofLists: asked.ofLists - 2 }, resolved, into);
        const error = (await picture()).find(({ issue }) => issue === resolved.id);
        assert.equal(error?.['status'], 'resolved');
        assert.equal((await picture()).find(({ issue }) => issue === into.id)?.count, 10);
        const told = summary.left_outs.map(({ what }) => what);
        assert.ok(told.includes(`issue ${from.id}`) && told.includes(`issue ${gone.id}`), told.join());
      });

      it('read a comment on an issue that was not seen for long, where the list counts comments', async () => {
        const old = addIssue(ISSUES, 10 * 3600 * 1000);
        await assertDone();
        old.notes.push({ id: '1', author: 'ada', text: 'still there', at: Date.now() - 1000 });
        const found = await assertDone();
        if (tracker === 'bugsink') return;
        assertRead(found, old);
        assert.deepEqual(await notesOf(old), ['still there']);
        const again = await assertDone();
        assertRead(again);
        assert.equal(again.ofIssues.get(old.id), undefined);
      });

      it('read all recent issues again when they ask for more events', async () => {
        await assertDone({ eventsPerError: 1 });
        assertRead(await assertDone({ eventsPerError: 0 }));
        assertRead(await assertDone({ eventsPerError: 20 }), ...issues);
        assertRead(await assertDone({ eventsPerError: 20 }));
      });

      it('read an issue again that failed, and one whose live events came here since', async () => {
        await assertDone();
        const failing = issues[2]!;
        source.world.touch(failing, failing.lastSeen + 1);
        const fails =
          tracker === 'bugsink' ? new RegExp(`/events/\\?issue=${failing.id}`) : /\/issues\/[^?]*\/events\//;
        source.fail({ name: 'refused', serve: (response) => response.writeHead(418).end() }, fails);
        assert.equal((await run()).summary.state, 'failed');
        source.heal();
        assertRead(await assertDone(), failing);
        assertRead(await assertDone());
        const found = await store.projectByPath('acme/shop');
        const both = issues[9]!;
        await liveEvent(store, found!.project, bodyOf(nameOf(9)), both.events.at(-1)!.id);
        assertRead(await run(), both);
        await run();
        assert.equal((await picture()).find(({ issue }) => issue === both.id)?.count, 5);
      });
    });
  }
});
