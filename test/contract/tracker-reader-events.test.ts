import assert from 'node:assert/strict';
import type { RemoteEvent } from '../../src/import/tracker-reader.ts';
import { SOURCE_TRACKERS } from '../support/fake-source/source-world.ts';
import { faults } from '../support/fake-tracker/faults.ts';
import { collect, sdkEvent, useReader, wanted } from '../support/reader-world.ts';

const signal = new AbortController().signal;

for (const tracker of SOURCE_TRACKERS) {
  describe(`events of ${tracker}`, () => {
    const w = useReader(tracker);

    it('gives one event for each hash of the tracker, the oldest, and the newest', async () => {
      const day = 86_400_000;
      const bodies = Array.from({ length: 12 }, (_, index) => ({
        body: sdkEvent(index + 1),
        at: w.now - (12 - index) * 20 * day,
        hash: index % 3 === 0 ? 'a'.repeat(32) : 'c'.repeat(32),
      }));
      const issue = w.source.world.addIssue(w.shop, { bodies, firstSeen: w.now - 300 * day, lastSeen: w.now });
      const idOf = (index: number): string => (index + 1).toString(16).padStart(32, '0');
      const some = (await collect(w.reader.events('shop', issue.id, wanted(1), signal))).map(({ eventId }) => eventId);
      assert.equal(new Set(some).size, some.length);
      assert.ok(some.includes(idOf(11)), 'newest');
      if (tracker === 'sentry' || tracker === 'bugsink') assert.ok(some.includes(idOf(0)), 'oldest');
      if (tracker !== 'bugsink') assert.ok(some.includes(idOf(9)), 'newest of the other hash');
      // Events beyond 90 days need windows of time.
      const all = await collect(w.reader.events('shop', issue.id, wanted(100), signal));
      assert.deepEqual(all.map(({ eventId }) => eventId).sort(), bodies.map((_, index) => idOf(index)).sort());
      for (const event of all) checkBody(event);
      w.source.assertClean();
    });

    it('reads bodies by pages, and as sent only where a group key needs it', async () => {
      const bodies = Array.from({ length: 20 }, (_, index) => ({
        body: { ...sdkEvent(index + 1), level: 'warning', fingerprint: ['sent'] },
        at: w.now - (21 - index) * 60_000,
        hash: 'a'.repeat(32),
      }));
      const firstSeen = bodies[0]?.at ?? 0;
      const issue = w.source.world.addIssue(w.shop, { bodies, firstSeen, lastSeen: w.now });
      const before = w.source.requests.length;
      const all = await collect(w.reader.events('shop', issue.id, wanted(20, firstSeen), signal));
      const asked = w.source.requests.slice(before);
      assert.equal(all.length, 20);
      for (const event of all) {
        checkBody(event);
        if (tracker !== 'urgentry') assert.equal(event.body.level, 'warning');
      }
      // Lists of Urgentry lack contexts and releases, those of Bugsink bodies.
      if (tracker === 'sentry' || tracker === 'glitchtip') {
        assert.ok(asked.length <= (tracker === 'sentry' ? 3 : 4), asked.join('\n'));
        const asSent = all.filter(({ isShownOnly }) => isShownOnly !== true).map(({ eventId }) => eventId);
        assert.deepEqual(
          asSent.sort(),
          [1, 20].map((index) => index.toString(16).padStart(32, '0')),
        );
      }
      w.source.assertClean();
    });

    if (tracker === 'sentry' || tracker === 'glitchtip')
      it('reads one event of each group key as it was sent, also below one hash of the tracker', async () => {
        const bodies = Array.from({ length: 12 }, (_, index) => ({
          body: sdkEvent(index + 1),
          at: w.now - (21 - index) * 60_000,
          hash: 'a'.repeat(32),
        }));
        const issue = w.source.world.addIssue(w.shop, { bodies, lastSeen: w.now });
        // Three keys, in turn.
        const keyOf = ({ eventId }: RemoteEvent): string => String(Number.parseInt(eventId, 16) % 3);
        const all = await collect(w.reader.events('shop', issue.id, { ...wanted(20), keyOf }, signal));
        assert.equal(all.length, 12);
        const asSent = all.filter(({ isShownOnly }) => isShownOnly !== true);
        assert.deepEqual(
          asSent.map(({ eventId }) => Number.parseInt(eventId, 16)).sort((a, b) => a - b),
          [1, 10, 11, 12],
        );
        w.source.assertClean();
      });

    if (tracker === 'sentry' || tracker === 'glitchtip')
      it('asks for events alone where a list does not have their entries', async () => {
        const bodies = [1, 2, 3].map((index) => ({
          body: sdkEvent(index),
          at: w.now - (4 - index) * 60_000,
          hash: 'a'.repeat(32),
        }));
        const issue = w.source.world.addIssue(w.shop, { bodies, lastSeen: w.now });
        const rows = [3, 2, 1].map((index) => ({ id: index.toString(16).padStart(32, '0'), title: 'x' }));
        w.source.fail(faults.status(200, JSON.stringify(rows), { 'content-type': 'application/json' }), /events\/\?/);
        const all = await collect(w.reader.events('shop', issue.id, wanted(20), signal));
        assert.equal(all.filter(({ isShownOnly }) => isShownOnly !== true).length, 3);
        for (const event of all) checkBody(event);
      });

    if (tracker === 'sentry' || tracker === 'glitchtip')
      it('halves pages of events that are too large, and does without the one that is', async () => {
        const bodies = Array.from({ length: 6 }, (_, index) => ({
          body: { ...sdkEvent(index + 1), extra: { text: index === 3 ? 'x'.repeat(17 * 1024 * 1024) : '' } },
          hash: 'a'.repeat(32),
        }));
        const issue = w.source.world.addIssue(w.shop, { bodies, lastSeen: w.now });
        const all = await collect(w.reader.events('shop', issue.id, wanted(20), signal));
        assert.deepEqual(all.map(({ eventId }) => Number.parseInt(eventId, 16)).sort(), [1, 2, 3, 5, 6]);
        assert.match(w.reader.cannot.join(), /an event of issue .* too big/);
        w.source.assertClean();
      });

    function checkBody({ eventId, body, at }: RemoteEvent): void {
      const index = Number.parseInt(eventId, 16);
      const values = (body.exception as { values: { value: string }[] }).values;
      assert.equal(values[0]?.value, `number ${index}`);
      assert.equal(body.event_id, eventId);
      assert.ok(at < w.now);
    }
  });
}
