import assert from 'node:assert/strict';
import { PERSONALITY_NAMES } from '../../support/fake-tracker/personality.ts';
import type { NewIssue } from '../../support/fake-tracker/world.ts';
import { MINUTE, startPolledWorld, type PolledWorld } from '../../support/polled-world.ts';

const HOUR = 60 * MINUTE;

describe('polling external trackers for alerts', () => {
  let here: PolledWorld;

  const start = async (...args: Parameters<typeof startPolledWorld>): Promise<void> => {
    here = await startPolledWorld(...args);
  };
  afterEach(async () => {
    here.tracker.assertClean();
    await here.close();
  });

  const addIssue = (ageMs = 0, spec: Partial<NewIssue> = {}) => {
    const { world } = here.tracker;
    return world.addIssue(here.shop, { title: 'ValueError: it broke', events: [{ at: world.now - ageMs }], ...spec });
  };
  const kinds = async (polled = here.poll()) => (await polled).map(({ kind, errorId }) => [kind, errorId]);
  const state = () => here.store.importState(`${here.project.id}/alert-polling`);

  for (const name of PERSONALITY_NAMES) {
    describe(`of the kind ${name}`, () => {
      beforeEach(() => start(name));

      it('report nothing of what was there', async () => {
        for (let number = 0; number < 120; number += 1) addIssue(number * HOUR);
        addIssue(HOUR, { status: 'resolved' });
        addIssue(0, { status: 'ignored' });
        assert.deepEqual(await kinds(), []);
        assert.deepEqual(await kinds(), []);
        assert.deepEqual(here.reports, ['stock', 'polled']);
      });

      it('report a new issue once, with what is known of it', async () => {
        addIssue(HOUR);
        await here.poll();
        here.pass(10_000);
        const issue = addIssue(2000, { title: 'TypeError: x is undefined', level: 'fatal' });
        const [fact, ...others] = await here.poll();
        assert.deepEqual(others, []);
        assert.equal(fact?.kind, 'new');
        assert.deepEqual(
          [fact.projectId, fact.errorId, fact.title, fact.level, fact.environment],
          [here.project.id, issue.id, issue.title, 'fatal', null],
        );
        assert.ok(fact.at <= here.clock.at && fact.at > here.clock.at - 2 * MINUTE);
        here.tracker.world.occurs(issue);
        assert.deepEqual(await kinds(), []);
      });

      it('report a resolved issue that is unresolved again, each time', async () => {
        const [first, second] = [addIssue(HOUR, { status: 'resolved' }), addIssue(2 * HOUR)];
        await here.poll();
        here.tracker.world.occurs(first);
        assert.deepEqual(await kinds(), [['regressed', first.id]]);
        here.tracker.world.occurs(first);
        second.status = 'resolved';
        assert.deepEqual(await kinds(), []);
        // Reopened by hand.
        second.status = 'unresolved';
        assert.deepEqual(await kinds(), [['regressed', second.id]]);
        first.status = 'resolved';
        assert.deepEqual(await kinds(), []);
        here.tracker.world.occurs(first);
        assert.deepEqual(await kinds(), [['regressed', first.id]]);
      });

      it('report nothing of ignored issues, and of those that are resolved at once', async () => {
        await here.poll();
        const ignored = addIssue(0, { status: 'ignored' });
        const resolved = addIssue(0, { status: 'resolved' });
        assert.deepEqual(await kinds(), []);
        ignored.status = 'unresolved';
        here.tracker.world.occurs(ignored);
        here.tracker.world.occurs(resolved);
        const found = await kinds();
        assert.ok(found.some(([kind, id]) => kind === 'regressed' && id === resolved.id));
      });

      it('report all issues of a busy minute once, while issues move between pages', async () => {
        const old = Array.from({ length: 150 }, (_, number) => addIssue(HOUR + number * MINUTE));
        await here.poll();
        const added = Array.from({ length: 230 }, (_, number) => addIssue(number * 100));
        for (const issue of old.slice(100)) here.tracker.world.occurs(issue);
        const found = await here.facts();
        assert.deepEqual(found, []);
        const facts = await here.poll();
        assert.deepEqual(new Set(facts.map(({ errorId }) => errorId)), new Set(added.map(({ id }) => id)));
        assert.equal(facts.length, added.length);
        for (const issue of old.slice(0, 60)) here.tracker.world.occurs(issue);
        assert.deepEqual(await kinds(), []);
      });

      it('report an issue whose first event arrived late', async () => {
        for (let number = 0; number < 5; number += 1) addIssue(number * MINUTE);
        await here.poll();
        await here.poll();
        const late = addIssue(20 * MINUTE);
        assert.deepEqual(await kinds(), [['new', late.id]]);
      });

      it('need few pages for many issues at the first poll, and find changes of all of them', async () => {
        const { world } = here.tracker;
        const issues = Array.from({ length: 10_000 }, (_, number) =>
          addIssue(HOUR + number * 1000, number % 2 === 0 ? {} : { status: 'resolved' }),
        );
        assert.deepEqual(await kinds(), []);
        const lists = here.tracker.requests.filter(({ target }) => target.includes('/issues/'));
        assert.ok(lists.length <= 20, `${lists.length} requests`);
        assert.ok(((await state()) ?? '').length < 400_000);
        const added = addIssue();
        world.occurs(issues[9998]!);
        world.occurs(issues[301]!);
        const expected = [['new', added.id], ['regressed', issues[301]!.id]]; // prettier-ignore
        assert.deepEqual((await kinds()).sort(), expected);
        // Every poll reads a further page of resolved issues.
        for (let minute = 0; minute < 15; minute += 1) await here.poll();
        world.occurs(issues[3001]!);
        assert.deepEqual(await kinds(), [['regressed', issues[3001]!.id]]);
      }).timeout(120_000);
    });
  }

  describe('of a Sentry with marks', () => {
    beforeEach(() => start('Sentry 26'));

    it('report issues that it marks as regressed, once', async () => {
      const [before, later] = [addIssue(HOUR), addIssue(HOUR)];
      before.substatus = 'regressed';
      await here.poll();
      later.substatus = 'regressed';
      for (const issue of [before, later]) here.tracker.world.occurs(issue);
      assert.deepEqual(await kinds(), [['regressed', later.id]]);
      for (const issue of [before, later]) here.tracker.world.occurs(issue);
      assert.deepEqual(await kinds(), []);
      later.substatus = null;
      await here.poll();
      later.substatus = 'regressed';
      assert.deepEqual(await kinds(), [['regressed', later.id]]);
    });
  });
});
