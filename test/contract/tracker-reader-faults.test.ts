import assert from 'node:assert/strict';
import { AppError } from '../../src/domain/app-error.ts';
import { openReader } from '../../src/import/readers/open-reader.ts';
import { createUrlGuard } from '../../src/thirdparty/guard/url-guard.ts';
import type { NewSourceIssue } from '../support/fake-source/source-records.ts';
import { SOURCE_TRACKERS } from '../support/fake-source/source-world.ts';
import { faults } from '../support/fake-tracker/faults.ts';
import { collect, idsIn, READER_TOKEN, sdkEvent, useReader, wanted } from '../support/reader-world.ts';

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

    it('asks again where a page came instead of data, three times in all', async () => {
      w.source.world.addIssues(w.shop, 5);
      for (const [fault, times] of [
        [faults.htmlLogin(), 1],
        [faults.htmlAsJson(), 2],
      ] as const) {
        w.source.fail(fault, /issues/, times);
        assert.equal(idsIn(await collect(w.reader.issues('shop', 'all', null, signal))).length, 5, fault.name);
      }
      w.source.assertClean();
      w.source.fail(faults.htmlLogin(), /issues/);
      w.source.requests.length = 0;
      await assert.rejects(collect(w.reader.issues('shop', 'all', null, signal)), { code: 'tracker_invalid_answer' });
      assert.equal(w.source.requests.length, 3);
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
      w.source.fail(faults.huge(500), tracker === 'bugsink' ? /events\/[\w-]{36}/ : /events\/(?:\w{32}|\?)/);
      assert.deepEqual(await collect(w.reader.events('shop', issue.id, wanted(1), signal)), []);
      assert.match(w.reader.cannot.join(), /too big/);
      w.source.assertClean();
    });
  });
}

for (const tracker of SOURCE_TRACKERS) {
  describe(`kind of ${tracker}`, () => {
    const w = useReader(tracker);

    it('is not guessed while a page fails that would tell it', async () => {
      const pages = ['client-config', 'api/settings', 'api/0/$', 'client-config|api/settings'];
      for (const failing of [...pages, pages.join('|')]) {
        w.source.fail(faults.status(503), new RegExp(failing));
        const opened = await w.open().catch((error: unknown) => error as AppError);
        w.source.heal();
        if (opened instanceof AppError) {
          assert.equal(opened.code, 'tracker_unreachable', failing);
          assert.match(opened.message, /run the import again, or name it with --kind/);
        } else {
          assert.equal(opened.kind, tracker, failing);
          opened.close();
        }
      }
    });
  });
}

