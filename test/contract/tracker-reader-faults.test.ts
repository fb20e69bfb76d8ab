import assert from 'node:assert/strict';
import { AppError } from '../../src/domain/app-error.ts';
import type { NewSourceIssue } from '../support/fake-source/source-records.ts';
import { SOURCE_TRACKERS } from '../support/fake-source/source-world.ts';
import { faults } from '../support/fake-tracker/faults.ts';
import { collect, idsIn, READER_TOKEN, sdkEvent, useReader } from '../support/reader-world.ts';

const signal = new AbortController().signal;

for (const tracker of SOURCE_TRACKERS) {
  describe(`faults of ${tracker}`, () => {
    const w = useReader(tracker);

    it('bounds times of 1970 and 2999, long texts and strange ids', async () => {
      const specs: NewSourceIssue[] = [
        { firstSeen: 0, lastSeen: w.now - 5000 },
        { firstSeen: w.now - 9000, lastSeen: Date.UTC(2999, 0, 1) },
        { title: 'x'.repeat(50_000), value: 'y'.repeat(50_000) },
        { id: 'a/b?c' },
      ];
      for (const spec of specs) w.source.world.addIssue(w.shop, spec);
      const pages = await collect(w.reader.issues('shop', 'recent', null, signal));
      const issues = pages.flatMap((page) => page.issues);
      assert.equal(issues.length, 3);
      for (const { firstSeen, lastSeen, title, message } of issues) {
        assert.ok(firstSeen > w.now - 100_000 && lastSeen <= w.now + 1000);
        assert.ok(firstSeen <= lastSeen);
        assert.ok(title.length <= 1000 && (message ?? '').length <= 10_000);
      }
      assert.equal(pages.flatMap(({ leftOut }) => leftOut).length, 1);
    });

    it('repeats after errors in the middle, and waits for limits', async () => {
      w.source.world.addIssues(w.shop, 620);
      w.source.fail(faults.status(500), /issues/, 2);
      w.source.fail(faults.reset(), /issues.*cursor/, 1);
      w.source.fail(faults.rateLimited(Math.ceil(w.now / 1000) + 3), /issues.*cursor/, 2);
      const found = idsIn(await collect(w.reader.issues('shop', 'all', null, signal)));
      assert.equal(new Set(found).size, 620);
      assert.ok(
        w.slept.some((ms) => ms > 1000 && ms <= 4000),
        `waits: ${w.slept.join()}`,
      );
      w.source.assertClean();
    });

    it('gives up when the tracker stays away, and at once when the caller does', async () => {
      w.source.fail(faults.status(503), /issues/);
      await assert.rejects(collect(w.reader.issues('shop', 'all', null, signal)), (error) => {
        assert.ok(error instanceof AppError);
        assert.equal(error.code, 'tracker_refused');
        return true;
      });
      w.source.heal();
      const end = new AbortController();
      w.source.before = () => end.abort();
      w.source.world.addIssues(w.shop, 10);
      await assert.rejects(collect(w.reader.issues('shop', 'all', null, end.signal)), (error) => {
        assert.ok(error instanceof AppError && error.details?.reason === 'aborted');
        return true;
      });
    });

    it('says that a token was revoked, and which scope one lacks', async () => {
      w.source.world.addIssues(w.shop, 3);
      w.source.world.revoke(READER_TOKEN);
      await assert.rejects(collect(w.reader.issues('shop', 'all', null, signal)), /token is not accepted|invalid/i);
      w.source.world.addToken(READER_TOKEN, ['org:read', 'project:read']);
      await assert.rejects(collect(w.reader.issues('shop', 'all', null, signal)), /(?:event|issues):read/);
    });

    // Bugsink has no page size.
    if (tracker !== 'bugsink')
      it('leaves out the one row of a list that is too large', async () => {
        const all = w.source.world.addIssues(w.shop, 40);
        Object.assign(all[17] ?? {}, { title: 'z'.repeat(17 * 1024 * 1024) });
        const pages = await collect(w.reader.issues('shop', 'all', null, signal));
        const reasons = pages.flatMap(({ leftOut }) => leftOut).map(({ reason }) => reason);
        assert.equal(new Set(idsIn(pages)).size, 39);
        assert.match(reasons.join(), /too big/);
        w.source.assertClean();
      });

    it('ends an answer of 500 MB at its bound and does without that event', async () => {
      const issue = w.source.world.addIssue(w.shop, { bodies: [{ body: sdkEvent(1) }] });
      w.source.fail(faults.huge(500), tracker === 'bugsink' ? /events\/[\w-]{36}/ : /events\/\w{32}/);
      assert.deepEqual(await collect(w.reader.events('shop', issue.id, 1, signal)), []);
      assert.match(w.reader.cannot.join(), /too big/);
      w.source.assertClean();
    });
  });
}
