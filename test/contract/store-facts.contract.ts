import assert from 'node:assert/strict';
import { counted, importIssue, makeIssue, makeSource } from '../support/import-data.ts';
import { factSetUp } from '../support/fact-set-up.ts';
import { hexId, HOUR, makeEvent, NOON, TestJournal } from '../support/store-data.ts';
import type { StoreHarness } from '../support/store-harness.ts';

/** Facts that batches, roll-ups and ended mutes leave: each once, whatever is replayed. */
export function factsContract(harness: () => StoreHarness): void {
  const setUp = () => factSetUp(harness().store);

  describe('facts of new errors', () => {
    it('have the first event’s texts, once per error', async () => {
      const { store, project, happen, idOf, facts } = await setUp();
      await happen('a', NOON, { release: '1.0', environment: 'staging', level: 'fatal' });
      await happen('a', NOON + 1, { release: '2.0' });
      const [fact, ...more] = await facts();
      assert.deepEqual(more, []);
      const id = await idOf('a');
      assert.ok(fact !== undefined && fact.seq > 0);
      const { seq: _, ...given } = fact;
      assert.deepEqual(given, {
        id: `new:${hexId(`${project.id} a`)}`,
        ...{ kind: 'new', cause: {}, projectId: project.id, errorId: id, at: NOON },
        ...{ type: 'ValueError', title: 'ValueError: bad value in a', message: 'bad value in a' },
        ...{ culprit: 'app.views in handler', level: 'fatal', release: '1.0', environment: 'staging', silence: null },
      });
      assert.deepEqual(await store.factsOfError(project.id, id), [fact]);
    });

    it('are those of the oldest event of a batch that brings several', async () => {
      const { project, journal, facts } = await setUp();
      const event = (name: string, at: number, release: string) =>
        makeEvent(project, name, { group: 'a', at, release });
      await journal.apply([event('later', NOON + 5, '2.0'), event('first', NOON, '1.0')]);
      assert.deepEqual((await facts()).map(({ at, release }) => [at, release]), [[NOON, '1.0']]); // prettier-ignore
    });

    it('are not repeated by duplicates, copies of journals and repeats in other journals', async () => {
      const { store, project, journal, facts } = await setUp();
      const events = [makeEvent(project, 'one', { group: 'a' })];
      await journal.apply(events);
      await journal.apply(events);
      await new TestJournal(store, 'other').apply(events);
      assert.deepEqual((await facts()).map(({ kind }) => kind), ['new']); // prettier-ignore
    });

    it('are not made by imports, nor by events of imported errors', async () => {
      const { store, project, happen, ids } = await setUp();
      const source = await makeSource(store, project);
      await importIssue(store, project, makeIssue(source, '1'), 500, ['a']);
      await happen('a', NOON + HOUR);
      assert.deepEqual(await ids(), []);
      await happen('b', NOON + HOUR);
      assert.deepEqual(await ids(), ['new:b']);
    });
  });

  describe('facts of statuses that end', () => {
    it('say which event reopened an error, once per resolution', async () => {
      const { happen, set, idOf, facts, ids } = await setUp();
      await happen('a', NOON - HOUR);
      const id = await idOf('a');
      await set(id, 'resolved');
      await happen('a', NOON - 1001, { receivedAt: NOON + HOUR });
      assert.deepEqual(await ids(), ['new:a']);
      await happen('a', NOON + 5, {
        receivedAt: NOON + 5,
        release: '2.0',
        environment: 'production',
        title: 'ValueError: new',
      });
      await happen('a', NOON + 6);
      const [, fact] = await facts();
      assert.deepEqual(await ids(), ['new:a', `regressed:a:${NOON}`]);
      assert.deepEqual(
        [fact?.kind, fact?.cause, fact?.errorId, fact?.at, fact?.release, fact?.environment, fact?.title],
        ['regressed', {}, id, NOON + 5, '2.0', 'production', 'ValueError: new'],
      );
      await set(id, 'resolved', undefined, NOON + HOUR);
      await happen('a', NOON + 2 * HOUR);
      assert.deepEqual(await ids(), ['new:a', `regressed:a:${NOON}`, `regressed:a:${NOON + HOUR}`]);
    });

    it('wait for a newer release, where the status does', async () => {
      const { happen, set, idOf, ids, facts } = await setUp();
      await happen('a', NOON - HOUR, { release: '1.0.0' });
      await set(await idOf('a'), 'resolved', { details: { inRelease: '1.0.0' } });
      await happen('a', NOON + 1, { release: '1.0.0' });
      assert.deepEqual(await ids(), ['new:a']);
      await happen('a', NOON + 2, { release: '1.1.0', environment: 'production' });
      assert.deepEqual(await ids(), ['new:a', `regressed:a:${NOON}`]);
      const [, fact] = await facts();
      assert.deepEqual([fact?.release, fact?.environment], ['1.1.0', 'production']);
    });

    it('name the condition that ended an ignored one', async () => {
      const { store, happen, set, idOf, ids, facts } = await setUp();
      for (const group of ['a', 'b', 'c']) await happen(group, NOON - HOUR);
      await set(await idOf('a'), 'ignored', { details: { ignoreCount: 1 } });
      await set(await idOf('b'), 'ignored', { details: { ignoreUserCount: 1 } });
      await set(await idOf('c'), 'ignored', { details: { ignoreUntil: NOON + HOUR } });
      await happen('a', NOON + 1, { release: '2.0', environment: 'production' });
      await happen('b', NOON + 2, { user: 'ada' });
      assert.equal(await store.endMutes(NOON + HOUR), 1);
      assert.equal(await store.endMutes(NOON + HOUR), 0);
      const ended = ['unmuted:a', 'unmuted:b', 'unmuted:c'].map((id, at) => `${id}:${NOON + [1, 2, HOUR][at]!}`);
      assert.deepEqual((await ids()).slice(3), ended);
      const [a, b, c] = (await facts()).slice(3);
      assert.deepEqual(
        [a?.cause, b?.cause, c?.cause],
        [{ reason: 'events', count: 1 }, { reason: 'users', count: 1 }, { reason: 'until' }],
      );
      assert.deepEqual([a?.release, a?.environment, c?.kind, c?.at], ['2.0', 'production', 'unmuted', NOON + HOUR]);
    });

    it('are not made by people who change a status', async () => {
      const { happen, set, idOf, ids } = await setUp();
      await happen('a', NOON - HOUR);
      for (const status of ['resolved', 'unresolved', 'ignored', 'unresolved'] as const)
        await set(await idOf('a'), status);
      assert.deepEqual(await ids(), ['new:a']);
    });
  });

  describe('facts of affected users', () => {
    it('come with each power of ten from 100 on, once', async () => {
      const { affect, facts, ids } = await setUp();
      await affect('a', 0, 99);
      await affect('a', 0, 99);
      assert.deepEqual(await ids(), ['new:a']);
      await affect('a', 99, 100, { release: '3.0', environment: 'production', at: NOON + 1 });
      await affect('a', 50, 200);
      assert.deepEqual(await ids(), ['new:a', 'users:a:100']);
      const [, fact] = await facts();
      assert.deepEqual(
        [fact?.kind, fact?.cause, fact?.at, fact?.release, fact?.environment],
        ['escalated', { users: 100 }, NOON + 1, '3.0', 'production'],
      );
      await affect('a', 200, 1000);
      assert.deepEqual(await ids(), ['new:a', 'users:a:100', 'users:a:1000']);
    });

    it('are one fact when a batch passes several steps', async () => {
      const { affect, ids } = await setUp();
      await affect('a', 0, 1001);
      assert.deepEqual(await ids(), ['new:a', 'users:a:1000']);
    });

    it('do not count those of a tracker, and begin above them', async () => {
      const { store, project, affect, ids } = await setUp();
      const source = await makeSource(store, project);
      const id = await importIssue(store, project, makeIssue(source, '1'), 500, ['a']);
      await store.setBase(project.id, id, counted(600, { users: 450, at: NOON + 1 }));
      await affect('a', 0, 150, { at: NOON + HOUR });
      assert.deepEqual(await ids(), []);
      await affect('a', 150, 1000, { at: NOON + HOUR });
      assert.equal((await ids()).length, 1);
    });
  });
}