describe('reader of sentry', () => {
  const w = useReader('sentry');
  const GONE = JSON.stringify({ detail: 'The requested resource does not exist' });
  const gone = faults.status(404, GONE, { 'content-type': 'application/json' });

  it('reads windows of time where projects have no list of errors', async () => {
    const day = 86_400_000;
    const all = Array.from({ length: 260 }, (_, index) => {
      const at = w.now - index * 0.9 * day;
      return w.source.world.addIssue(w.shop, {
        value: `old ${index}`,
        firstSeen: at - 20 * day,
        lastSeen: at,
        count: 40,
      });
    });
    w.source.fail(gone, /projects\/acme\/shop\/issues/);
    const pages = await collect(w.reader.issues('shop', 'all', null, signal));
    const found = idsIn(pages);
    assert.equal(new Set(found).size, found.length);
    assert.deepEqual(found.sort(), all.map(({ id }) => id).sort());
    // The counts of the windows are not those of the issues.
    assert.ok(pages.every(({ issues }) => issues.every(({ count, users }) => count === 40 && users === 1)));
    const resumed = idsIn(await collect(w.reader.issues('shop', 'all', pages[0]?.next ?? null, signal)));
    assert.ok(resumed.length > 200);
    w.source.assertClean();
  });

  it('names missing scopes before it begins, and does without them', async () => {
    w.source.world.addToken(READER_TOKEN, ['project:read']);
    const few = await w.open();
    assert.match(few.cannot.join('\n'), /org:read/);
    assert.match(few.cannot.join('\n'), /event:read/);
    // Projects of the token instead of those of the organization.
    assert.equal((await collect(few.projects(signal))).length, 2);
    assert.match(few.lacks('projects').join(), /scope org:read/);
    assert.equal((await collect(few.keys('shop', signal))).length, 1);
    few.close();
    w.source.world.addToken(READER_TOKEN, ['event:read']);
    const blind = await w.open();
    await assert.rejects(collect(blind.releases('shop', signal)), /project:releases/);
    await assert.rejects(blind.alertRules('shop', signal), /alerts:read/);
    await assert.rejects(collect(blind.keys('shop', signal)), /project:read/);
    blind.close();
    w.source.assertClean();
  });

  it('leaves out issues that are no errors, and names passing states', async () => {
    w.source.world.addIssue(w.shop, { category: 'performance' });
    w.source.world.addIssue(w.shop, { status: 'pending_merge' });
    w.source.world.addIssue(w.shop, {
      status: 'ignored',
      substatus: 'archived_until_condition_met',
      statusDetails: { ignoreCount: 10 },
    });
    const pages = await collect(w.reader.issues('shop', 'all', null, signal));
    const [first, second] = pages.flatMap(({ issues }) => issues);
    assert.match(pages[0]?.leftOut[0]?.reason ?? '', /performance/);
    assert.deepEqual([first?.status, first?.skipped], [null, 'pending_merge']);
    assert.deepEqual(JSON.parse(second?.status?.details ?? ''), {
      ignoreCount: 10,
      substatus: 'archived_until_condition_met',
    });
  });

  it('reads workflows where there are no rules', async () => {
    w.shop.rules.push({ name: 'New errors', condition: 'An error is new', action: 'email' });
    w.source.fail(gone, /\/rules\//);
    assert.deepEqual(await w.reader.alertRules('shop', signal), ['New errors; when first_seen_event; then email']);
    w.source.assertClean();
  });

  it('takes its own clock when that of the tracker is wrong by more than a day', async () => {
    w.source.world.addIssues(w.shop, 1);
    w.source.world.now = () => Date.UTC(2999, 0, 1);
    const [page] = await collect(w.reader.issues('shop', 'all', null, signal));
    assert.equal(page?.at, w.now);
    w.source.world.now = () => w.now - 3_600_000;
    const [slow] = await collect(w.reader.issues('shop', 'all', null, signal));
    assert.ok(Math.abs((slow?.at ?? 0) - w.now + 3_600_000) < 1001);
  });

  it('skips keys that the tracker made for itself', async () => {
    w.source.world.addKey(w.shop, { useCase: 'profiling' });
    assert.equal((await collect(w.reader.keys('shop', signal))).length, 1);
  });

  it('ends a list that repeats itself', async () => {
    w.source.world.addIssues(w.shop, 3);
    const link = `<${w.source.origin}/x?cursor=1:0:0>; rel="next"; results="true"; cursor="1:0:0"`;
    const row = { id: '5', title: 't', status: 'unresolved', count: '1', project: { id: '7' } };
    const headers = { 'content-type': 'application/json', link };
    w.source.fail(faults.status(200, JSON.stringify([row]), headers), /issues/);
    assert.deepEqual(idsIn(await collect(w.reader.issues('shop', 'all', null, signal))), ['5']);
  });

  it('survives deep and strange answers', async () => {
    w.source.fail(faults.deep(), /issues/, 1);
    await collect(w.reader.issues('shop', 'all', null, signal)).catch((error: unknown) =>
      assert.ok(error instanceof AppError),
    );
    w.source.heal();
    w.source.fail(faults.json({ rows: [] }), /notes|releases|hashes|oldest/);
    const noList = { code: 'tracker_invalid_answer', message: /sent no list/ };
    await assert.rejects(w.reader.comments('shop', '1', signal), noList);
    await assert.rejects(collect(w.reader.releases('shop', signal)), noList);
    w.source.heal();
    w.source.fail(faults.json([null, 5, 'x', {}, { id: {} }]), /issues/);
    const [page] = await collect(w.reader.issues('shop', 'all', null, signal));
    assert.ok(page !== undefined);
    assert.deepEqual(page.issues, []);
    assert.ok(page.leftOut.length >= 1);
  });

  it('refuses addresses that are blocked, and those without a tracker', async () => {
    const clock = { now: () => w.now };
    const source = { url: w.source.origin, organization: 'acme', token: () => READER_TOKEN, kind: null };
    await assert.rejects(openReader({ guard: createUrlGuard({ allow: '' }), clock }, source, signal), (error) => {
      assert.ok(error instanceof AppError && error.code === 'tracker_blocked');
      return true;
    });
    w.source.fail(faults.json({}), /api/);
    const open = openReader({ guard: createUrlGuard({ allow: '127.0.0.1' }), clock }, source, signal);
    await assert.rejects(open, (error) => {
      assert.ok(error instanceof AppError && error.code === 'bad_request');
      return true;
    });
  });
});
