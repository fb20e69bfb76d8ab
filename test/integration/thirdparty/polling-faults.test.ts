import assert from 'node:assert/strict';
import { DEFAULT_ALERTS } from '../../../src/domain/alerts/alert-rule.ts';
import { faults } from '../../support/fake-tracker/faults.ts';
import type { NewIssue } from '../../support/fake-tracker/world.ts';
import { MINUTE, startPolledWorld, type PolledWorld } from '../../support/polled-world.ts';

const HOUR = 60 * MINUTE;

describe('polling external trackers for alerts, when it is hindered', () => {
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

  describe('of a Sentry', () => {
    beforeEach(() => start('Sentry 26'));

    it('continue where they were after an hour without the tracker', async () => {
      const fixed = addIssue(HOUR, { status: 'resolved' });
      await here.poll();
      here.tracker.fail(faults.status(503));
      const added = [];
      for (let minute = 0; minute < 60; minute += 1) {
        if (minute % 10 === 0) added.push(addIssue());
        if (minute === 30) here.tracker.world.occurs(fixed);
        assert.deepEqual(await kinds(), []);
      }
      const failed = here.reports.filter((report) => report === 'failed').length;
      assert.ok(failed >= 3 && failed <= 8, `${failed} failed polls in an hour`);
      assert.equal(here.log.filter((line) => line.startsWith('warn')).length, 1, here.log.join('\n'));
      here.tracker.heal();
      const found: (readonly string[])[] = [];
      for (let minute = 0; minute < 30; minute += 1) found.push(...(await kinds()));
      const expected = [...added.map(({ id }) => `new ${id}`), `regressed ${fixed.id}`].sort();
      assert.deepEqual(found.map(([kind, id]) => `${kind} ${id}`).sort(), expected);
      assert.match(here.log.at(-1) ?? '', /polled for alerts again/);
    });

    it('wait as long as it asks', async () => {
      await here.poll();
      const asked = () => here.tracker.requests.length;
      here.tracker.fail(faults.throttled(1200));
      await here.poll();
      const [before, until] = [asked(), here.clock.at + 1200_000];
      while (here.clock.at < until - MINUTE) await here.poll();
      assert.equal(asked(), before);
      assert.deepEqual(here.reports, ['stock', 'limited']);
      here.tracker.heal();
      const issue = addIssue();
      assert.deepEqual([...(await kinds()), ...(await kinds())], [['new', issue.id]]);
      assert.deepEqual(here.log, []);
    });

    it('wait for the end of its window', async () => {
      await here.poll();
      here.tracker.fail(faults.rateLimited(Math.ceil(here.clock.at / 1000) + 600));
      await here.poll();
      const before = here.tracker.requests.length;
      for (let minute = 0; minute < 8; minute += 1) await here.poll();
      assert.equal(here.tracker.requests.length, before);
      here.tracker.heal();
      for (let minute = 0; minute < 3; minute += 1) await here.poll();
      assert.equal(here.reports.at(-1), 'polled');
    });

    it('stop asking with a revoked token, and continue with a new one', async () => {
      await here.poll();
      const [token] = here.tracker.world.tokens.splice(0);
      const before = here.tracker.requests.length;
      const issue = addIssue();
      for (let minute = 0; minute < 60; minute += 1) assert.deepEqual(await kinds(), []);
      assert.ok(here.tracker.requests.length - before < 30);
      assert.equal(here.log.length, 1);
      here.tracker.world.addToken('sntryu_new');
      const sealedToken = here.trackers.cipher.encrypt('sntryu_new', here.project.id);
      await here.store.saveSettings(here.project.id, { sealedToken });
      assert.deepEqual(await kinds(), [['new', issue.id]]);
      assert.ok(token !== undefined && !JSON.stringify(here.log).includes(token.text));
    });

    it('add a fact once when the gateway is killed before it notes what it found', async () => {
      const fixed = addIssue(HOUR, { status: 'resolved' });
      await here.poll();
      await here.job.stop();
      const killed = here.gateway('killed', {
        saveImportState: () => Promise.reject(new Error('killed')),
      });
      const issue = addIssue();
      here.tracker.world.occurs(fixed);
      const expected = [['new', issue.id], ['regressed', fixed.id]]; // prettier-ignore
      assert.deepEqual((await kinds(here.poll(killed))).sort(), expected);
      await killed.stop();
      const successor = here.gateway('successor');
      assert.deepEqual(await kinds(here.poll(successor)), []);
      here.tracker.world.occurs(issue);
      assert.deepEqual(await kinds(here.poll(successor)), []);
      assert.equal(here.reports.at(-1), 'polled');
      assert.equal((await here.facts()).length, 2);
    });

    it('are made by one gateway, and by another one after its end', async () => {
      await here.poll();
      const before = here.tracker.requests.length;
      const second = here.gateway('second');
      await second.run();
      await second.settled();
      assert.equal(here.tracker.requests.length, before);
      const issue = addIssue();
      await here.job.stop();
      assert.deepEqual(await kinds(here.poll(second)), [['new', issue.id]]);
      const asked = here.tracker.requests.length;
      await here.poll();
      assert.equal(here.tracker.requests.length, asked);
    });

    it('take stock again after a change of the link, and forget after its end', async () => {
      addIssue(HOUR);
      await here.poll();
      const other = here.tracker.world.addProject('acme', 'other', '12');
      const there = () =>
        here.tracker.world.addIssue(other, { title: 'other', events: [{ at: here.tracker.world.now }] });
      there();
      await here.store.saveSettings(here.project.id, {
        apiUrl: `${here.tracker.origin}/api/0/projects/acme/other/`,
        thirdpartyProjectId: '12',
      });
      assert.deepEqual(await kinds(), []);
      const issue = there();
      assert.deepEqual(await kinds(), [['new', issue.id]]);

      for (const end of [{ integrated: true }, { integrated: false, active: false }, { active: true, apiUrl: null }]) {
        await here.store.saveSettings(here.project.id, end);
        const before = here.tracker.requests.length;
        await here.poll();
        assert.equal(here.tracker.requests.length, before);
        assert.equal(await state(), 'null');
      }
      await here.store.saveSettings(here.project.id, { apiUrl: `${here.tracker.origin}/api/0/projects/acme/other/` });
      there();
      assert.deepEqual(await kinds(), []);
      await here.store.saveProjectAlerts(here.project.id, { ...DEFAULT_ALERTS, poll: false });
      await here.poll();
      assert.equal(await state(), 'null');
      await here.store.deleteProject(here.project.id);
      await here.poll();
      assert.equal(await state(), null);
    });

    it('are off by default', async () => {
      await here.store.saveProjectAlerts(here.project.id, DEFAULT_ALERTS);
      let writes = 0;
      const idle = here.gateway('idle', {
        acquireLease: () => Promise.resolve((writes += 1) > 0),
        saveImportState: () => Promise.resolve(void (writes += 1)),
      });
      await here.poll(idle);
      await here.poll();
      assert.equal(here.tracker.requests.length, 0);
      assert.equal(writes, 0);
    });

    it('add nothing for a link that ended while the tracker answered', async () => {
      await here.poll();
      addIssue();
      here.tracker.fail(faults.late(300));
      here.pass(MINUTE);
      await here.job.run();
      await here.store.saveSettings(here.project.id, { integrated: true });
      await here.job.settled();
      assert.deepEqual(await here.facts(), []);
      assert.equal(here.reports.at(-1), 'lost');
    });
  });

  describe('of several projects', () => {
    beforeEach(() => start('GlitchTip 5.2'));

    it('go on while one tracker does not answer', async () => {
      await here.poll();
      const { store, trackers, tracker } = here;
      const slow = await store.createProject({ path: 'group/slow', name: 'slow', visibility: 'private' });
      tracker.world.addProject('slow', 'slow', '31');
      await store.saveSettings(slow.id, {
        active: true,
        integrated: false,
        apiUrl: `${tracker.origin}/api/0/projects/slow/slow/`,
        thirdpartyProjectId: '31',
        sealedToken: trackers.cipher.encrypt('sntryu_slow', slow.id),
      });
      await store.saveProjectAlerts(slow.id, { ...DEFAULT_ALERTS, poll: true });
      tracker.fail(faults.hang(), /slow/);
      here.pass(MINUTE);
      await here.job.run();
      here.pass(MINUTE);
      const issue = addIssue();
      await here.job.run();
      for (let tries = 0; tries < 500 && (await here.facts()).length === 0; tries += 1) {
        await new Promise((resolve) => setImmediate(resolve));
      }
      assert.deepEqual(
        (await here.facts()).map(({ errorId }) => errorId),
        [issue.id],
      );
      await here.job.stop();
      assert.equal(await store.importState(`${slow.id}/alert-polling`), null);
    });
  });

  describe('of a Bugsink', () => {
    beforeEach(() => start('Bugsink'));

    it('fail with growing delays, because it has no lists of issues', async () => {
      for (let minute = 0; minute < 60; minute += 1) assert.deepEqual(await kinds(), []);
      assert.ok(here.reports.every((report) => report === 'failed'));
      assert.ok(here.reports.length <= 7, `${here.reports.length} polls`);
      assert.equal(here.log.length, 1);
      // The strict tracker does not know the route of issues.
      here.tracker.violations.splice(0);
    });
  });
});
